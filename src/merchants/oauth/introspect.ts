import type { Transaction } from '../../db/transaction.types.ts';
import { knownScopes } from '../access-tokens/credentials.rules.ts';
import { findNamedToken } from '../access-tokens/find-named-token.ts';
import type { AccessToken, MerchantsContext } from '../merchants.types.ts';
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
  context: MerchantsContext,
  request: OAuthRequest,
): Promise<Introspection | OAuthError> {
  const named = await findNamedToken(transaction, context, request);
  if ('error' in named) return named;
  const { token } = named;
  return { token: token && { ...token, scopes: knownScopes(token.scopes) } };
}
