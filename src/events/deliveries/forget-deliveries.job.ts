import { DELIVERY_FORGET_INTERVAL_MS } from '../../kit/limits.ts';
import type { EventJobsContext } from '../events.types.ts';
import { forgetDeliveries } from './forget-deliveries.ts';

/**
 * Starts deleting deliveries that are older than their log is kept.
 *
 * @returns stops it, and waits for the round under way
 */
export function startForgettingDeliveries(
  { background, transact }: Pick<EventJobsContext, 'transact' | 'background'>,
  intervalMs = DELIVERY_FORGET_INTERVAL_MS,
): () => Promise<void> {
  return background.repeat('forget-deliveries', intervalMs, async (isStopped) => {
    let more = true;
    while (more && !isStopped()) more = await transact(forgetDeliveries);
  });
}
