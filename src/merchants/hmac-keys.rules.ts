import type { Place } from '../keys/keys.types.ts';
import type { HmacKeyName } from './merchants.types.ts';

/** Where the secret of an HMAC key is stored: sealed for this place, it opens nowhere else. */
export function placeOfSecret(key: HmacKeyName): Place {
  return { purpose: 'secrets', payeeId: key.payeeId, rowId: key.keyId, field: 'hmac_key.secret_sealed' };
}
