import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { revokeAllTokens } from '../access-tokens/access-tokens.store.ts';
import { revokeAllHmacKeys } from '../hmac-keys/hmac-keys.store.ts';
import { revokeAllOAuthClients } from '../oauth/oauth-clients.store.ts';

/** How many of each kind were revoked. */
export interface RevokedCredentials {
  readonly accessTokens: number;
  readonly oauthClients: number;
  readonly hmacKeys: number;
}

/**
 * Revokes everything that the programs of a payee, or of the operator, call the API with: access tokens, also those that
 * clients and pages of the portal got, OAuth clients and HMAC keys. Users of the portal stay. Doing it again changes nothing.
 */
export async function revokeAllCredentials(
  transaction: Transaction,
  { payeeId, actor }: { readonly payeeId: PayeeId; readonly actor: Actor },
): Promise<RevokedCredentials> {
  const [clients, tokens, keys] = [
    (await revokeAllOAuthClients(transaction, payeeId)).rows,
    (await revokeAllTokens(transaction, payeeId)).rows,
    (await revokeAllHmacKeys(transaction, payeeId)).rows,
  ];
  const entry = { payeeId, actor };
  await writeAudit(transaction, [
    ...clients.map(({ clientId }) => ({ ...entry, action: 'revoke-oauth-client' as const, objectId: clientId })),
    ...tokens.map(({ accessTokenId }) => ({
      ...entry,
      action: 'revoke-access-token' as const,
      objectId: accessTokenId,
    })),
    ...keys.map(({ keyId }) => ({ ...entry, action: 'revoke-hmac-key' as const, objectId: keyId })),
  ]);
  return { accessTokens: tokens.length, oauthClients: clients.length, hmacKeys: keys.length };
}
