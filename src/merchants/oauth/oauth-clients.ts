import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import { type Actor, nameOfActor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import { Secret, sha256 } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { revokeTokensOfClient } from '../access-tokens/access-tokens.store.ts';
import { checkName, checkScopes, readLifetime } from '../access-tokens/credentials.rules.ts';
import type { NewCredential, OAuthClientKey } from '../merchants.types.ts';
import { checkScopeAliases, composeClientId, readClientId } from './oauth.rules.ts';
import { countOAuthClient, insertOAuthClient, revokeOAuthClientRow } from './oauth-clients.store.ts';

/** A client as its maker sees it, this once. */
export interface FreshOAuthClient {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly expiresAt: string;
}

/**
 * Creates an OAuth client for the client-credentials grant. Id and secret use `A-Za-z0-9_-` only, so that it does not
 * matter whether a client's library encodes them for HTTP Basic (RFC 6749, section 2.3.1) or forgets to.
 *
 * @throws Refusal `forbidden` for a scope that the maker does not have
 * @param command.scopeAliases words that mean all of its scopes; none where it is left out
 * @param command.expiresIn as for an access token: undefined is twelve months, the longest
 * @throws Refusal `inputerror` for a name, a scope, an alias or a lifetime that breaks its rules
 */
export async function createOAuthClient(
  transaction: Transaction,
  context: Kontor,
  command: NewCredential & {
    readonly scopeAliases?: readonly string[];
    readonly expiresIn?: string | undefined;
    readonly actor: Actor;
  },
): Promise<FreshOAuthClient> {
  const { payeeId, actor } = command;
  const name = checkName(command.name, context.cardPrefixes());
  const scopes = checkScopes(command.scopes, command.grantable);
  const scopeAliases = checkScopeAliases(command.scopeAliases ?? []);
  const lifetime = readLifetime(command.expiresIn);
  const clientId = composeClientId(payeeId, context.newSecret());
  const clientSecret = `ks_${context.newSecret()}`;
  const { rows } = await insertOAuthClient(transaction, {
    payeeId,
    clientId,
    hash: sha256(clientSecret),
    name,
    scopes,
    scopeAliases,
    createdBy: nameOfActor(actor),
    lifetime,
  });
  const [inserted] = rows;
  assert(inserted, 'a new OAuth client is one row');
  const { expiresAt } = inserted;
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'create-oauth-client',
      objectId: clientId,
      details: {
        scopes: scopes.join(' '),
        expiresAt,
        ...(scopeAliases.length > 0 && { scopeAliases: scopeAliases.join(' ') }),
      },
    },
  ]);
  return { clientId, clientSecret: new Secret(clientSecret), expiresAt };
}

/**
 * Revokes an OAuth client and every access token that it got. Doing it again changes nothing.
 *
 * @throws Refusal `notfound` where the payee has no such client
 */
export async function revokeOAuthClient(
  transaction: Transaction,
  command: OAuthClientKey & { actor: Actor },
): Promise<void> {
  const { payeeId, clientId, actor } = command;
  if (readClientId(clientId) === undefined) throw unknownClient();
  const revoked = await revokeOAuthClientRow(transaction, { payeeId, clientId });
  if (revoked === 0) {
    if ((await countOAuthClient(transaction, { payeeId, clientId })) === 0) throw unknownClient();
    return;
  }
  const tokens = await revokeTokensOfClient(transaction, { payeeId, clientId });
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'revoke-oauth-client',
      objectId: clientId,
      details: { accessTokens: tokens },
    },
  ]);
}

function unknownClient(): Refusal {
  return new Refusal('notfound', 'This payee has no such OAuth client.');
}
