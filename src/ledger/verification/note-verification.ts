import type { Read, Transaction } from '../../db/transaction.types.ts';
import { OPERATOR } from '../../kit/ids.ts';
import type { LastVerification, Verification } from './health.types.ts';
import { selectVerification, upsertVerification } from './verification.store.ts';

/** Keeps the result of a verification for the instances to show. One of an earlier instant that comes late changes nothing. */
export function noteVerification(transaction: Transaction, verification: Verification): Promise<void> {
  return upsertVerification(transaction, OPERATOR, verification);
}

/** The result of the last verification; undefined where there was none. */
export async function lastVerification(read: Read): Promise<LastVerification | undefined> {
  const { rows } = await selectVerification(read, OPERATOR);
  return rows[0];
}
