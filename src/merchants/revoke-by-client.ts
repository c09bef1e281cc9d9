import type { Transaction } from '../db/transaction.types.ts';
import { authenticateClient } from './authenticate-client.ts';
import { findOwnToken } from './find-own-token.ts';
import type { MerchantsWorld } from './merchants.types.ts';
import { oauthError, readForm } from './oauth.rules.ts';
import type { OAuthError, OAuthRequest } from './oauth.types.ts';
import { revokeAccessToken } from './revoke-access-token.ts';

/**
 * Revokes the access token that a client names (RFC 7009). A client may revoke every token of its payee: whoever holds
 * a token may end it. One that is unknown, foreign or no longer valid is nothing to do, and no error (section 2.2).
 *
 * @returns undefined where the token is not valid any more
 * @throws Refusal `toomanyrequests` where too many wrong credentials came from the network before
 */
export async function revokeByClient(
  transaction: Transaction,
  world: MerchantsWorld,
  request: OAuthRequest,
): Promise<OAuthError | undefined> {
  const form = readForm(request.form);
  if ('error' in form) return form;
  const client = await authenticateClient(transaction, world, request, form);
  if ('error' in client) return client;
  const text = form.get('token');
  if (text === undefined) return oauthError('invalid_request', 'The parameter token is missing.');

  const token = await findOwnToken(transaction, world, client.payeeId, text);
  if (token === undefined) return undefined;
  const actor = { name: `oauth-client:${client.clientId}`, sessionId: request.sessionId };
  await revokeAccessToken(transaction, { payeeId: token.payeeId, accessTokenId: token.accessTokenId, actor });
  return undefined;
}
