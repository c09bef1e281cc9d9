import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { OAuthClient } from '../merchants.types.ts';
import { selectOAuthClients } from './oauth-clients.store.ts';

/** The OAuth clients of a payee, newest first, revoked ones too. Without their secrets. */
export async function listOAuthClients(transaction: Transaction, payeeId: PayeeId): Promise<readonly OAuthClient[]> {
  const { rows } = await selectOAuthClients(transaction, payeeId);
  return rows;
}
