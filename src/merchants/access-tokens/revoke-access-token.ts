import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { AccessTokenKey } from '../merchants.types.ts';
import { countAccessToken, revokeAccessTokenRow } from './access-tokens.store.ts';

/**
 * Revokes an access token: every instance refuses it within a second. Doing it again changes nothing.
 *
 * @throws Refusal `notfound` where the payee has no such token
 */
export async function revokeAccessToken(
  transaction: Transaction,
  command: AccessTokenKey & { actor: Actor },
): Promise<void> {
  const { payeeId, accessTokenId, actor } = command;
  if (!isUuid(accessTokenId)) throw unknownToken();
  const revoked = await revokeAccessTokenRow(transaction, { payeeId, accessTokenId });
  if (revoked === 0) {
    if ((await countAccessToken(transaction, { payeeId, accessTokenId })) === 0) throw unknownToken();
    return;
  }
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'revoke-access-token',
      objectId: accessTokenId.toLowerCase(),
    },
  ]);
}

function unknownToken(): Refusal {
  return new Refusal('notfound', 'This payee has no such access token.');
}
