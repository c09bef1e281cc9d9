import type { Transaction } from '../../db/transaction.types.ts';
import { findNamedToken } from '../access-tokens/find-named-token.ts';
import { revokeAccessToken } from '../access-tokens/revoke-access-token.ts';
import type { MerchantsContext } from '../merchants.types.ts';
import type { OAuthError, OAuthRequest } from './oauth.types.ts';

/**
 * Revokes the access token that a client names (RFC 7009). A client may revoke every token of its payee: whoever holds
 * a token may end it. One that is unknown, foreign or no longer valid is nothing to do, and no error (section 2.2).
 *
 * @returns undefined where the token is not valid any more
 * @throws Refusal `toomanyrequests` where too many wrong credentials came from the network before
 */
export async function revokeByClient(
  transaction: Transaction,
  context: MerchantsContext,
  request: OAuthRequest,
): Promise<OAuthError | undefined> {
  const named = await findNamedToken(transaction, context, request);
  if ('error' in named) return named;
  const { clientId, token } = named;
  if (token === undefined) return undefined;
  const actor = { name: `oauth-client:${clientId}`, sessionId: request.sessionId };
  await revokeAccessToken(transaction, { payeeId: token.payeeId, accessTokenId: token.accessTokenId, actor });
  return undefined;
}
