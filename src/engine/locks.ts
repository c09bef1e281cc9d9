import type { Transaction } from '../db/transaction.types.ts';
import type { Lock, LockKey, LockName } from '../ledger/locks.types.ts';
import { lockCards, lockHeaders } from './locks.store.ts';

const HEADER = 'header';
const CARD = 'card';

/** The lock of an order, or of a card payment of none, by its id: of all below it too. */
export const lockOfHeader = (id: string): LockName => ({ lock: HEADER, id });

/** The lock of a card, by its digest: it is charged by its payee one at a time, so that none sees fewer charges than there are. */
export const lockOfCard = (digest: Buffer): LockName => ({ lock: CARD, id: digest.toString('hex') });

/** Locks beside accounts, in the order in which every transaction takes them. */
export const LOCKS: readonly Lock[] = [
  { name: HEADER, take: lockHeaders },
  { name: CARD, take: lockCards },
];

/** Waits for orders and card payments in a transaction beside the batches, and locks them: behind the accounts that it locks. */
export async function waitForHeaders(transaction: Transaction, keys: readonly LockKey[]): Promise<void> {
  const { statement, values } = lockHeaders(keys, true);
  await transaction.run(statement, values);
}
