import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import { readOverlap } from '../access-tokens/credentials.rules.ts';
import type { HmacKeyName, MerchantsContext } from '../merchants.types.ts';
import { createHmacKey, type FreshHmacKey } from './create-hmac-key.ts';
import { expireHmacKey } from './hmac-keys.store.ts';

/** A new key, and when the one before it ends. */
export interface RotatedHmacKey extends FreshHmacKey {
  readonly oldExpiresAt: string;
}

/**
 * Puts a new HMAC key beside an old one and gives the old one an end, so that a shop can change its settings while both
 * work.
 *
 * @param command `overlap` as in `24h` or `7d`; undefined is 24 hours
 * @throws Refusal `inputerror` for an overlap of another form
 * @throws Refusal `notfound` where the payee has no such key, or it is revoked, or it was rotated before
 */
export async function rotateHmacKey(
  transaction: Transaction,
  context: MerchantsContext,
  command: HmacKeyName & { overlap?: string | undefined; actor: Actor },
): Promise<RotatedHmacKey> {
  const { payeeId, keyId, actor } = command;
  const overlap = readOverlap(command.overlap);
  const { rows } = await expireHmacKey(transaction, { payeeId, keyId }, overlap);
  const [old] = rows;
  if (old === undefined) throw new Refusal('notfound', 'This payee has no such HMAC key without an end.');
  await writeAudit(transaction, [
    {
      payeeId,
      actor,
      action: 'rotate-hmac-key',
      objectId: keyId,
      details: { expiresAt: old.expiresAt },
    },
  ]);
  const fresh = await createHmacKey(transaction, context, { payeeId, actor });
  return { ...fresh, oldExpiresAt: old.expiresAt };
}
