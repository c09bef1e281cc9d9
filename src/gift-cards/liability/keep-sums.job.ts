import type { Read, Transact } from '../../db/transaction.types.ts';
import type { Background, WorkOn } from '../../kit/work/background.ts';
import { repeatSteps } from '../../kit/work/steps.ts';
import { keepSums } from './keep-sums.ts';
import { selectUnclosed } from './sums.store.ts';

/** What the job needs. */
export interface SumsContext {
  readonly background: Background;
  readonly workOn: WorkOn;
  readonly read: Read;
  readonly transact: Transact;
}

/**
 * Starts keeping the sums of what payees owe on stored value, day by day.
 *
 * @returns stops it, and waits for the round under way
 */
export function startKeepingSums({ background, workOn, read, transact }: SumsContext): () => Promise<void> {
  return repeatSteps(background, workOn, {
    work: 'sum-gift-cards',
    find: (after, limit) => selectUnclosed(read, after, limit),
    step: (payeeId) => transact((transaction) => keepSums(transaction, payeeId)),
  });
}
