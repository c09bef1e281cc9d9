import type { Transaction } from '../db/transaction.types.ts';
import { authenticateClient } from './authenticate-client.ts';
import { knownScopes } from './credentials.rules.ts';
import { findOwnToken } from './find-own-token.ts';
import type { AccessToken, MerchantsWorld } from './merchants.types.ts';
import { oauthError, readForm } from './oauth.rules.ts';
import type { OAuthError, OAuthRequest } from './oauth.types.ts';

/** What a client is told of a token. */
export interface Introspection {
  /** Undefined: not a valid token of the client's payee, and nobody learns why. */
  readonly token: AccessToken | undefined;
}

/**
 * Tells a client about an access token (RFC 7662): whether it is valid, and what it may do.
 *
 * @throws Refusal `toomanyrequests` where too many wrong credentials came from the network before
 */
export async function introspect(
  transaction: Transaction,
  world: MerchantsWorld,
  request: OAuthRequest,
): Promise<Introspection | OAuthError> {
  const form = readForm(request.form);
  if ('error' in form) return form;
  const client = await authenticateClient(transaction, world, request, form);
  if ('error' in client) return client;
  const text = form.get('token');
  if (text === undefined) return oauthError('invalid_request', 'The parameter token is missing.');

  const token = await findOwnToken(transaction, world, client.payeeId, text);
  return { token: token && { ...token, scopes: knownScopes(token.scopes) } };
}
