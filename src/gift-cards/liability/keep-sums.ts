import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { keepClosing, type Summing } from '../../ledger/closings/keep-closing.ts';
import { closeSums, fillSums, giftCardClosings, noteFilled } from './sums.store.ts';
import type { GiftCardClosing } from './sums.types.ts';

const SUMMING: Summing<GiftCardClosing> = {
  closings: giftCardClosings,
  async fill(transaction, closing, portion) {
    const filled = await fillSums(transaction, closing, portion);
    if (filled.entries < portion) return true;
    await noteFilled(transaction, closing, filled);
    return false;
  },
  close: closeSums,
};

/**
 * Takes the sums of what a payee owes on stored value one step further.
 *
 * @returns whether there may be more to do at once
 */
export function keepSums(transaction: Transaction, payeeId: PayeeId, portion?: number): Promise<boolean> {
  return keepClosing(transaction, SUMMING, payeeId, portion);
}
