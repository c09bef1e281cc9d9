import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { resealing } from '../../keys/resealing.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import { type Actor, nameOfActor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { readLifetime, readOverlap } from '../access-tokens/credentials.rules.ts';
import type { HmacKeyName } from '../merchants.types.ts';
import { associatedDataOfSecret } from './hmac-keys.rules.ts';
import {
  countHmacKey,
  countSealedWith,
  expireHmacKey,
  insertHmacKey,
  lockSealedWith,
  revokeHmacKeyRow,
  updateSealedSecrets,
} from './hmac-keys.store.ts';

/** A key as its maker sees it, this once. */
export interface FreshHmacKey {
  /** The `user` of the `Hmac` header: letters, digits and underscores, so never a colon. */
  readonly user: string;
  readonly secret: Secret;
  readonly expiresAt: string;
}

/**
 * Creates an HMAC key beside those that the payee has. The secret is kept sealed, bound to its row.
 *
 * @param command `expiresIn` as for an access token: undefined is twelve months, the longest
 * @throws Refusal `inputerror` for a lifetime that breaks its rules
 */
export async function createHmacKey(
  transaction: Transaction,
  context: Kontor,
  command: { payeeId: PayeeId; expiresIn?: string | undefined; actor: Actor },
): Promise<FreshHmacKey> {
  const { payeeId, actor } = command;
  const lifetime = readLifetime(command.expiresIn);
  const keyId = `hk_${context.newSecret().slice(-16)}`;
  const secret = new Secret(`hs_${context.newSecret()}`);
  const { secrets: sealedWith } = (await loadWriteKeys(transaction, context.keyRing)).current;
  const sealed = context.keyRing.seal(sealedWith, associatedDataOfSecret({ payeeId, keyId }), secret);
  const row = { payeeId, keyId, sealed, sealedWith, createdBy: nameOfActor(actor), lifetime };
  const { rows } = await insertHmacKey(transaction, row);
  const [inserted] = rows;
  assert(inserted, 'a new HMAC key is one row');
  const details = { expiresAt: inserted.expiresAt };
  await writeAudit(transaction, [{ payeeId, actor, action: 'create-hmac-key', objectId: keyId, details }]);
  return { user: keyId, secret, expiresAt: inserted.expiresAt };
}

/** A new key, and when the one before it ends. */
interface RotatedHmacKey extends FreshHmacKey {
  readonly oldExpiresAt: string;
}

/**
 * Puts a new HMAC key beside an old one and gives the old one an end, so that a shop can change its settings while both
 * work.
 *
 * @param command `overlap` as in `24h` or `7d`; undefined is 24 hours
 * @throws Refusal `inputerror` for an overlap or a lifetime of another form
 * @throws Refusal `notfound` where the payee has no such key that is valid, or it was rotated before
 */
export async function rotateHmacKey(
  transaction: Transaction,
  context: Kontor,
  command: HmacKeyName & { overlap?: string | undefined; expiresIn?: string | undefined; actor: Actor },
): Promise<RotatedHmacKey> {
  const { payeeId, keyId, actor } = command;
  const overlap = readOverlap(command.overlap);
  const { rows } = await expireHmacKey(transaction, { payeeId, keyId }, overlap);
  const [old] = rows;
  if (old === undefined)
    throw new Refusal('notfound', 'This payee has no such HMAC key that is valid and was not rotated.');
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'rotate-hmac-key',
      objectId: keyId,
      details: { expiresAt: old.expiresAt },
    },
  ]);
  const fresh = await createHmacKey(transaction, context, { payeeId, expiresIn: command.expiresIn, actor });
  return { ...fresh, oldExpiresAt: old.expiresAt };
}

/**
 * Revokes an HMAC key at once, without an overlap. Doing it again changes nothing.
 *
 * @throws Refusal `notfound` where the payee has no such key
 */
export async function revokeHmacKey(transaction: Transaction, command: HmacKeyName & { actor: Actor }): Promise<void> {
  const { payeeId, keyId, actor } = command;
  const revoked = await revokeHmacKeyRow(transaction, { payeeId, keyId });
  if (revoked === 0) {
    if ((await countHmacKey(transaction, { payeeId, keyId })) === 0) throw unknownKey();
    return;
  }
  await writeAudit(transaction, [{ payeeId, actor, action: 'revoke-hmac-key', objectId: keyId }]);
}

function unknownKey(): Refusal {
  return new Refusal('notfound', 'This payee has no such HMAC key.');
}

/** How HMAC secrets come to be sealed with another key of the ring when that is rotated. */
export const HMAC_KEY_USE = resealing({
  purpose: 'secrets',
  count: countSealedWith,
  lock: lockSealedWith,
  update: updateSealedSecrets,
  associatedDataOf: associatedDataOfSecret,
});
