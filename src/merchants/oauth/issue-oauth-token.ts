import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import { nameOfActor } from '../../kit/caller.ts';
import { Secret, sha256 } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { composeAccessToken } from '../access-tokens/access-tokens.rules.ts';
import { insertAccessToken } from '../access-tokens/access-tokens.store.ts';
import { seconds } from '../access-tokens/credentials.rules.ts';
import { authenticateClient } from './authenticate-client.ts';
import { chooseScopes, oauthError, readForm } from './oauth.rules.ts';
import type { OAuthError, OAuthRequest } from './oauth.types.ts';
import { updateClientLastUsed } from './oauth-clients.store.ts';

/** Seconds that a token from the OAuth token endpoint lives. */
const OAUTH_TOKEN_SECONDS = 3600;

/** A token for a client, shown this once. */
export interface IssuedToken {
  readonly accessToken: Secret;
  readonly expiresInSeconds: number;
  readonly scopes: readonly string[];
}

/**
 * Issues a short-lived access token to a client (RFC 6749, section 4.4: client credentials).
 *
 * @throws Refusal `toomanyrequests` where too many wrong credentials came from the network before
 */
export async function issueOAuthToken(
  transaction: Transaction,
  context: Kontor,
  request: OAuthRequest,
): Promise<IssuedToken | OAuthError> {
  const form = readForm(request.form);
  if ('error' in form) return form;
  const client = await authenticateClient(transaction, context, request, form);
  if ('error' in client) return client;
  const grantType = form.get('grant_type');
  if (grantType === undefined) return oauthError('invalid_request', 'The parameter grant_type is missing.');
  if (grantType !== 'client_credentials') {
    return oauthError('unsupported_grant_type', 'The only grant_type here is client_credentials.');
  }
  const scopes = chooseScopes(form.get('scope'), client);
  if ('error' in scopes) return scopes;

  const { payeeId, clientId } = client;
  const accessTokenId = context.newId();
  const accessToken = composeAccessToken(context.config.mode, payeeId, context.newSecret());
  const actor = { kind: 'oauth-client', id: clientId, sessionId: request.sessionId } as const;
  const inserted = await insertAccessToken(transaction, {
    payeeId,
    accessTokenId,
    hash: sha256(accessToken),
    name: 'OAuth 2 client credentials',
    scopes,
    createdBy: nameOfActor(actor),
    lifetime: seconds(OAUTH_TOKEN_SECONDS),
    oauthClientId: clientId,
  });
  assert(inserted.count === 1, 'a new access token is one row');
  if (!client.usedToday) await updateClientLastUsed(transaction, client);
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'create-access-token',
      objectId: accessTokenId,
      details: { scopes: scopes.join(' ') },
    },
  ]);
  return { accessToken: new Secret(accessToken), expiresInSeconds: OAUTH_TOKEN_SECONDS, scopes };
}
