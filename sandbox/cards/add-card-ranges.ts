import type { Transaction } from '../../src/db/transaction.types.ts';
import { insertCardRanges } from '../../src/vault/card-ranges.store.ts';
import { SANDBOX_CARD_RANGES } from './card-ranges.rules.ts';

/**
 * Adds the ranges of the test cards. Only for the sandbox, at each start: what is there stays, so twice is as once.
 *
 * @returns how many were added
 */
export async function addSandboxCardRanges(transaction: Transaction): Promise<number> {
  return (await insertCardRanges(transaction, 'sandbox', SANDBOX_CARD_RANGES)).size;
}
