import type { Transaction } from '../db/transaction.types.ts';
import { forgetOfPayments, forgetOfTransactions, type Portion } from './circumstances.store.ts';

/** Takes from some account payments that ended so long ago the payers' addresses and User-Agents; whether there may be more. */
export async function endCircumstancesOfAccounts(transaction: Transaction, portion: Portion): Promise<boolean> {
  const payments = await forgetOfPayments(transaction, portion);
  const transactions = await forgetOfTransactions(transaction, portion);
  return payments === portion.limit || transactions === portion.limit;
}
