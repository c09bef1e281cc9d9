import type { ListedInstrument, ListedOrder } from '../../../client/portal.generated.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { useWords, type WordKey } from '../words/words.tsx';

/** How a status is shown: its word, and its tone. */
const STATUSES: Readonly<Record<ListedOrder['status'], readonly [WordKey, Tone]>> = {
  Initialized: ['orderInitialized', 'neutral'],
  Paid: ['orderPaid', 'good'],
  Failed: ['paymentFailed', 'bad'],
  Aborted: ['paymentAborted', 'neutral'],
  Cancelled: ['paymentCancelled', 'neutral'],
  Reversed: ['paymentReversed', 'warn'],
};

const SEARCHED = {
  Succeeded: 'paymentSucceeded',
  Declined: 'paymentDeclined',
  ToCapture: 'paymentToCapture',
} as const satisfies Record<string, WordKey>;

/** What a list can be cut down to, in a word. */
export function statusWord(status: ListedOrder['status'] | keyof typeof SEARCHED): WordKey {
  return status in SEARCHED ? SEARCHED[status as keyof typeof SEARCHED] : STATUSES[status as ListedOrder['status']][0];
}

/** How an order stands, in a word: one that can still be paid says that an attempt was declined. */
export function OrderBadge({ status, isDeclined }: Pick<ListedOrder, 'status' | 'isDeclined'>) {
  const { t } = useWords();
  const [word, tone]: (typeof STATUSES)['Paid'] =
    status === 'Initialized' && isDeclined ? ['paymentDeclined', 'bad'] : STATUSES[status];
  return (
    <Badge tone={tone}>
      <span title={status}>{t(word)}</span>
    </Badge>
  );
}

/** What pays an order, in few words: `Visa + 2 gift cards`. */
export function Instruments({ instruments }: { readonly instruments: readonly ListedInstrument[] }) {
  const { t } = useWords();
  const cards = instruments.filter(({ type }) => type === 'creditcard').map(({ brand }) => brand ?? t('card'));
  const count = (wanted: ListedInstrument['type']) => instruments.filter(({ type }) => type === wanted).length;
  const [giftCards, prepaid] = [count('giftcard'), count('prepaid')];
  const marks = [
    ...cards,
    ...(giftCards > 0 ? [t('giftCardsCount', { count: giftCards })] : []),
    ...(prepaid > 0 ? [t('prepaidCount', { count: prepaid })] : []),
  ];
  return <span title={instruments.map(({ name }) => name).join(', ')}>{marks.join(' + ')}</span>;
}
