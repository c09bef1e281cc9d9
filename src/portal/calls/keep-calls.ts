import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { addSkipped, deleteOldCalls, deleteOldGaps, insertCalls } from './calls.store.ts';
import type { MaskedCall, SkippedCalls } from './calls.types.ts';

/** Calls that are kept of one payee: some hundred megabytes. The oldest go first. */
const LOGGED_CALLS_OF_PAYEE = 100_000;

/** Writes masked calls, and how many were left out. */
export async function keepCalls(
  transaction: Transaction,
  { calls, skipped }: { readonly calls: readonly MaskedCall[]; readonly skipped: readonly SkippedCalls[] },
): Promise<void> {
  if (calls.length > 0) assert((await insertCalls(transaction, calls)) === calls.length, 'each call is written');
  if (skipped.length > 0) await addSkipped(transaction, skipped);
}

/** Deletes some calls of a payee that are too old or too many; whether there were any. */
export async function forgetCalls(transaction: Transaction, payeeId: string, hours: number): Promise<boolean> {
  return (await deleteOldCalls(transaction, payeeId, { hours, most: LOGGED_CALLS_OF_PAYEE })) > 0;
}

/** Deletes what is no longer told of calls that were left out. */
export function forgetGaps(transaction: Transaction): Promise<void> {
  return deleteOldGaps(transaction);
}
