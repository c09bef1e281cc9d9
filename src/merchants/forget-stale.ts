import type { Transaction } from '../db/transaction.types.ts';
import { EXPIRED_TOKEN_DAYS, FORGET_ROWS } from '../kit/limits.ts';
import { deleteExpiredTokens } from './access-tokens.store.ts';
import { deleteOldAttempts } from './attempts.store.ts';

/** How many rows a round of forgetting deleted. */
export interface Forgotten {
  readonly accessTokens: number;
  readonly attempts: number;
  /** There may be more to delete. */
  readonly more: boolean;
}

/**
 * Deletes what only takes up room: tokens of OAuth clients that expired a while ago, and counters whose window is over.
 * A bounded number at a time; several instances may do it at once and then share the work.
 */
export async function forgetStale(transaction: Transaction): Promise<Forgotten> {
  const accessTokens = await deleteExpiredTokens(transaction, { days: EXPIRED_TOKEN_DAYS, limit: FORGET_ROWS });
  const attempts = await deleteOldAttempts(transaction, FORGET_ROWS);
  return { accessTokens, attempts, more: accessTokens === FORGET_ROWS || attempts === FORGET_ROWS };
}
