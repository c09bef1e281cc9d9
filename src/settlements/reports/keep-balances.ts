import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { keepClosing, type Summing } from '../../ledger/closings/keep-closing.ts';
import { balanceClosings, closeBalances, fillBalances, noteFilled } from './balance-sums.store.ts';
import type { BalanceClosing } from './balance-sums.types.ts';

const SUMMING: Summing<BalanceClosing> = {
  closings: balanceClosings,
  async fill(transaction, closing, portion) {
    const last = await fillBalances(transaction, closing, portion);
    if (last === undefined) return true;
    await noteFilled(transaction, closing, last);
    return false;
  },
  close: closeBalances,
};

/**
 * Takes the sums that a payee's trial balances are made of one step further.
 *
 * @returns whether there may be more to do at once
 */
export function keepBalances(transaction: Transaction, payeeId: PayeeId, portion?: number): Promise<boolean> {
  return keepClosing(transaction, SUMMING, payeeId, portion);
}
