import type { Secret } from '../kit/secret.ts';
import type { KeyRing, Place } from './keys.types.ts';

/** Where a small secret is stored: one field of one row. */
export type SecretPlace = Omit<Place, 'purpose'>;

/** Encrypts a secret that must be computed with later, such as an HMAC key, for its place and no other. */
export function sealSecret(keyRing: KeyRing, place: SecretPlace, secret: Secret): Buffer {
  return keyRing.seal(keyRing.current('secrets'), { ...place, purpose: 'secrets' }, secret);
}

/**
 * Decrypts what `sealSecret` encrypted for this place.
 *
 * @throws BrokenBelief where it was altered or belongs elsewhere
 */
export function openSecret(keyRing: KeyRing, place: SecretPlace, sealed: Buffer): Secret {
  return keyRing.open({ ...place, purpose: 'secrets' }, sealed);
}
