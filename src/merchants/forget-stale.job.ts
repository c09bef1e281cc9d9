import { FORGET_INTERVAL_MS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import { forgetStale } from './forget-stale.ts';
import type { BackgroundWorld } from './merchants.types.ts';

/**
 * Starts deleting what is stale, once a minute, as long as it takes. A round that fails is logged; the next one comes.
 *
 * @returns stops it, and waits for the round under way
 */
export function startForgettingStale(world: BackgroundWorld, intervalMs = FORGET_INTERVAL_MS): () => Promise<void> {
  return startRounds(intervalMs, async (isStopped) => {
    try {
      let more = true;
      while (more && !isStopped()) ({ more } = await world.transact(forgetStale));
    } catch (error) {
      world.failed('Stale access tokens and counters could not be deleted.', error);
    }
  });
}
