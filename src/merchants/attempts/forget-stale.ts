import type { Transaction } from '../../db/transaction.types.ts';
import { FORGET_ROWS } from '../../kit/limits.ts';
import { deleteExpiredTokens } from '../access-tokens/access-tokens.store.ts';
import { deleteExpiredKeys } from '../hmac-keys/hmac-keys.store.ts';
import { deleteOldAttempts } from './attempts.store.ts';

/** Days that a token of an OAuth client is kept after it expired, so that a question about yesterday has an answer. */
const EXPIRED_TOKEN_DAYS = 1;

/** How many rows a round of forgetting deleted. */
export interface Forgotten {
  readonly accessTokens: number;
  readonly hmacKeys: number;
  readonly attempts: number;
  /** There may be more to delete. */
  readonly more: boolean;
}

/**
 * Deletes what only takes up room: tokens of OAuth clients and what the portal calls the API with, once they expired a while ago, and counters whose window is over.
 * A bounded number at a time; several instances may do it at once and then share the work.
 */
export async function forgetStale(transaction: Transaction): Promise<Forgotten> {
  const expired = { days: EXPIRED_TOKEN_DAYS, limit: FORGET_ROWS };
  const accessTokens = await deleteExpiredTokens(transaction, expired);
  const hmacKeys = await deleteExpiredKeys(transaction, expired);
  const attempts = await deleteOldAttempts(transaction, FORGET_ROWS);
  const more = [accessTokens, hmacKeys, attempts].includes(FORGET_ROWS);
  return { accessTokens, hmacKeys, attempts, more };
}
