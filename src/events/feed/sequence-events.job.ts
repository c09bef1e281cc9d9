import type { JobContext } from '../../db/job-context.types.ts';
import { findWaiting, sequenceEvents } from './sequence-events.ts';

/** Milliseconds between two rounds of the sequencer: what a follower of the feed waits longer at most. */
const SEQUENCER_INTERVAL_MS = 200;
/** Milliseconds that a round of it waits for a moment without requests. */
const SEQUENCER_PATIENCE_MS = 50;

/**
 * Starts giving events their positions, on every instance; the database lets one at a time do it. A payee whose events
 * cannot be given theirs keeps no other waiting.
 *
 * @returns stops it, and waits for the round under way
 */
export function startSequencing(
  { background, workOn, read, transact, quiet }: JobContext,
  intervalMs = SEQUENCER_INTERVAL_MS,
): () => Promise<void> {
  return background.repeat('sequence-events', intervalMs, async (isStopped) => {
    await quiet(SEQUENCER_PATIENCE_MS);
    await workOn('sequence-events', await findWaiting(read), async (feeds) => {
      const payeeIds = feeds.map(({ payeeId }) => payeeId);
      let more = true;
      while (more && !isStopped()) more = await transact((transaction) => sequenceEvents(transaction, { payeeIds }));
    });
  });
}
