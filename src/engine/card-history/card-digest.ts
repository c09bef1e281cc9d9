import type { KeyRing } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';

/** What a payee's card is known by without its number. */
export function cardDigest({ keyRing }: { readonly keyRing: KeyRing }, payeeId: PayeeId, number: Secret): Buffer {
  return keyRing.digest(keyRing.current('identity'), payeeId, new Secret(`card ${number.reveal()}`));
}
