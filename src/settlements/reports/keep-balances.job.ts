import type { Read, Transact } from '../../db/transaction.types.ts';
import type { Background, WorkOn } from '../../kit/work/background.ts';
import { repeatSteps } from '../../kit/work/steps.ts';
import { selectUnclosed } from './balance-sums.store.ts';
import { keepBalances } from './keep-balances.ts';

/** What the job needs. */
export interface BalancesContext {
  readonly background: Background;
  readonly workOn: WorkOn;
  readonly read: Read;
  readonly transact: Transact;
}

/**
 * Starts keeping the sums that trial balances are made of.
 *
 * @returns stops it, and waits for the round under way
 */
export function startKeepingBalances({ background, workOn, read, transact }: BalancesContext): () => Promise<void> {
  return repeatSteps(background, workOn, {
    work: 'sum-trial-balances',
    find: (after, limit) => selectUnclosed(read, after, limit),
    step: (payeeId) => transact((transaction) => keepBalances(transaction, payeeId)),
  });
}
