import { endCircumstancesOfAccounts } from '../../accounts/end-circumstances.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { FORGET_ROWS } from '../../kit/limits.ts';
import { endCircumstancesOfCards } from '../../payments/payers/end-payers.ts';
import { forgetOfOrders } from './circumstances.store.ts';

/**
 * Takes from some payments and orders that ended so many days ago the payers' addresses and User-Agents, and metadata of payees;
 * whether there may be more.
 *
 * @param days 0: none end
 */
export async function endSomeCircumstances(transaction: Transaction, days: number): Promise<boolean> {
  if (days === 0) return false;
  const portion = { days, limit: FORGET_ROWS };
  const ofAccounts = await endCircumstancesOfAccounts(transaction, portion);
  const ofCards = await endCircumstancesOfCards(transaction, portion);
  const ofOrders = (await forgetOfOrders(transaction, portion)) === FORGET_ROWS;
  return ofAccounts || ofCards || ofOrders;
}
