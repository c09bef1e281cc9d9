import type { Transaction } from '../../db/transaction.types.ts';
import { DELIVERY_LOG_DAYS, FORGET_ROWS } from '../../kit/limits.ts';
import { deleteIdleReceivers } from './callbacks.store.ts';
import { deleteOldDeliveries } from './deliveries.store.ts';
import { keepToIndexes } from './plans.store.ts';

/**
 * Deletes some deliveries that are older than 30 days, with their log; also those that were never taken. The events
 * stay in the feed. Receivers of callbacks that have nothing left go too.
 *
 * @returns whether there may be more
 */
export async function forgetDeliveries(transaction: Transaction): Promise<boolean> {
  await keepToIndexes(transaction);
  const bounds = { days: DELIVERY_LOG_DAYS, limit: FORGET_ROWS };
  const deleted = await deleteOldDeliveries(transaction, bounds);
  await deleteIdleReceivers(transaction, bounds);
  return deleted === FORGET_ROWS;
}
