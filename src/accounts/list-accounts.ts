import type { Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import { listAccounts } from '../ledger/list-accounts.ts';

/** A payee's accounts as requests name them: gift cards and cards of issuers elsewhere among them, the newest first. */
export async function listPaymentAccounts(transaction: Transaction, payeeId: PayeeId) {
  const { rows } = await listAccounts(transaction, payeeId);
  return rows.map(({ accountId, ...account }) => ({ paymentAccountId: accountId, ...account }));
}
