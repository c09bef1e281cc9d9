import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AccessToken, MerchantsContext } from '../merchants.types.ts';
import { readAccessToken } from './access-tokens.rules.ts';
import { selectValidToken } from './access-tokens.store.ts';

/** The access token of this text, if it is valid now and belongs to this payee; a foreign one is like an unknown one. */
export async function findOwnToken(
  transaction: Transaction,
  context: Pick<MerchantsContext, 'mode'>,
  payeeId: PayeeId,
  text: string,
): Promise<AccessToken | undefined> {
  const form = readAccessToken(context.mode, text);
  if (form?.payeeId !== payeeId) return undefined;
  const { rows } = await selectValidToken(transaction, form);
  return rows[0];
}
