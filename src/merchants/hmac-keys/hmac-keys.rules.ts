import type { AssociatedData } from '../../keys/keys.types.ts';
import type { HmacKeyName } from '../merchants.types.ts';

/** Where the secret of an HMAC key is stored: sealed for this place, it opens nowhere else. */
export function associatedDataOfSecret(key: HmacKeyName): AssociatedData {
  return { purpose: 'secrets', payeeId: key.payeeId, rowId: key.keyId, field: 'hmac_key.secret_sealed' };
}

const KEY_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether an HMAC key may be called so, as the table's constraint has it. */
export function isKeyName(text: string): boolean {
  return KEY_NAME.test(text);
}
