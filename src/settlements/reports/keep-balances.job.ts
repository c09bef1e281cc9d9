import type { JobContext } from '../../db/job-context.types.ts';
import { repeatSteps } from '../../kit/work/steps.ts';
import { selectUnclosed } from './balance-sums.store.ts';
import { keepBalances } from './keep-balances.ts';

/**
 * Starts keeping the sums that trial balances are made of.
 *
 * @returns stops it, and waits for the round under way
 */
export function startKeepingBalances({ background, workOn, read, transact }: JobContext): () => Promise<void> {
  return repeatSteps(background, workOn, {
    work: 'sum-trial-balances',
    find: (after, limit) => selectUnclosed(read, after, limit),
    step: (payeeId) => transact((transaction) => keepBalances(transaction, payeeId)),
  });
}
