import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { Refusal } from '../kit/errors.ts';
import { selectAttempt, upsertAttempt } from './attempts.store.ts';
import type { AttemptLimit, AttemptSubject } from './merchants.types.ts';

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
 * Refuses a subject that has no attempts left. Asked before a credential is judged, else the limit would not keep
 * anybody from guessing on.
 *
 * @throws Refusal `toomanyrequests`
 */
export async function checkAttempts(
  transaction: Transaction,
  subject: AttemptSubject,
  limit: AttemptLimit,
): Promise<void> {
  const { rows } = await selectAttempt(transaction, subject, limit);
  const [counted] = rows;
  if (counted !== undefined && counted.count >= limit.attempts) throw tooMany(limit, counted.secondsLeft);
}

function tooMany({ refusal }: AttemptLimit, secondsLeft: number): Refusal {
  return new Refusal('toomanyrequests', refusal, { retryAfterSeconds: secondsLeft });
}
