import type { Transaction } from '../../db/transaction.types.ts';
import { renewVerdicts } from '../../engine/card-history/card-history.ts';
import type { Renewal } from '../../engine/card-history/card-history.types.ts';
import { renewTries } from './counted-tries.store.ts';

/** Brings a card's tries, and what issuers have said of it, under the key of now. It does nothing while there is one key. */
export async function renewHistory(transaction: Transaction, renewal: Renewal): Promise<void> {
  if (renewal.earlier.length === 0) return;
  await Promise.all([renewTries(transaction, renewal), renewVerdicts(transaction, renewal)]);
}
