import type { JobContext } from '../../db/job-context.types.ts';
import { repeatSteps } from '../../kit/work/steps.ts';
import { keepSums } from './keep-sums.ts';
import { selectUnclosed } from './sums.store.ts';

/**
 * Starts keeping the sums of what payees owe on stored value, day by day.
 *
 * @returns stops it, and waits for the round under way
 */
export function startKeepingSums({ background, workOn, read, transact }: JobContext): () => Promise<void> {
  return repeatSteps(background, workOn, {
    work: 'sum-gift-cards',
    find: (after, limit) => selectUnclosed(read, after, limit),
    step: (payeeId) => transact((transaction) => keepSums(transaction, payeeId)),
  });
}
