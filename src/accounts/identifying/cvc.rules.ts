import type { KeyId, KeyRing } from '../../keys/keys.types.ts';
import { assert } from '../../kit/assert.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';

/** What the verification code of a card of ours is computed of. */
export interface CvcBasis {
  readonly payeeId: PayeeId;
  readonly keyId: string;
  readonly number: Secret;
  /** `YYYY-MM-DD`. */
  readonly expiresOn: string;
  /** Counts up where a card gets another code with the same number. */
  readonly sequence: number;
}

const CODES = 1000;
/** Bytes of the digest that are used: with 2^48 values the last digits are as good as even. */
const USED_BYTES = 6;

/**
 * The three digits of a card of our own: the last ones of a keyed digest over number, expiry and sequence. So it is
 * never stored, and can be checked at any time (PCI DSS 4.0.1, 3.3.1).
 */
export function cvcOf(keyRing: KeyRing, { payeeId, keyId, number, expiresOn, sequence }: CvcBasis): Secret {
  const digest = keyRing.digest(keyId as KeyId, payeeId, new Secret(`${number.reveal()}|${expiresOn}|${sequence}`));
  assert(digest.length >= USED_BYTES, 'a digest is long enough for a code');
  return new Secret(String(digest.readUIntBE(0, USED_BYTES) % CODES).padStart(3, '0'));
}
