import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { AccessTokenKey, MerchantsContext, NewCredential } from '../merchants.types.ts';
import { shortenAccessToken } from './access-tokens.store.ts';
import { createAccessToken, type FreshAccessToken } from './create-access-token.ts';
import { readOverlap } from './credentials.rules.ts';

/** A new token, and when the one before it ends. */
export interface RotatedAccessToken extends FreshAccessToken {
  readonly oldExpiresAt: string;
}

/** Which one, and by whom. */
export interface RotateAccessToken extends AccessTokenKey, Pick<NewCredential, 'grantable'> {
  /** As in `24h` or `7d`; undefined is 24 hours. */
  readonly overlap?: string | undefined;
  /** As for a new token. */
  readonly expiresIn?: string | undefined;
  readonly actor: Actor;
}

/**
 * Puts a new access token beside an old one, with its name and scopes, and gives the old one an end, so that a program can
 * change its settings while both work.
 *
 * @throws Refusal `inputerror` for an overlap or a lifetime that breaks its rules
 * @throws Refusal `forbidden` where it has a scope that whoever rotates it does not have
 * @throws Refusal `notfound` where the payee has no such token that a person made and that is valid
 */
export async function rotateAccessToken(
  transaction: Transaction,
  context: MerchantsContext,
  command: RotateAccessToken,
): Promise<RotatedAccessToken> {
  const { payeeId, accessTokenId, actor } = command;
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
      objectId: accessTokenId.toLowerCase(),
      details: { expiresAt: old.expiresAt },
    },
  ]);
  const { name, scopes } = old;
  const fresh = await createAccessToken(transaction, context, { ...command, name, scopes });
  return { ...fresh, oldExpiresAt: old.expiresAt };
}

function unknownToken(): Refusal {
  return new Refusal('notfound', 'This payee has no such access token that is valid.');
}
