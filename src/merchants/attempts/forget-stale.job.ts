import { FORGET_INTERVAL_MS } from '../../kit/limits.ts';
import type { BackgroundContext } from '../merchants.types.ts';
import { forgetStale } from './forget-stale.ts';

/**
 * Starts deleting what is stale, once a minute, as long as it takes.
 *
 * @returns stops it, and waits for the round under way
 */
export function startForgettingStale(
  { background, transact }: BackgroundContext,
  intervalMs = FORGET_INTERVAL_MS,
): () => Promise<void> {
  return background.repeat('forget-stale', intervalMs, async (isStopped) => {
    let more = true;
    while (more && !isStopped()) ({ more } = await transact(forgetStale));
  });
}
