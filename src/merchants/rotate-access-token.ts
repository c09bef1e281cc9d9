import type { Transaction } from '../db/transaction.types.ts';
import { writeAudit } from '../journal/write-audit.ts';
import type { Actor } from '../kit/caller.ts';
import { Refusal } from '../kit/errors.ts';
import { isUuid } from '../kit/ids.ts';
import { shortenAccessToken } from './access-tokens.store.ts';
import { createAccessToken, type FreshAccessToken } from './create-access-token.ts';
import { readOverlap } from './credentials.rules.ts';
import type { AccessTokenKey, MerchantsWorld } from './merchants.types.ts';

/** A new token, and when the one before it ends. */
export interface RotatedAccessToken extends FreshAccessToken {
  readonly oldExpiresAt: string;
}

/**
 * Puts a new access token beside an old one, with its name and scopes, and gives the old one an end, so that a program can
 * change its settings while both work.
 *
 * @param command `overlap` as in `24h` or `7d`; undefined is 24 hours. `expiresIn` as for a new token
 * @throws Refusal `inputerror` for an overlap or a lifetime that breaks its rules
 * @throws Refusal `notfound` where the payee has no such token that a person made and that is valid
 */
export async function rotateAccessToken(
  transaction: Transaction,
  world: MerchantsWorld,
  command: AccessTokenKey & { overlap?: string | undefined; expiresIn?: string | undefined; actor: Actor },
): Promise<RotatedAccessToken> {
  const { payeeId, accessTokenId, expiresIn, actor } = command;
  const overlap = readOverlap(command.overlap);
  if (!isUuid(accessTokenId)) throw unknownToken();
  const { rows } = await shortenAccessToken(transaction, { payeeId, accessTokenId }, overlap);
  const [old] = rows;
  if (old === undefined) throw unknownToken();
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'rotate-access-token',
      objectKind: 'access-token',
      objectId: accessTokenId.toLowerCase(),
      details: { expiresAt: old.expiresAt },
    },
  ]);
  const { name, scopes } = old;
  const fresh = await createAccessToken(transaction, world, { payeeId, name, scopes, expiresIn, actor });
  return { ...fresh, oldExpiresAt: old.expiresAt };
}

function unknownToken(): Refusal {
  return new Refusal('notfound', 'This payee has no such access token that is valid.');
}
