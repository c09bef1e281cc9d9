import type { Transaction } from '../db/transaction.types.ts';
import { selectPrefixesLike } from './card-ranges.store.ts';

/**
 * The prefixes of card ranges that begin like this one, or that this one begins like; a few are enough to know of. Those
 * of the sandbox do not count: they are the schemes' or our own.
 */
export async function findPrefixesLike(transaction: Transaction, prefix: string): Promise<readonly string[]> {
  const { rows } = await selectPrefixesLike(transaction, prefix);
  return rows.map((row) => row.prefix);
}
