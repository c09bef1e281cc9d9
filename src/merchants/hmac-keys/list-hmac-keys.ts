import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { HmacKey } from '../merchants.types.ts';
import { selectHmacKeys } from './hmac-keys.store.ts';

/** The HMAC keys of a payee, newest first, revoked and expired ones too. Without their secrets. */
export async function listHmacKeys(transaction: Transaction, payeeId: PayeeId): Promise<readonly HmacKey[]> {
  const { rows } = await selectHmacKeys(transaction, payeeId);
  return rows;
}
