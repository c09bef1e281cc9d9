import type { Transaction } from '../db/transaction.types.ts';
import { insertCardRanges } from './card-ranges.store.ts';
import { ownCardRanges, SANDBOX_CARD_RANGES } from './sandbox-card-ranges.rules.ts';

/**
 * Adds the ranges of the test cards. Only for the sandbox, at each start: what is there stays, so twice is as once.
 *
 * @returns how many were added
 */
export async function addSandboxCardRanges(transaction: Transaction): Promise<number> {
  return (await insertCardRanges(transaction, 'sandbox', SANDBOX_CARD_RANGES)).size;
}

/**
 * Makes test cards of the installation's own: adds their first six digits to the sandbox's ranges. What is there stays,
 * so twice is as once.
 *
 * @param prefixes first digits of their numbers, 4 or more each
 */
export async function addOwnCardRanges(transaction: Transaction, prefixes: readonly string[]): Promise<void> {
  await insertCardRanges(transaction, 'sandbox', ownCardRanges(prefixes));
}
