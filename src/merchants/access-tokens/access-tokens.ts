import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import { type Actor, nameOfActor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { Secret, sha256 } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { AccessTokenKey, NewCredential } from '../merchants.types.ts';
import { composeAccessToken } from './access-tokens.rules.ts';
import {
  countAccessToken,
  insertAccessToken,
  revokeAccessTokenRow,
  shortenAccessToken,
} from './access-tokens.store.ts';
import { checkName, checkScopes, readLifetime, readOverlap } from './credentials.rules.ts';

/** A token as its maker sees it, this once. */
export interface FreshAccessToken {
  readonly accessTokenId: string;
  readonly accessToken: Secret;
  readonly expiresAt: string;
}

/**
 * Creates a long-lived access token. Only its SHA-256 is kept, so it cannot be shown again.
 *
 * @param command `expiresIn` as in `90d` or `12m`; undefined is twelve months, the longest
 * @throws Refusal `forbidden` for a scope that the maker does not have
 * @throws Refusal `inputerror` for a name, a scope or a lifetime that breaks its rules
 */
export async function createAccessToken(
  transaction: Transaction,
  context: Kontor,
  command: NewCredential & { expiresIn?: string | undefined; actor: Actor },
): Promise<FreshAccessToken> {
  const { payeeId, actor } = command;
  const name = checkName(command.name, context.cardPrefixes());
  const scopes = checkScopes(command.scopes, command.grantable);
  const lifetime = readLifetime(command.expiresIn);
  const accessTokenId = context.newId();
  const accessToken = composeAccessToken(context.config.mode, payeeId, context.newSecret());
  const { rows } = await insertAccessToken(transaction, {
    payeeId,
    accessTokenId,
    hash: sha256(accessToken),
    name,
    scopes,
    createdBy: nameOfActor(actor),
    lifetime,
    oauthClientId: null,
  });
  const [inserted] = rows;
  assert(inserted, 'a new access token is one row');
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'create-access-token',
      objectId: accessTokenId,
      details: { scopes: scopes.join(' '), expiresAt: inserted.expiresAt },
    },
  ]);
  return { accessTokenId, accessToken: new Secret(accessToken), expiresAt: inserted.expiresAt };
}

/** A new token, and when the one before it ends. */
interface RotatedAccessToken extends FreshAccessToken {
  readonly oldExpiresAt: string;
}

/** Which one, and by whom. */
interface RotateAccessToken extends AccessTokenKey, Pick<NewCredential, 'grantable'> {
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
 * @throws Refusal `forbidden` where it has a scope that the user who rotates it does not have
 * @throws Refusal `notfound` where the payee has no such token that a person made and that is valid
 */
export async function rotateAccessToken(
  transaction: Transaction,
  context: Kontor,
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
  if (!isUuid(accessTokenId)) throw neverThere();
  const revoked = await revokeAccessTokenRow(transaction, { payeeId, accessTokenId });
  if (revoked === 0) {
    if ((await countAccessToken(transaction, { payeeId, accessTokenId })) === 0) throw neverThere();
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

function neverThere(): Refusal {
  return new Refusal('notfound', 'This payee has no such access token.');
}
