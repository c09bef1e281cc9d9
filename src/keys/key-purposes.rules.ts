import type { KeyPurpose } from './keys.types.ts';

/**
 * Every purpose there is. A later slice that needs a key of its own adds it here and in `KeyPurpose`; the next start
 * then adds the key to an existing ring.
 */
export const KEY_PURPOSES = Object.keys({
  // Wraps the data keys of stored card and account numbers.
  'card-data': true,
  // Computes the verification codes of our own cards, which are never stored.
  'card-verification': true,
  // Digests card and account numbers, so that an equal one is found.
  fingerprint: true,
  // Digests what identifies a line of an import or a deleted token.
  identity: true,
  // Wraps the data keys of secrets that must be computed with, such as HMAC keys.
  secrets: true,
} satisfies Record<KeyPurpose, true>) as KeyPurpose[];
