import type { Transaction } from '../db/transaction.types.ts';
import { DELIVERY_LOG_DAYS, FORGET_ROWS } from '../kit/limits.ts';
import { deleteOldDeliveries } from './deliveries.store.ts';
import { keepToIndexes } from './plans.store.ts';

/**
 * Deletes some deliveries that are older than 30 days, with their log; also those that nobody ever took. The events stay
 * in the feed.
 *
 * @returns whether there may be more
 */
export async function forgetDeliveries(transaction: Transaction): Promise<boolean> {
  await keepToIndexes(transaction);
  const deleted = await deleteOldDeliveries(transaction, { days: DELIVERY_LOG_DAYS, limit: FORGET_ROWS });
  return deleted === FORGET_ROWS;
}
