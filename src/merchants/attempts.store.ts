import type { Rows, Transaction } from '../db/transaction.types.ts';
import type { AttemptLimit, AttemptSubject } from './merchants.types.ts';

/** Where a counter stands: how often in the current window, and how many seconds (rounded up) it still lasts. */
export interface AttemptRow {
  readonly count: number;
  readonly secondsLeft: number;
}

/**
 * Counts one attempt. One statement, so that counters at the same moment queue up on the row and each sees its own
 * number: the first attempt, or the first after the window's end, opens a new window.
 */
export function upsertAttempt(
  transaction: Transaction,
  subject: AttemptSubject,
  limit: AttemptLimit,
): Promise<Rows<AttemptRow>> {
  return transaction.run<AttemptRow>(
    {
      name: 'merchants-upsert-attempt',
      text: `
        insert into attempt as stored (payee_id, kind, subject, window_starts_at, window_ends_at, count)
        select $1::uuid, $2::text, $3::bytea, clock.now, clock.now + make_interval(secs => $4::integer), 1
        from (select kontor_now() as now) clock
        on conflict (payee_id, kind, subject) do update
        set count = case when stored.window_ends_at > excluded.window_starts_at then stored.count + 1 else 1 end,
          window_starts_at = case when stored.window_ends_at > excluded.window_starts_at
            then stored.window_starts_at else excluded.window_starts_at end,
          window_ends_at = case when stored.window_ends_at > excluded.window_starts_at
            then stored.window_ends_at else excluded.window_ends_at end
        returning count, greatest(1, ceil(extract(epoch from window_ends_at - kontor_now())))::integer as "secondsLeft"`,
    },
    [subject.payeeId, limit.kind, subject.digest, limit.windowSeconds],
  );
}

/** Where the counter stands, without counting; no row where no window is open. */
export function selectAttempt(
  transaction: Transaction,
  subject: AttemptSubject,
  limit: AttemptLimit,
): Promise<Rows<AttemptRow>> {
  return transaction.run<AttemptRow>(
    {
      name: 'merchants-select-attempt',
      text: `
        select count, greatest(1, ceil(extract(epoch from window_ends_at - kontor_now())))::integer as "secondsLeft"
        from attempt
        where payee_id = $1::uuid and kind = $2::text and subject = $3::bytea and window_ends_at > kontor_now()`,
    },
    [subject.payeeId, limit.kind, subject.digest],
  );
}

/** Deletes counters whose window has ended, at most `limit`; a counter that is counting right now is left alone. */
export async function deleteOldAttempts(transaction: Transaction, limit: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-delete-old-attempts',
      text: `
        delete from attempt
        where (payee_id, kind, subject) in (
          select payee_id, kind, subject
          from attempt
          where window_ends_at < kontor_now()
          order by window_ends_at
          limit $1::integer
          for update skip locked
        )`,
    },
    [limit],
  );
  return count;
}
