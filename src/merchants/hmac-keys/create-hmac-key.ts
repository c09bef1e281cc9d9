import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import type { MerchantsContext } from '../merchants.types.ts';
import { associatedDataOfSecret } from './hmac-keys.rules.ts';
import { insertHmacKey } from './hmac-keys.store.ts';

/** A key as its maker sees it, this once. */
export interface FreshHmacKey {
  /** The `user` of the `Hmac` header: letters, digits and underscores, so never a colon. */
  readonly user: string;
  readonly secret: Secret;
}

/** Creates an HMAC key beside those that the payee has. The secret is kept sealed, bound to its row. */
export async function createHmacKey(
  transaction: Transaction,
  context: MerchantsContext,
  command: { payeeId: PayeeId; actor: Actor },
): Promise<FreshHmacKey> {
  const { payeeId, actor } = command;
  const keyId = `hk_${context.newSecret().slice(-16)}`;
  const secret = new Secret(`hs_${context.newSecret()}`);
  const { secrets: sealedWith } = (await loadWriteKeys(transaction, context.keyRing)).current;
  const sealed = context.keyRing.seal(sealedWith, associatedDataOfSecret({ payeeId, keyId }), secret);
  const inserted = await insertHmacKey(transaction, { payeeId, keyId, sealed, sealedWith, createdBy: actor.name });
  assert(inserted === 1, 'a new HMAC key is one row');
  await writeAudit(transaction, [{ payeeId, actor, action: 'create-hmac-key', objectId: keyId }]);
  return { user: keyId, secret };
}
