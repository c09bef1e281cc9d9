import type { Transaction } from '../db/transaction.types.ts';
import { DUE_ATTEMPTS } from '../kit/limits.ts';
import { confirmReversal, takeDueAttempts } from './attempts.store.ts';
import type { Attempt, DueAttempt } from './issuers.types.ts';

/** Attempts that have to be given up or reversed now; no other instance takes them for a while. */
export function takeDue(transaction: Transaction): Promise<readonly DueAttempt[]> {
  return takeDueAttempts(transaction, DUE_ATTEMPTS);
}

/** Notes that an issuer has confirmed a reversal. Twice is as once. */
export async function noteReversed(
  transaction: Transaction,
  attempt: Pick<Attempt, 'payeeId' | 'attemptId'>,
): Promise<void> {
  await confirmReversal(transaction, attempt);
}
