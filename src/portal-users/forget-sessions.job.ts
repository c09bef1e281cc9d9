import type { Transact } from '../db/transaction.types.ts';
import { FORGET_INTERVAL_MS, FORGET_ROWS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import { forgetSessions } from './forget-sessions.ts';

/** What the job needs. */
export interface ForgettingWorld {
  readonly transact: Transact;
  /** Logs a failure that nobody waits for. */
  readonly failed: (what: string, error: unknown) => void;
}

/**
 * Starts deleting portal sessions that are over, once a minute. A round that fails is logged; the next one comes.
 *
 * @returns stops it, and waits for the round under way
 */
export function startForgettingSessions(world: ForgettingWorld, intervalMs = FORGET_INTERVAL_MS): () => Promise<void> {
  return startRounds(intervalMs, async (isStopped) => {
    try {
      while (!isStopped() && (await world.transact(forgetSessions)) === FORGET_ROWS);
    } catch (error) {
      world.failed('Portal sessions that are over could not be deleted.', error);
    }
  });
}
