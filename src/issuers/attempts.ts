import type { GuardedCall } from '../db/batch/batch.types.ts';
import type { Read, Transaction } from '../db/transaction.types.ts';
import {
  confirmReversal,
  insertAttempts,
  postponeAttempt,
  selectIsTakingBack,
  selectOldestAttempt,
  selectOpenAttempts,
  takeDueAttempts,
  updateAttempts,
} from './attempts.store.ts';
import type { Attempt, AttemptChange, DueAttempt, OpenAttempts } from './issuers.types.ts';

/** Attempts that the job for unfinished attempts takes at once. */
export const DUE_ATTEMPTS = 50;

/** The statements that write the changes of a batch, for a command kind's `save`. */
export function recordAttempts(changes: readonly AttemptChange[], now: string): readonly GuardedCall[] {
  const attempts = changes.flatMap((change) => (change.kind === 'New' ? [change.attempt] : []));
  const outcomes = changes.flatMap((change) => (change.kind === 'Outcome' ? [change.outcome] : []));
  return [
    ...(attempts.length > 0 ? [insertAttempts(attempts, now)] : []),
    ...(outcomes.length > 0 ? [updateAttempts(outcomes, now)] : []),
  ];
}

/**
 * Attempts that have to be given up or reversed now; no other instance takes them meanwhile.
 *
 * @param but issuers of which none is taken
 */
export function takeDue(transaction: Transaction, but: readonly string[] = []): Promise<readonly DueAttempt[]> {
  return takeDueAttempts(transaction, { most: DUE_ATTEMPTS, but });
}

/** Notes that a try at an attempt came to nothing: the next one comes later. */
export async function noteVainTry(transaction: Transaction, attempt: DueAttempt): Promise<void> {
  await postponeAttempt(transaction, attempt);
}

/** Notes that an issuer has confirmed a reversal. Twice is as once. */
export async function noteReversed(
  transaction: Transaction,
  attempt: Pick<Attempt, 'payeeId' | 'attemptId'>,
): Promise<void> {
  await confirmReversal(transaction, attempt);
}

/** What each issuer has not acknowledged yet. */
export async function measureOpenAttempts(read: Read): Promise<readonly OpenAttempts[]> {
  return (await selectOpenAttempts(read)).rows;
}

/** Whether something that was asked for of the payment of an attempt is being taken back. */
export async function isTakingBack(read: Read, attempt: Pick<Attempt, 'payeeId' | 'attemptId'>): Promise<boolean> {
  const { rows } = await selectIsTakingBack(read, attempt);
  return rows[0]?.isTakingBack === true;
}

/** How long the oldest attempt has been open, in seconds; 0 where none is. */
export async function measureAttempts(read: Read): Promise<number> {
  const { rows } = await selectOldestAttempt(read);
  return rows[0]?.seconds ?? 0;
}
