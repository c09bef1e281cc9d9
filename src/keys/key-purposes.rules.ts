import type { KeyPurpose } from './keys.types.ts';

/**
 * Every purpose, and what its key does. A later slice that needs a key adds its line here and in `KeyPurpose`; the next
 * start then adds the key to an existing ring.
 */
const PURPOSES = {
  'card-data': 'wraps the data keys of stored card and account numbers',
  'card-verification': 'computes the verification codes of our own cards, which are never stored',
  fingerprint: 'digests card and account numbers, so that an equal one is found',
  identity: 'digests what identifies a line of an import or a deleted token',
  secrets: 'wraps the data keys of secrets that must be computed with, as HMAC keys',
} as const satisfies Record<KeyPurpose, string>;

/** Every purpose there is. */
export const KEY_PURPOSES = Object.keys(PURPOSES) as KeyPurpose[];

/** What a key of this purpose does, in words. */
export function describePurpose(purpose: KeyPurpose): string {
  return PURPOSES[purpose];
}

/** The text as a purpose, or undefined where it is none. */
export function parsePurpose(text: string): KeyPurpose | undefined {
  return KEY_PURPOSES.find((purpose) => purpose === text);
}
