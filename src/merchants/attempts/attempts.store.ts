import type { GuardedCall } from '../../db/batch/batch.types.ts';
import { overRows, overRowsOf } from '../../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { AttemptCounter, AttemptLimit, AttemptSubject, NotedAttempts } from '../merchants.types.ts';

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

const SELECT_ATTEMPTS = overRowsOf<AttemptCounter>(({ subject }) => subject.payeeId, {
  name: 'merchants-select-attempts',
  columns: {
    kind: ['text', ({ limit }) => limit.kind],
    subject: ['bytea', ({ subject }) => subject.digest],
  },
  text: ({ payee, places }) => `
    select v.position::integer, a.*
    from ${places}
    cross join lateral (
      select count, greatest(1, ceil(extract(epoch from window_ends_at - kontor_now())))::integer as "secondsLeft"
      from attempt
      where payee_id = ${payee} and kind = v.kind and subject = v.subject and window_ends_at > kontor_now()
      limit 1
    ) a
    order by v.position`,
});

/** Where counters stand, without counting; no row where no window is open. In the order in which they are named. */
export function selectAttempts(
  transaction: Transaction,
  counters: readonly AttemptCounter[],
): Promise<Rows<AttemptRow & { readonly position: number }>> {
  return transaction.run(SELECT_ATTEMPTS, SELECT_ATTEMPTS.values(counters));
}

/** How many subjects of a payee have a window of this kind open, as far as it matters. */
export function selectSubjects(
  transaction: Transaction,
  payeeId: AttemptSubject['payeeId'],
  { kind, most }: { readonly kind: string; readonly most: number },
): Promise<Rows<{ readonly subjects: number }>> {
  return transaction.run<{ readonly subjects: number }>(
    {
      name: 'merchants-count-subjects',
      text: `
        select count(*)::integer as subjects
        from (
          select from attempt
          where payee_id = $1::uuid and kind = $2::text and window_ends_at > kontor_now()
          limit $3::integer
        ) open`,
    },
    [payeeId, kind, most],
  );
}

const UPSERT_ATTEMPTS = overRows<AttemptSubject, [kind: string, windowSeconds: number, now: string]>({
  name: 'merchants-upsert-attempts',
  beside: 3,
  columns: {
    subject: ['bytea', 'digest'],
  },
  guard: 'adds',
  text: ({ payee, places }) => `
    insert into attempt as stored (payee_id, kind, subject, window_starts_at, window_ends_at, count)
    select ${payee}, $1::text, v.subject, $3::timestamptz, $3::timestamptz + make_interval(secs => $2::integer), 1
    from ${places}
    order by v.position
    on conflict (payee_id, kind, subject) do update
    set count = stored.count + 1, window_ends_at = excluded.window_ends_at`,
});

/** Counts attempts in a batch, each subject once. In a fixed order, so that two batches never wait for each other. */
export function upsertAttempts(
  subjects: readonly AttemptSubject[],
  { kind, windowSeconds }: NotedAttempts,
  now: string,
): GuardedCall {
  const named = new Map(subjects.map((subject) => [`${subject.payeeId} ${subject.digest.toString('hex')}`, subject]));
  const once = [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, subject]) => subject);
  return UPSERT_ATTEMPTS.call(once, kind, windowSeconds, now);
}

/** Deletes counters whose window has ended, at most `limit`; a counter that is counting right now is left alone. */
export async function deleteOldAttempts(transaction: Transaction, limit: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-delete-old-attempts',
      text: `
        with old as materialized (
          select payee_id, kind, subject
          from attempt
          where window_ends_at < (select kontor_now())
          order by window_ends_at
          limit $1::integer
          for update skip locked
        )
        delete from attempt
        using old
        where attempt.payee_id = old.payee_id and attempt.kind = old.kind and attempt.subject = old.subject`,
    },
    [limit],
  );
  return count;
}
