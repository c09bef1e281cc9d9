import type { KeyRing } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import type { CardDigests } from './card-history.types.ts';

/** The digests of a card under each live key. */
export function cardDigests({ keyRing }: { readonly keyRing: KeyRing }, payeeId: PayeeId, number: Secret): CardDigests {
  const [digest, ...earlier] = keyRing.digests('card-history', payeeId, new Secret(`card ${number.reveal()}`));
  return { digest: digest as Buffer, earlier };
}
