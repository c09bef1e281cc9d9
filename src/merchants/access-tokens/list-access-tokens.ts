import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AccessToken } from '../merchants.types.ts';
import { selectAccessTokens } from './access-tokens.store.ts';

/** The long-lived access tokens of a payee, newest first, revoked and expired ones too. Without their secrets. */
export async function listAccessTokens(transaction: Transaction, payeeId: PayeeId): Promise<readonly AccessToken[]> {
  const { rows } = await selectAccessTokens(transaction, payeeId);
  return rows;
}
