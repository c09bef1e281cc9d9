import type { Transact } from '../../db/transaction.types.ts';
import type { Background } from '../../kit/work/background.ts';
import { BEFORE_ALL, forgetSomeUnused } from './forget-unused-payers.ts';

/** All payers are looked at each time, some in each transaction. */
const UNUSED_INTERVAL_MS = 3_600_000;

/**
 * Starts deleting payers whom nothing is stored of: no token, no payment, no order.
 *
 * @param days that they stay; 0: for ever
 * @returns stops it, and waits for the round under way
 */
export function startForgettingUnused(
  { background, transact }: { readonly background: Background; readonly transact: Transact },
  days: number,
): () => Promise<void> {
  return background.repeat('forget-unused-payers', UNUSED_INTERVAL_MS, async (isStopped) => {
    let last = days === 0 ? undefined : BEFORE_ALL;
    while (last !== undefined && !isStopped()) {
      const after = last;
      last = await transact((transaction) => forgetSomeUnused(transaction, after, days));
    }
  });
}
