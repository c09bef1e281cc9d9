import { FORGET_INTERVAL_MS } from '../kit/limits.ts';
import type { BackgroundWork } from '../kit/work/background.ts';
import type { JobContext } from './job-context.types.ts';
import type { Transaction } from './transaction.types.ts';

/** Rows that only take up room: which work deletes them, some at a time, and how often it looks. */
export interface Forgetting {
  readonly work: BackgroundWork;
  /** Deletes some, and answers whether there may be more. */
  readonly forget: (transaction: Transaction) => Promise<boolean>;
  /** Once a minute where it is left out. */
  readonly intervalMs?: number | undefined;
}

/**
 * Starts deleting rows that only take up room, as long as it takes each time.
 *
 * @returns stops it, and waits for the round under way
 */
export function startForgetting(
  { background, transact }: JobContext,
  { work, forget, intervalMs = FORGET_INTERVAL_MS }: Forgetting,
): () => Promise<void> {
  return background.repeat(work, intervalMs, async (isStopped) => {
    let more = true;
    while (more && !isStopped()) more = await transact(forget);
  });
}
