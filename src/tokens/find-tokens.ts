import type { Find, GroupStatement } from '../db/transaction.types.ts';
import { READ_TOKENS } from './tokens.store.ts';
import type { StoredToken, TokenKey } from './tokens.types.ts';

/** Makes the look-up of single tokens: what is asked for in one tick becomes one statement. */
export function findTokens(
  makeFind: (statement: GroupStatement<TokenKey>) => Find<TokenKey, StoredToken>,
): Find<TokenKey, StoredToken> {
  return makeFind(READ_TOKENS);
}
