import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { ACCOUNTS_LISTED } from '../../kit/limits.ts';
import { selectAccounts } from './accounts.store.ts';
import type { AccountLine } from './ledger-reads.types.ts';

/** A payee's accounts of all kinds, the newest first, as many as a list has. */
export function listAccounts(transaction: Transaction, payeeId: PayeeId): Promise<Rows<AccountLine>> {
  return selectAccounts(transaction, payeeId, ACCOUNTS_LISTED);
}
