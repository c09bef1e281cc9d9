import type { Transaction } from '../db/transaction.types.ts';
import { deletePending } from './journal.store.ts';
import type { EventKey } from './journal.types.ts';

/**
 * Takes events out of the outbox, in the transaction that gives them their place in the feed.
 *
 * @returns how many of them were in it
 */
export function takeOutEvents(transaction: Transaction, events: readonly EventKey[]): Promise<number> {
  return deletePending(transaction, events);
}
