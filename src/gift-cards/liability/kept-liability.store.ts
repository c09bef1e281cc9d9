import { dayOf } from '../../db/closings.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import { cardsCounted, changedIn } from './figures.types.ts';
import type { KeptSpans, LiabilityInstants, LiabilityQuestion, SumRow } from './liability.types.ts';

type Asked = Pick<LiabilityInstants, 'timeZone' | 'asOf' | 'from' | 'to'>;

/**
 * Up to which instants sums of days are kept that answer a question: of each of its instants the beginning of its day, or what is closed where
 * that is before. None where no sums are kept, or too much has happened since.
 */
export function selectSpans(
  reader: Transaction,
  payeeId: LiabilityQuestion['payeeId'],
  { timeZone, asOf, from, to }: Asked,
): Promise<Rows<KeptSpans>> {
  const since = (instant: string) => `least(c.closed_to, ${dayOf(instant, '$2::text')})`;
  return reader.run<KeptSpans>(
    {
      name: 'gift-cards-select-spans',
      text: `
        select c.closed_to as "closedTo", ${since('$3::timestamptz')} as "asOf", ${since('$4::timestamptz')} as "from",
          ${since('$5::timestamptz')} as "to"
        from gift_card_closing c
        where c.payee_id = $1::uuid and c.time_zone = $2::text and c.closed_to > (select kontor_now()) - interval '${DAYS_UNCLOSED} days'`,
    },
    [payeeId, timeZone, asOf, from, to],
  );
}

/** Days whose movements are read instead of cards: where the job stood still for longer, cards are. */
const DAYS_UNCLOSED = 7;

/**
 * All sums, in one statement, so that they are of one snapshot: those that are kept of days, and what moved between the beginning of a day
 * and the instant. A row `kept` says that the sums were those which the spans are of.
 */
export function selectSums(
  reader: Transaction,
  payeeId: LiabilityQuestion['payeeId'],
  asked: Asked,
  spans: KeptSpans,
): Promise<Rows<SumRow>> {
  return reader.run<SumRow>(SELECT_SUMS, sumValues(payeeId, asked, spans));
}

/** The values of `SELECT_SUMS`. What is asked of the same instant is read once. */
export function sumValues(
  payeeId: LiabilityQuestion['payeeId'],
  { timeZone, asOf, from, to }: Asked,
  spans: KeptSpans,
): string[] {
  const toSpan = to === asOf ? to : spans.to;
  return [payeeId, timeZone, spans.asOf, asOf, spans.from, from, toSpan, to, spans.closedTo, spans.to];
}

const SPANS = [
  ['asOf', 3, 4],
  ['from', 5, 6],
  ['to', 7, 8],
] as const;

const within = (at: string, [, begin, end]: (typeof SPANS)[number]) =>
  `${at} >= $${begin}::timestamptz and ${at} < $${end}::timestamptz`;

const ENTRIES = SPANS.map(
  (span) => `
    select '${span[0]}' as slot, e.account_id, e.sequence, e.amount, e.balance, m.kind, m.happened_at
    from movement m
    join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id and e.account_id is not null
    where m.payee_id = $1::uuid and ${within('m.happened_at', span)}`,
).join('\n    union all');

const BEFORE = `m.happened_at < case s.slot ${SPANS.map(([slot, begin]) => `when '${slot}' then $${begin}::timestamptz`).join(' ')} end`;

const CARDS = SPANS.map((span) =>
  cardsCounted(() => `'${span[0]}'`, within('g.issued_at', span), within('g.replaced_at', span)),
).join('\n    union all');

/** What moved until `asOf` moved until `to` where these are the same. */
const UNTIL = `(slot = 'to' or (slot = 'asOf' and $4::timestamptz = $8::timestamptz))`;
const SUM_COLUMNS = 'figure, currency, product_id, issued, expiring';

/** For the test of its plan as well. */
export const SELECT_SUMS = {
  name: 'gift-cards-select-sums',
  text: `
    with ${changedIn({ entries: ENTRIES, before: BEFORE, cards: CARDS })},
    owed as (
      select currency, product_id, issued, expiring, sum(parts) as parts, sum(amount) as amount
      from (
        select ${SUM_COLUMNS}, parts, amount from gift_card_sum
        where payee_id = $1::uuid and begins_at < $3::timestamptz and figure = 'owed'
        union all
        select ${SUM_COLUMNS}, parts, amount from changed where slot = 'asOf' and figure = 'owed'
      ) o
      group by currency, product_id, issued, expiring
      having sum(parts) <> 0 or sum(amount) <> 0
    ), turned as (
      select figure, currency, product_id, sum(parts) as parts, sum(amount) as amount
      from (
        select ${SUM_COLUMNS}, parts, amount from gift_card_sum
        where payee_id = $1::uuid and begins_at >= $5::timestamptz and begins_at < $10::timestamptz and figure <> 'owed'
        union all
        select ${SUM_COLUMNS}, parts, amount from changed where ${UNTIL} and figure <> 'owed'
        union all
        select ${SUM_COLUMNS}, -parts, -amount from changed where slot = 'from' and figure <> 'owed'
      ) t
      group by figure, currency, product_id
      having sum(parts) <> 0
    )
    select f.figure, f.currency, f."productId", p.name as "productName", f.issued, f.month, f.cards::bigint, f.amount::bigint
    from (
      select 'kept' as figure, null as currency, null as "productId", null as issued, null as month, 0 as cards, 0 as amount
      where exists (
        select from gift_card_closing where payee_id = $1::uuid and time_zone = $2::text and closed_to = $9::timestamptz
      )
      union all
      select 'age', currency, nullif(product_id, ''), issued, nullif(expiring, ''), parts, amount from owed
      union all
      select 'outstanding', currency, product_id, null, nullif(expiring, ''), sum(parts), sum(amount)
      from owed where product_id <> '' group by currency, product_id, expiring
      union all
      select figure, currency, product_id, null, null, case when figure like 'cards%' then amount else parts end,
        case when figure like 'cards%' then 0 else amount end
      from turned
    ) f
    left join gift_card_product p on p.payee_id = $1::uuid and p.product_id = f."productId"
    order by f.currency, f."productId", f.figure, f.issued, f.month`,
};
