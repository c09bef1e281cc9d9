import type { ListedPayment } from '../../../client/portal.generated.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { useWords } from '../words/words.tsx';

const TONES: Readonly<Record<ListedPayment['state'], Tone>> = {
  Open: 'neutral',
  Pending: 'warn',
  Authorized: 'accent',
  PartlyCaptured: 'accent',
  Captured: 'good',
  PartlyReversed: 'warn',
  Reversed: 'warn',
  Cancelled: 'neutral',
  Completed: 'good',
  Declined: 'bad',
  Failed: 'bad',
  Aborted: 'neutral',
};

/** What became of a payment, in a word. */
export function PaymentBadge({ state }: Pick<ListedPayment, 'state'>) {
  const { t } = useWords();
  return (
    <Badge tone={TONES[state]}>
      <span title={state}>{t(`payment${state}`)}</span>
    </Badge>
  );
}
