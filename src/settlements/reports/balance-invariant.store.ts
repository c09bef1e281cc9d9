import { dayOf, isIdOfDay } from '../../db/closings.ts';
import { along } from '../../db/reading/walk.ts';
import type { Invariant } from '../../journal/invariants.types.ts';
import { WALKS } from '../../journal/walks.types.ts';
import { bookedBy, SUM_COLUMNS, TURNED } from './booked.types.ts';

const slot = (at: string) => dayOf(at, 'c.time_zone');
/** The sums of a payee that reach beyond an instant. */
const closingOf = (payee: string, at: string) => `
  (select time_zone, closed_to from trial_balance_closing where payee_id = ${payee} and closed_to > ${at} limit 1)`;

/**
 * The sums of the day that begins at an instant, reckoned anew, and those that are kept of it; what is left is wrong. The longest day has 26
 * hours.
 */
const differingOf = (day: string, payee: string, more = 'true') => `
  with moved as materialized (
    select * from movement m
    where m.payee_id = ${payee} and ${more} and m.happened_at >= ${day} and m.happened_at < least(${day} + interval '27 hours', c.closed_to)
      and ${slot('m.happened_at')} = ${day}
  ), ${bookedBy('moved', payee)}
  select side
  from (
    select ${SUM_COLUMNS}, ${TURNED} from booked group by ${SUM_COLUMNS}
    union all
    select ${SUM_COLUMNS}, -debit, -credit from trial_balance_sum where payee_id = ${payee} and begins_at = ${day}
  ) both_ways
  group by ${SUM_COLUMNS}
  having sum(debit) <> 0 or sum(credit) <> 0
  limit 1`;

/** The ledger is the proof of the sums that are kept: they are reckoned here anew, day by day, from all movements. */
export const BALANCES_ARE_KEPT: Invariant = {
  holds: 'What is kept of each day as booked on each side of the ledger is what its movements come to.',
  searches: [
    along(
      WALKS.trialBalanceSum,
      'settlements-verify-balance-sums',
      (rows) => `
      select r.payee_id as "payeeId", 'sum of ' || d.side || ' on ' || (r.begins_at at time zone c.time_zone)::date as row
      from (
        -- Each day with its first row.
        select * from ${rows} f
        where not exists (
          select from trial_balance_sum
          where payee_id = f.payee_id and begins_at = f.begins_at
            and (${SUM_COLUMNS}) < (f.side, f.currency, f.is_stored_value, f.agreement, f.product_id, f.is_item)
          offset 0
        )
        offset 0
      ) r
      cross join lateral ${closingOf('r.payee_id', 'r.begins_at')} c
      -- By the ids of the day, and where that differs by the times of all movements.
      cross join lateral (${differingOf('r.begins_at', 'r.payee_id', isIdOfDay('m.movement_id', 'r.begins_at'))}) near
      cross join lateral (${differingOf('r.begins_at', 'r.payee_id')}) d`,
    ),
    along(
      WALKS.movement,
      'settlements-verify-summed-movements',
      (rows) => `
      select m.payee_id as "payeeId", 'movement ' || m.movement_id as row
      from ${rows} m
      cross join lateral ${closingOf('m.payee_id', 'm.happened_at')} c
      where not exists (
        select from trial_balance_sum where payee_id = m.payee_id and begins_at = ${slot('m.happened_at')} offset 0
      )`,
    ),
    // Of another time than its id: it is not found among those of its day.
    along(
      WALKS.movement,
      'settlements-verify-displaced-movements',
      (rows) => `
      select r.payee_id as "payeeId", 'sum of ' || d.side || ' on ' || (r.begins_at at time zone c.time_zone)::date as row
      from (
        select distinct m.payee_id, day.begins_at
        from ${rows} m
        cross join lateral ${closingOf('m.payee_id', 'm.happened_at')} c
        cross join lateral (select ${slot('m.happened_at')} as begins_at offset 0) day
        where not (${isIdOfDay('m.movement_id', 'day.begins_at')})
        offset 0
      ) r
      cross join lateral ${closingOf('r.payee_id', 'r.begins_at')} c
      cross join lateral (${differingOf('r.begins_at', 'r.payee_id')}) d`,
    ),
  ],
};
