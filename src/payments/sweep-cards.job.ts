import type { Transact } from '../db/transaction.types.ts';
import { SEALED_CARDS_INTERVAL_MS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import { sweepCards } from './sweep-cards.ts';

/** What the job needs. */
export interface SweepingWorld {
  readonly transact: Transact;
  /** Logs a failure that nobody waits for. */
  readonly failed: (what: string, error: unknown) => void;
}

/**
 * Starts destroying cards that were sealed for payments and that nobody needs any more, once a minute, as long as it takes.
 *
 * @returns stops it, and waits for the round under way
 */
export function startSweepingCards(
  { transact, failed }: SweepingWorld,
  intervalMs = SEALED_CARDS_INTERVAL_MS,
): () => Promise<void> {
  return startRounds(intervalMs, async (isStopped) => {
    try {
      let looked = 1;
      while (looked > 0 && !isStopped()) looked = await transact((transaction) => sweepCards(transaction));
    } catch (error) {
      failed('Sealed cards that nobody needs could not be destroyed; it is tried again.', error);
    }
  });
}
