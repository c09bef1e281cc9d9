import { dayOf, isIdOfDay } from '../../db/closings.ts';
import { along } from '../../db/reading/walk.ts';
import type { Invariant } from '../../journal/invariants.types.ts';
import { WALKS } from '../../journal/walks.types.ts';
import { ENTRIES_ASKED, figureOf, IS_IMPORTED, LESS, SOLD_AT } from './figures.types.ts';

const slot = (at: string) => dayOf(at, 'c.time_zone');
const COLUMNS = 'figure, currency, product_id, issued, expiring';
/** The sums of a payee that reach beyond an instant. */
const closingOf = (payee: string, at: string) => `
  (select time_zone, closed_to from gift_card_closing where payee_id = ${payee} and closed_to > ${at} limit 1)`;
/** The longest day begins an hour after midnight comes twice, and ends 26 hours later. */
const inDay = (at: string) => `${at} >= r.begins_at and ${at} < least(r.begins_at + interval '27 hours', c.closed_to)`;
const lastBalance = (side: 'Available' | 'Held') => `coalesce((
  select balance from entry
  where payee_id = r.payee_id and account_id = h.account_id and sequence < h.first and side = '${side}'
  order by sequence desc limit 1
), 0)`;

/** What account h had before day r: by its entries, or by its balances where these are many, which another invariant proves. */
const HAD = `
  case when h.entry_count > ${ENTRIES_ASKED} then ${lastBalance('Available')} + ${lastBalance('Held')}
  else coalesce((
    select sum(e.amount) from entry e
    join lateral (
      select happened_at from movement where payee_id = e.payee_id and movement_id = e.movement_id limit 1
    ) m on true
    where e.payee_id = r.payee_id and e.account_id = h.account_id and m.happened_at < r.begins_at
  ), 0) end`;

/** The sums of day r, reckoned anew, and those that are kept of it; what is left is wrong. */
const differingOfDay = (more = 'true') => `
  with booked as materialized (
    select m.kind, m.happened_at, e.account_id, e.sequence, e.amount, a.currency, a.entry_count, coalesce(g.product_id, '') as product_id,
      g.issued_at, ${IS_IMPORTED} as is_imported,
      to_char(coalesce(g.issued_at, a.created_at) at time zone c.time_zone, 'YYYY-MM') as issued,
      coalesce(to_char(a.expires_on, 'YYYY-MM'), '') as expiring
    from (
      select movement_id, kind, happened_at from movement
      where payee_id = r.payee_id and ${more} and ${inDay('happened_at')} offset 0
    ) m
    cross join lateral (
      select account_id, sequence, amount from entry
      where payee_id = r.payee_id and movement_id = m.movement_id and account_id is not null
    ) e
    cross join lateral (
      select * from account where payee_id = r.payee_id and account_id = e.account_id and kind = 'StoredValue' limit 1
    ) a
    left join lateral (
      select g.product_id, ${SOLD_AT} as issued_at from gift_card g
      where g.payee_id = r.payee_id and g.account_id = e.account_id limit 1
    ) g on true
    where ${slot('m.happened_at')} = r.begins_at
  ), held as materialized (
    select account_id, currency, product_id, issued, expiring, entry_count, sum(amount) as amount, min(sequence) as first
    from booked
    group by account_id, currency, product_id, issued, expiring, entry_count
  ), sums as (
    select 'owed' as figure, currency, product_id, issued, expiring,
      sum((had + amount > 0)::integer - (had > 0)::integer) as parts, sum(amount) as amount
    from (select h.*, ${HAD} as had from held h) h
    group by currency, product_id, issued, expiring
    union all
    select figure, currency, product_id, '', '', count(*), sum(case when figure in ${LESS} then -amount else amount end)
    from (select c.*, ${figureOf({ movement: 'c', entry: 'c' })} as figure from booked c where c.product_id <> '') moved
    where figure is not null
    group by figure, currency, product_id
    union all
    select k.figure, a.currency, g.product_id, '', '', count(*), sum(k.n)
    from (
      select g.account_id, g.product_id, g.issued_at as at, 'made' as as_what from gift_card g
      where g.payee_id = r.payee_id and not g.inactive_until_sold and ${inDay('g.issued_at')}
      union all
      select g.account_id, g.product_id, g.replaced_at, 'replaced' from gift_card g
      where g.payee_id = r.payee_id and ${inDay('g.replaced_at')}
      union all
      select b.account_id, b.product_id, b.happened_at, 'made' from booked b
      where b.sequence = 1 and b.product_id <> '' and (
        select inactive_until_sold from gift_card where payee_id = r.payee_id and account_id = b.account_id
      )
    ) g
    cross join lateral (select * from account where payee_id = r.payee_id and account_id = g.account_id limit 1) a
    cross join lateral (values
      ('made', case when ${IS_IMPORTED} then 'cardsImported' else 'cardsIssued' end, 1),
      ('replaced', 'cardsIssued', -1),
      ('replaced', 'cardsReplaced', 1)
    ) k (as_what, figure, n)
    where k.as_what = g.as_what and ${slot('g.at')} = r.begins_at
    group by k.figure, a.currency, g.product_id
  )
  select figure
  from (
    select ${COLUMNS}, parts, amount from sums
    union all
    select ${COLUMNS}, -parts, -amount from gift_card_sum where payee_id = r.payee_id and begins_at = r.begins_at
  ) both_ways
  group by ${COLUMNS}
  having sum(parts) <> 0 or sum(amount) <> 0
  limit 1`;

