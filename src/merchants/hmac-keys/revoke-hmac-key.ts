import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import type { HmacKeyName } from '../merchants.types.ts';
import { countHmacKey, revokeHmacKeyRow } from './hmac-keys.store.ts';

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
