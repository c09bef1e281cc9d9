import type { PaymentState } from '../api/types.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { useWords } from '../words/words.tsx';

const TONES: Readonly<Record<PaymentState, Tone>> = {
  Open: 'neutral',
  Pending: 'warn',
  Authorized: 'accent',
  PartlyCaptured: 'accent',
  Captured: 'good',
  PartlyReversed: 'warn',
  Reversed: 'warn',
  Cancelled: 'neutral',
  Completed: 'good',
  Failed: 'bad',
  Aborted: 'neutral',
};

/** What became of a payment, in a word. */
export function PaymentBadge({ state }: { readonly state: PaymentState }) {
  const { t } = useWords();
  return (
    <Badge tone={TONES[state]}>
      <span title={state}>{t(`payment${state}`)}</span>
    </Badge>
  );
}