/** The ledger is the proof of the sums that are kept: they are reckoned here anew, day by day, from all entries. */
export const SUMS_ARE_KEPT: Invariant = {
  holds:
    'What is kept of each day as owed on stored value, and as moved on gift cards, is what its entries and cards come to.',
  searches: [
    along(
      WALKS.giftCardSum,
      'gift-cards-verify-sums',
      (rows) => `
      select r.payee_id as "payeeId", 'sum of ' || d.figure || ' on ' || (r.begins_at at time zone c.time_zone)::date as row
      from (
        -- Each day with its first row.
        select * from ${rows} f
        where not exists (
          select from gift_card_sum
          where payee_id = f.payee_id and begins_at = f.begins_at and (${COLUMNS}) < (f.figure, f.currency, f.product_id, f.issued, f.expiring)
          offset 0
        )
        offset 0
      ) r
      cross join lateral ${closingOf('r.payee_id', 'r.begins_at')} c
      -- By the ids of the day, and where that differs by the times of all movements.
      cross join lateral (${differingOfDay(isIdOfDay('movement_id', 'r.begins_at'))}) near
      cross join lateral (${differingOfDay()}) d`,
    ),
    // Of another time than its id: it is not found among those of its day.
    along(
      WALKS.movement,
      'gift-cards-verify-displaced-movements',
      (rows) => `
      select r.payee_id as "payeeId", 'sum of ' || d.figure || ' on ' || (r.begins_at at time zone c.time_zone)::date as row
      from (
        select distinct m.payee_id, day.begins_at
        from ${rows} m
        cross join lateral ${closingOf('m.payee_id', 'm.happened_at')} c
        cross join lateral (select ${slot('m.happened_at')} as begins_at offset 0) day
        where not (${isIdOfDay('m.movement_id', 'day.begins_at')})
        offset 0
      ) r
      cross join lateral ${closingOf('r.payee_id', 'r.begins_at')} c
      cross join lateral (${differingOfDay()}) d`,
    ),
    along(
      WALKS.movement,
      'gift-cards-verify-summed-movements',
      (rows) => `
      select m.payee_id as "payeeId", 'movement ' || m.movement_id as row
      from ${rows} m
      cross join lateral ${closingOf('m.payee_id', 'm.happened_at')} c
      where not exists (
        select from gift_card_sum where payee_id = m.payee_id and begins_at = ${slot('m.happened_at')} offset 0
      ) and coalesce((
        select sum(e.amount) from entry e
        cross join lateral (
          select from account where payee_id = e.payee_id and account_id = e.account_id and kind = 'StoredValue' limit 1
        ) a
        where e.payee_id = m.payee_id and e.movement_id = m.movement_id
      ), 0) <> 0`,
    ),
    along(
      WALKS.giftCard,
      'gift-cards-verify-counted-cards',
      (rows) => `
      select g.payee_id as "payeeId", 'gift card ' || g.account_id as row
      from ${rows} g
      cross join lateral (values (case when g.inactive_until_sold then null else g.issued_at end), (g.replaced_at)) k (at)
      cross join lateral ${closingOf('g.payee_id', 'k.at')} c
      where not exists (
        select from gift_card_sum where payee_id = g.payee_id and begins_at = ${slot('k.at')} offset 0
      )`,
    ),
  ],
};
