import type { PaymentState } from '../api/types.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { useWords } from '../words/words.tsx';

/** The states of payments of both families, in the order of the tabs. */
export const PAYMENT_STATES = ['Paid', 'Open', 'Pending', 'Failed', 'Reversed', 'Aborted'] as const;

const TONES: Readonly<Record<PaymentState, Tone>> = {
  Paid: 'good',
  Open: 'neutral',
  Pending: 'warn',
  Failed: 'bad',
  Reversed: 'warn',
  Aborted: 'neutral',
};

export function PaymentBadge({ state }: { readonly state: PaymentState }) {
  const { t } = useWords();
  return <Badge tone={TONES[state]}>{t(`payment${state}`)}</Badge>;
}
