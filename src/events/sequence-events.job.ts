import { SEQUENCER_INTERVAL_MS, SEQUENCER_PATIENCE_MS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import type { EventJobsWorld } from './events.types.ts';
import { sequenceEvents } from './sequence-events.ts';

/**
 * Starts giving events their positions, on every instance; the database lets one at a time do it. A round that fails is
 * logged; the next one comes.
 *
 * @returns stops it, and waits for the round under way
 */
export function startSequencing(
  world: Pick<EventJobsWorld, 'transact' | 'failed' | 'quiet'>,
  intervalMs = SEQUENCER_INTERVAL_MS,
): () => Promise<void> {
  return startRounds(intervalMs, async (isStopped) => {
    try {
      let more = true;
      await world.quiet(SEQUENCER_PATIENCE_MS);
      while (more && !isStopped()) more = await world.transact((transaction) => sequenceEvents(transaction));
    } catch (error) {
      world.failed('Events could not be given their positions.', error);
    }
  });
}
