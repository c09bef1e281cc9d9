import type { Transaction } from '../../db/transaction.types.ts';
import type { Payee } from '../merchants.types.ts';
import { selectPayees } from './payees.store.ts';

/** Every payee but the operator, oldest first. */
export async function listPayees(transaction: Transaction): Promise<readonly Payee[]> {
  const { rows } = await selectPayees(transaction, null);
  return rows;
}
