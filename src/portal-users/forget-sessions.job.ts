import type { Transact } from '../db/transaction.types.ts';
import type { Background } from '../kit/background.ts';
import { FORGET_INTERVAL_MS, FORGET_ROWS } from '../kit/limits.ts';
import { forgetSessions } from './forget-sessions.ts';

/** What the job needs. */
export interface ForgettingWorld {
  readonly transact: Transact;
  readonly background: Background;
}

/**
 * Starts deleting portal sessions that are over, once a minute.
 *
 * @returns stops it, and waits for the round under way
 */
export function startForgettingSessions(
  { background, transact }: ForgettingWorld,
  intervalMs = FORGET_INTERVAL_MS,
): () => Promise<void> {
  return background.repeat('forget-portal-sessions', intervalMs, async (isStopped) => {
    while (!isStopped() && (await transact(forgetSessions)) === FORGET_ROWS);
  });
}
