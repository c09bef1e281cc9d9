import { DELIVERY_FORGET_INTERVAL_MS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import type { EventJobsWorld } from './events.types.ts';
import { forgetDeliveries } from './forget-deliveries.ts';

/**
 * Starts deleting deliveries that are older than their log is kept. A round that fails is logged; the next one comes.
 *
 * @returns stops it, and waits for the round under way
 */
export function startForgettingDeliveries(
  world: Pick<EventJobsWorld, 'transact' | 'failed'>,
  intervalMs = DELIVERY_FORGET_INTERVAL_MS,
): () => Promise<void> {
  return startRounds(intervalMs, async (isStopped) => {
    try {
      let more = true;
      while (more && !isStopped()) more = await world.transact(forgetDeliveries);
    } catch (error) {
      world.failed('Old deliveries could not be deleted.', error);
    }
  });
}
