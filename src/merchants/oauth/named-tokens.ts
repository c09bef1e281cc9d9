import type { Transaction } from '../../db/transaction.types.ts';
import type { Kontor } from '../../kontor.types.ts';
import { revokeAccessToken } from '../access-tokens/access-tokens.ts';
import { knownScopes } from '../access-tokens/credentials.rules.ts';
import { findOwnToken } from '../access-tokens/find-caller.ts';
import type { AccessToken } from '../merchants.types.ts';
import { authenticateClient } from './authenticate-client.ts';
import { oauthError, readForm } from './oauth.rules.ts';
import type { OAuthError, OAuthRequest } from './oauth.types.ts';

/**
 * Revokes the access token that a client names, if it was issued to this client (RFC 7009, section 2.1). One that is unknown,
 * no longer valid, or was issued to another client is left alone, without an error (section 2.2).
 *
 * @returns undefined where nothing is wrong with the request
 * @throws Refusal `toomanyrequests` where too many wrong credentials came from the network before
 */
export async function revokeByClient(
  transaction: Transaction,
  context: Kontor,
  request: OAuthRequest,
): Promise<OAuthError | undefined> {
  const named = await findNamedToken(transaction, context, request);
  if ('error' in named) return named;
  const { clientId, token } = named;
  if (token === undefined) return undefined;
  const actor = { kind: 'oauth-client', id: clientId, sessionId: request.sessionId } as const;
  await revokeAccessToken(transaction, { payeeId: token.payeeId, accessTokenId: token.accessTokenId, actor });
  return undefined;
}

/** What a client is told of a token. */
interface Introspection {
  /** Undefined: not a valid token that was issued to the client; the client does not learn why. */
  readonly token: AccessToken | undefined;
}

/**
 * Tells a client about an access token (RFC 7662): whether it is valid, and what it may do.
 *
 * @throws Refusal `toomanyrequests` where too many wrong credentials came from the network before
 */
export async function introspect(
  transaction: Transaction,
  context: Kontor,
  request: OAuthRequest,
): Promise<Introspection | OAuthError> {
  const named = await findNamedToken(transaction, context, request);
  if ('error' in named) return named;
  const { token } = named;
  return { token: token && { ...token, scopes: knownScopes(token.scopes) } };
}

/** A token that a client has named. */
export interface NamedToken {
  readonly clientId: string;
  /** Undefined: not a valid token that was issued to the client; the client does not learn why. */
  readonly token: AccessToken | undefined;
}

/**
 * Authenticates the client of a request about a token, and finds the token that the request names.
 *
 * @throws Refusal `toomanyrequests` where too many wrong credentials came from the network before
 */
async function findNamedToken(
  transaction: Transaction,
  context: Kontor,
  request: OAuthRequest,
): Promise<NamedToken | OAuthError> {
  const form = readForm(request.form);
  if ('error' in form) return form;
  const client = await authenticateClient(transaction, context, request, form);
  if ('error' in client) return client;
  const text = form.get('token');
  if (text === undefined) return oauthError('invalid_request', 'The parameter token is missing.');
  const token = await findOwnToken(transaction, context, client.payeeId, text);
  const isIssued = token?.oauthClientId === client.clientId;
  return { clientId: client.clientId, token: isIssued ? token : undefined };
}
