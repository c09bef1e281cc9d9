import type { GuardedCall } from '../../db/batch/batch.types.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { Refusal } from '../../kit/errors.ts';
import type { AttemptCounter, AttemptLimit, AttemptSubject, NotedAttempts } from '../merchants.types.ts';
import { selectAttempts, selectSubjects, upsertAttempt, upsertAttempts } from './attempts.store.ts';

/**
 * Counts an attempt that failed. The count holds across instances, because it is a row in PostgreSQL.
 *
 * The refusal rolls back the caller's transaction and this attempt with it: the limit is reached without it.
 *
 * @returns how many there have been in this window, with this one
 * @throws Refusal `toomanyrequests` where the subject has had all its attempts in this window before
 */
export async function countAttempt(
  transaction: Transaction,
  subject: AttemptSubject,
  limit: AttemptLimit,
): Promise<number> {
  const { rows } = await upsertAttempt(transaction, subject, limit);
  const [counted] = rows;
  assert(counted, 'counting an attempt returns the count');
  if (counted.count > limit.attempts) throw tooMany(limit, counted.secondsLeft);
  return counted.count;
}

/**
 * Refuses a subject that has no attempts left. Asked before a credential is judged, else the limit would not
 * stop an attacker from guessing on.
 *
 * @throws Refusal `toomanyrequests`
 */
export async function checkAttempts(
  transaction: Transaction,
  subject: AttemptSubject,
  limit: AttemptLimit,
): Promise<void> {
  await checkAllAttempts(transaction, [{ subject, limit }]);
}

/**
 * The same for several counters, in one statement: the first that is full refuses.
 *
 * @throws Refusal `toomanyrequests`
 */
export async function checkAllAttempts(transaction: Transaction, counters: readonly AttemptCounter[]): Promise<void> {
  const seconds = await secondsFull(transaction, counters);
  counters.forEach(({ limit }, index) => {
    const left = seconds[index];
    if (left !== undefined) throw tooMany(limit, left);
  });
}

/** For how many seconds each of several counters is still full; undefined where one is not. In one statement. */
export async function secondsFull(
  transaction: Transaction,
  counters: readonly AttemptCounter[],
): Promise<readonly (number | undefined)[]> {
  const { rows } = await selectAttempts(transaction, counters);
  const found = new Map(rows.map((row) => [row.position, row]));
  return counters.map(({ limit }, index) => {
    const row = found.get(index + 1);
    return row !== undefined && row.count >= limit.attempts ? row.secondsLeft : undefined;
  });
}

/** Counts an attempt that has been made already: this one is not refused, the next one is. */
export async function noteAttempt(
  transaction: Transaction,
  subject: AttemptSubject,
  limit: AttemptLimit,
): Promise<void> {
  await upsertAttempt(transaction, subject, limit);
}

/** Whether at least so many subjects of a payee have failed in their windows. */
export async function haveFailed(
  transaction: Transaction,
  payeeId: AttemptSubject['payeeId'],
  { kind, least }: { readonly kind: string; readonly least: number },
): Promise<boolean> {
  const { rows } = await selectSubjects(transaction, payeeId, { kind, most: least });
  return rows[0]?.subjects === least;
}

/** Counts attempts in a batch. None is refused. */
export function noteAttempts(subjects: readonly AttemptSubject[], noted: NotedAttempts, now: string): GuardedCall {
  return upsertAttempts(subjects, noted, now);
}

function tooMany({ refusal }: AttemptLimit, secondsLeft: number): Refusal {
  return new Refusal('toomanyrequests', refusal, { retryAfterSeconds: secondsLeft });
}
