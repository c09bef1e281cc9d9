import type { Transaction } from '../../db/transaction.types.ts';
import type { AccessToken, MerchantsContext } from '../merchants.types.ts';
import { authenticateClient } from '../oauth/authenticate-client.ts';
import { oauthError, readForm } from '../oauth/oauth.rules.ts';
import type { OAuthError, OAuthRequest } from '../oauth/oauth.types.ts';
import { findOwnToken } from './find-own-token.ts';

/** A token that a client has named. */
export interface NamedToken {
  readonly clientId: string;
  /** Undefined: not a valid token of the client's payee, and nobody learns why. */
  readonly token: AccessToken | undefined;
}

/**
 * Authenticates the client of a request about a token, and finds the token that the request names.
 *
 * @throws Refusal `toomanyrequests` where too many wrong credentials came from the network before
 */
export async function findNamedToken(
  transaction: Transaction,
  context: MerchantsContext,
  request: OAuthRequest,
): Promise<NamedToken | OAuthError> {
  const form = readForm(request.form);
  if ('error' in form) return form;
  const client = await authenticateClient(transaction, context, request, form);
  if ('error' in client) return client;
  const text = form.get('token');
  if (text === undefined) return oauthError('invalid_request', 'The parameter token is missing.');
  const token = await findOwnToken(transaction, context, client.payeeId, text);
  return { clientId: client.clientId, token };
}
