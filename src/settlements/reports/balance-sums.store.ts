import { closingsOf, dayOf } from '../../db/closings.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import type { BalanceClosing } from './balance-sums.types.ts';
import { bookedBy, SUM_COLUMNS, TURNED } from './booked.types.ts';

/** How far the sums of trial balances reach. They are made in the order of movements. */
export const balanceClosings = closingsOf<BalanceClosing>({
  slice: 'settlements',
  sums: 'trial_balance_sum',
  closings: 'trial_balance_closing',
  work: 'sum-trial-balances',
  every: 'hour',
  // In order: of a payee without movements PostgreSQL would read those of all others.
  hasSome: 'select true from movement m where m.payee_id = p.payee_id order by m.movement_id',
  place: { after_movement: { as: 'afterMovement', from: `'00000000-0000-0000-0000-000000000000'` } },
});

/** Payees with movements whose sums do not reach to where they could. */
export const { selectUnclosed } = balanceClosings;

/** How long the sums of the payee that is furthest behind are overdue. */
export const { selectOverdue } = balanceClosings;

/** Adds what was booked to the sums that are kept. */
const KEEP = `
  insert into trial_balance_sum as kept (payee_id, begins_at, ${SUM_COLUMNS}, debit, credit)
  select $1::uuid, ${dayOf('happened_at', '$2::text')}, ${SUM_COLUMNS}, ${TURNED}
  from booked
  group by 2, ${SUM_COLUMNS}
  on conflict (payee_id, begins_at, ${SUM_COLUMNS}) do update
  set debit = kept.debit + excluded.debit, credit = kept.credit + excluded.credit`;

/** Sums the next movements of a payee; the last one of them, unless there were fewer. */
export async function fillBalances(
  transaction: Transaction,
  { payeeId, timeZone, afterMovement, closingTo }: BalanceClosing,
  limit: number,
): Promise<string | undefined> {
  const { rows } = await transaction.run<{ readonly last: string }>(
    {
      name: 'settlements-fill-balances',
      text: `
        with portion as materialized (
          select * from movement
          where payee_id = $1::uuid and movement_id > $3::uuid
          order by movement_id
          limit $5::integer
        ), moved as materialized (
          select * from portion where happened_at < $4::timestamptz
        ), ${bookedBy('moved', '$1::uuid')}, kept as (${KEEP})
        select movement_id as last from portion order by movement_id limit 1 offset $5::integer - 1`,
    },
    [payeeId, timeZone, afterMovement, closingTo, limit],
  );
  return rows[0]?.last;
}

/** Notes how far movements are summed. */
export async function noteFilled(transaction: Transaction, { payeeId }: BalanceClosing, last: string): Promise<void> {
  await transaction.run(
    {
      name: 'settlements-note-filled',
      text: 'update trial_balance_closing set after_movement = $2::uuid where payee_id = $1::uuid',
    },
    [payeeId, last],
  );
}

/** Sums what has been booked since the sums were closed. */
export async function closeBalances(
  transaction: Transaction,
  { payeeId, timeZone, closedTo }: BalanceClosing,
  to: string,
): Promise<void> {
  await transaction.run(
    {
      name: 'settlements-close-balances',
      text: `
        with moved as materialized (
          select * from movement
          where payee_id = $1::uuid and happened_at >= $3::timestamptz and happened_at < $4::timestamptz
        ), ${bookedBy('moved', '$1::uuid')} ${KEEP}`,
    },
    [payeeId, timeZone, closedTo, to],
  );
}
