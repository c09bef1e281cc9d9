import type { Invariant } from '../../journal/invariants.types.ts';
import { dayOf, figureOf, IS_IMPORTED, LESS, SOLD_AT } from './figures.types.ts';

const slot = (at: string) => dayOf(at, 'c.time_zone');
const COLUMNS = 'payee_id, begins_at, figure, currency, product_id, issued, expiring';

/** The ledger is the proof of the sums that are kept: they are reckoned here anew, from all entries, and by no balance. */
export const SUMS_ARE_KEPT: Invariant = {
  holds:
    'What is kept of each day as owed on stored value, and as moved on gift cards, is what its entries and cards come to.',
  searches: [
    {
      name: 'gift-cards-verify-sums',
      text: `
      with c as (
        select payee_id, time_zone, closed_to from gift_card_closing where closed_to is not null
      ), booked as materialized (
        select m.payee_id, e.account_id, ${slot('m.happened_at')} as begins_at, m.kind, m.happened_at, e.sequence, e.amount, a.currency,
          coalesce(g.product_id, '') as product_id, ${SOLD_AT} as issued_at, ${IS_IMPORTED} as is_imported,
          to_char(coalesce(${SOLD_AT}, a.created_at) at time zone c.time_zone, 'YYYY-MM') as issued,
          coalesce(to_char(a.expires_on, 'YYYY-MM'), '') as expiring
        from c
        join movement m on m.payee_id = c.payee_id and m.happened_at < c.closed_to
        join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id
        join account a on a.payee_id = e.payee_id and a.account_id = e.account_id and a.kind = 'StoredValue'
        left join gift_card g on g.payee_id = a.payee_id and g.account_id = a.account_id
      ), held as (
        select payee_id, begins_at, currency, product_id, issued, expiring, sum(amount) as amount,
          sum(sum(amount)) over (partition by payee_id, account_id order by begins_at) as has
        from booked
        group by payee_id, account_id, begins_at, currency, product_id, issued, expiring
      ), sums as (
        select payee_id, begins_at, 'owed' as figure, currency, product_id, issued, expiring,
          sum((has > 0)::integer - (has > amount)::integer) as parts, sum(amount) as amount
        from held
        group by payee_id, begins_at, currency, product_id, issued, expiring
        union all
        select payee_id, begins_at, figure, currency, product_id, '', '', count(*),
          sum(case when figure in ${LESS} then -amount else amount end)
        from (select c.*, ${figureOf({ movement: 'c', entry: 'c' })} as figure from booked c where product_id <> '') moved
        where figure is not null
        group by payee_id, begins_at, figure, currency, product_id
        union all
        select g.payee_id, ${slot('k.at')}, k.figure, a.currency, g.product_id, '', '', count(*), sum(k.n)
        from c
        join gift_card g on g.payee_id = c.payee_id
        join account a on a.payee_id = g.payee_id and a.account_id = g.account_id
        cross join lateral (values
          (case when ${IS_IMPORTED} then 'cardsImported' else 'cardsIssued' end, ${SOLD_AT}, 1),
          ('cardsIssued', g.replaced_at, -1),
          ('cardsReplaced', g.replaced_at, 1)
        ) k (figure, at, n)
        where k.at < c.closed_to
        group by 1, 2, 3, 4, 5
      ), kept as (
        select ${COLUMNS}, parts, amount from gift_card_sum join c using (payee_id) where begins_at < closed_to
      )
      select payee_id as "payeeId", 'sum of ' || figure || ' on ' || (begins_at at time zone c.time_zone)::date as row
      from (
        select ${COLUMNS}
        from (
          select ${COLUMNS}, parts, amount from sums
          union all
          select ${COLUMNS}, -parts, -amount from kept
        ) both_ways
        group by ${COLUMNS}
        having sum(parts) <> 0 or sum(amount) <> 0
      ) differing
      join c using (payee_id)
      order by payee_id, begins_at, figure`,
    },
  ],
};
