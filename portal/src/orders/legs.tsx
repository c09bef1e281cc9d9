import { Link } from '@tanstack/react-router';
import type { OrderLegShown, OrderShown } from '../../../client/portal.generated.ts';
import { useSession } from '../app/session.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';

/** What a leg is called: its brand or kind, and its masked number. */
export function useLegName(): (leg: Pick<OrderLegShown, 'instrumentType' | 'brand' | 'name'>) => string {
  const { t } = useWords();
  return ({ instrumentType, brand, name }) => {
    const kind =
      instrumentType === 'creditcard'
        ? (brand ?? t('card'))
        : instrumentType === 'giftcard'
          ? t('giftCard')
          : t('account');
    return `${kind} ${name}`;
  };
}

/** The amount of an order, as a bar of what pays it; the table below says the same. Nothing pays what was only entered. */
export function LegBar({ legs, total }: { readonly legs: readonly OrderLegShown[]; readonly total: number }) {
  let from = 0;
  if (sumOf(legs) === 0) return null;
  return (
    <svg className="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden>
      {legs.map((leg) => {
        const x = from;
        const width = (leg.amount / Math.max(total, 1)) * 1000;
        from += width;
        return <rect key={leg.legId} data-part={colourOf(leg)} x={x} y="0" width={width} height="10" />;
      })}
    </svg>
  );
}

/** The colour of a leg in the bar, which stands beside its name too. */
function colourOf({ kind, position }: Pick<OrderLegShown, 'kind' | 'position'>): string | undefined {
  return kind === 'Card' ? 'open' : ['captured', 'reversed', 'cancelled'][(position - 1) % 3];
}

/** A line of the table: a leg, or the order as their sum. */
type Line = Pick<OrderLegShown, 'amount' | 'captured' | 'cancelled' | 'reversed' | 'remaining'> & {
  readonly leg: OrderLegShown | undefined;
};

/** What each means of payment took and gave back. The last line is the order's own; the others add up to it. */
export function LegTable({ order, legs }: { readonly order: OrderShown; readonly legs: readonly OrderLegShown[] }) {
  const { t, money } = useWords();
  const { currency } = order;
  const column = (title: string, of: (line: Line) => number): Column<Line> => ({
    title,
    align: 'end',
    cell: (line) => <span className="number">{money(of(line), currency)}</span>,
  });
  const lines: readonly Line[] = [...legs.map((leg) => ({ ...leg, leg })), { ...order, leg: undefined }];
  return (
    <Table
      label={t('whoPays')}
      rows={lines}
      rowKey={({ leg }) => leg?.legId ?? 'total'}
      empty={null}
      columns={[
        {
          title: t('instrument'),
          cell: ({ leg }) => (leg === undefined ? <strong>{t('total')}</strong> : <LegName leg={leg} />),
        },
        column(t('paymentAuthorized'), ({ amount, leg }) =>
          leg === undefined && !order.isPaid ? sumOf(legs) : amount,
        ),
        column(t('captured'), ({ captured }) => captured),
        column(t('cancelled'), ({ cancelled }) => cancelled),
        column(t('reversed'), ({ reversed }) => reversed),
        column(t('left'), ({ remaining }) => remaining.capture),
      ]}
    />
  );
}

const sumOf = (legs: readonly OrderLegShown[]): number => legs.reduce((sum, { amount }) => sum + amount, 0);

function LegName({ leg }: { readonly leg: OrderLegShown }) {
  const { t } = useWords();
  const { can } = useSession();
  const name = useLegName()(leg);
  const { state, paymentId, accountId } = leg;
  const shown = (
    <>
      {leg.amount > 0 && (
        <svg className="swatch" width="10" height="10" aria-hidden>
          <rect data-part={colourOf(leg)} width="10" height="10" rx="3" />
        </svg>
      )}
      <span>{name}</span>
      {(state === 'Added' || state === 'Held') && (
        <span className="soft"> {t(state === 'Added' ? 'legAdded' : 'legHeld')}</span>
      )}
    </>
  );
  if (accountId !== null && can('getGiftCardStory') && leg.instrumentType === 'giftcard') {
    return (
      <Link to="/gift-cards/$accountId" params={{ accountId }}>
        {shown}
      </Link>
    );
  }
  if (paymentId === null) return shown;
  return (
    <Link to="/payments/$paymentId" params={{ paymentId }}>
      {shown}
    </Link>
  );
}
