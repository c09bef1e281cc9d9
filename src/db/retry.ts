import { setTimeout as pause } from 'node:timers/promises';
import { isStale } from './server/failures.ts';

export interface RetryOptions {
  /** Times after the first. */
  readonly retries: number;
  /** No pause is longer, in milliseconds. */
  readonly pauseCapMs: number;
  /** Whether this failure may be gone the next time. */
  readonly isWorthRepeating: (error: unknown) => boolean;
}

/**
 * A migration has changed tables under the prepared statements of each connection. They are replaced one after the other: more
 * times than any pool has connections.
 */
export const AFTER_STALE: RetryOptions = { retries: 10, pauseCapMs: 0, isWorthRepeating: isStale };

/** Does the work, and again where it fails for a passing reason. The last failure is thrown as it is. */
export async function retrying<Result>(options: RetryOptions, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt > options.retries || !options.isWorthRepeating(error)) throw error;
      await pause(jitterMs(attempt, options.pauseCapMs));
    }
  }
}

/**
 * A random pause, so that those who collided do not collide again: up to 10 ms before the first retry, twice as much
 * before each further one, and never more than the cap.
 */
function jitterMs(attempt: number, capMs: number): number {
  return Math.random() * Math.min(capMs, 10 * 2 ** (attempt - 1));
}
