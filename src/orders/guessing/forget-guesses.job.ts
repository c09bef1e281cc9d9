import { type ForgettingContext, startForgetting } from '../../db/forgetting.ts';
import { FORGET_ROWS } from '../../kit/limits.ts';
import { deleteOldCounters } from './guesses.store.ts';

/**
 * Starts deleting counters of entries that say nothing any more.
 *
 * @returns stops it, and waits for the round under way
 */
export function startForgettingGuesses(context: ForgettingContext): () => Promise<void> {
  return startForgetting(context, {
    work: 'forget-guesses',
    forget: async (transaction) => (await deleteOldCounters(transaction, FORGET_ROWS)) === FORGET_ROWS,
  });
}
