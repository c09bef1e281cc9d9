import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { selectPayee } from './payees.store.ts';

/** Whether there is such a payee. */
export async function payeeExists(transaction: Transaction, payeeId: PayeeId): Promise<boolean> {
  const { count } = await selectPayee(transaction, payeeId);
  return count === 1;
}
