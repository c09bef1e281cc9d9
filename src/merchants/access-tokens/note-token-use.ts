import type { Transaction } from '../../db/transaction.types.ts';
import type { AccessTokenKey } from '../merchants.types.ts';
import { updateLastUsed } from './access-tokens.store.ts';

/**
 * Notes that these tokens were used today: at most one write for each token and day, however many instances see it.
 *
 * @returns how many of them were not noted yet
 */
export function noteTokenUse(transaction: Transaction, tokens: readonly AccessTokenKey[]): Promise<number> {
  return updateLastUsed(transaction, tokens);
}
