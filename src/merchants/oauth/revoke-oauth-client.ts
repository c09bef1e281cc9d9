import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import { revokeTokensOfClient } from '../access-tokens/access-tokens.store.ts';
import type { OAuthClientKey } from '../merchants.types.ts';
import { readClientId } from './oauth.rules.ts';
import { countOAuthClient, revokeOAuthClientRow } from './oauth-clients.store.ts';

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
