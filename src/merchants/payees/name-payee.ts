import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { selectPayee } from './payees.store.ts';

/** The name of a payee that is there, for people. */
export async function namePayee(transaction: Transaction, payeeId: PayeeId): Promise<string> {
  const { rows } = await selectPayee(transaction, payeeId);
  const [payee] = rows;
  assert(payee, 'the payee of a credential is there');
  return payee.name;
}
