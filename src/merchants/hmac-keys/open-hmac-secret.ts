import type { Transaction } from '../../db/transaction.types.ts';
import { holdKeys } from '../../keys/ring/hold-keys.ts';
import type { Secret } from '../../kit/secret.ts';
import type { HmacKeyName, MerchantsContext } from '../merchants.types.ts';
import { associatedDataOfSecret } from './hmac-keys.rules.ts';
import { selectSealedSecret } from './hmac-keys.store.ts';

/** The secret of an HMAC key that is valid now, or undefined where the payee has no such key. */
export async function openHmacSecret(
  transaction: Transaction,
  context: MerchantsContext,
  key: HmacKeyName,
): Promise<Secret | undefined> {
  const { rows } = await selectSealedSecret(transaction, key);
  const [found] = rows;
  if (found === undefined) return undefined;
  await holdKeys(context.keyRing, [found.sealed]);
  return context.keyRing.open(associatedDataOfSecret(key), found.sealed);
}
