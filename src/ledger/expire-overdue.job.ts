import { EXPIRY_INTERVAL_MS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import { expireOverdue } from './expire-overdue.ts';
import type { ExpiryWorld } from './ledger-reads.types.ts';

/**
 * Starts looking after holds whose time is over, every few seconds. A round that fails is logged; the next one comes.
 *
 * @returns stops it, and waits for the round under way
 */
export function startExpiringHolds(world: ExpiryWorld, intervalMs = EXPIRY_INTERVAL_MS): () => Promise<void> {
  return startRounds(intervalMs, async (isStopped) => {
    try {
      let more = true;
      while (more && !isStopped()) more = await expireOverdue(world);
    } catch (error) {
      world.failed('Holds whose time is over could not be released.', error);
    }
  });
}
