import type { Read, Transaction } from '../db/transaction.types.ts';
import { timedWriter } from '../kit/row-writes.ts';
import {
  confirmReversal,
  insertAttempts,
  postponeAttempt,
  selectAhead,
  selectOldestAttempt,
  selectOpenAttempts,
  type Taking,
  takeDueAttempts,
  updateAttempts,
} from './attempts.store.ts';
import {
  type Ahead,
  ATTEMPT_OUTCOME,
  type Attempt,
  type DueAttempt,
  NEW_ATTEMPT,
  type OpenAttempts,
} from './issuers.types.ts';

/** Attempts that the job for unfinished attempts takes at once. */
export const DUE_ATTEMPTS = 50;

/** What writes attempts in a batch. */
export const ATTEMPT_WRITERS = [timedWriter(NEW_ATTEMPT, insertAttempts), timedWriter(ATTEMPT_OUTCOME, updateAttempts)];

/** Attempts that have to be given up, told again or reversed now; no other instance takes them meanwhile. */
export function takeDue(
  transaction: Transaction,
  { but = [], away = [] }: Partial<Omit<Taking, 'most'>> = {},
): Promise<readonly DueAttempt[]> {
  return takeDueAttempts(transaction, { most: DUE_ATTEMPTS, but, away });
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

/** What the acquirer has to be told first of the payment that an attempt is about. */
export async function aheadOf(read: Read, attempt: Pick<Attempt, 'payeeId' | 'attemptId'>): Promise<Ahead> {
  const { rows } = await selectAhead(read, attempt);
  return rows[0] ?? { isTakingBack: false, isForwarding: false, isCaptureKept: false };
}

/** How long the oldest attempt has been open, in seconds; 0 where none is. */
export async function measureAttempts(read: Read): Promise<number> {
  const { rows } = await selectOldestAttempt(read);
  return rows[0]?.seconds ?? 0;
}
