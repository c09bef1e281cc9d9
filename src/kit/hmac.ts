import { hash } from 'node:crypto';

/** Hash functions with the bytes of their blocks and of their digests (FIPS 180-4, section 1). */
const HASHES = { sha256: { block: 64, digest: 32 }, sha512: { block: 128, digest: 64 } } as const;

/** A key that is ready for use: its block, padded for the inner hash and for the outer one. */
export interface HmacKey {
  readonly name: keyof typeof HASHES;
  readonly inner: Buffer;
  /** With room for the inner digest behind it. */
  readonly outer: Buffer;
}

const [INNER_PAD, OUTER_PAD] = [0x36, 0x5c];

/** Makes a key of any length ready (RFC 2104, section 2). */
export function hmacKey(name: HmacKey['name'], key: Buffer): HmacKey {
  const { block, digest } = HASHES[name];
  const bytes = key.length > block ? hash(name, key, 'buffer') : key;
  const inner = Buffer.alloc(block, INNER_PAD);
  const outer = Buffer.alloc(block + digest, OUTER_PAD);
  for (const [index, byte] of bytes.entries()) {
    inner[index] = byte ^ INNER_PAD;
    outer[index] = byte ^ OUTER_PAD;
  }
  return { name, inner, outer };
}

/** Most messages fit here, behind the key's block, and do not stay; a UTF-16 character is 3 bytes of UTF-8 at most. */
const room = Buffer.allocUnsafeSlow(8 * 1024);
const CHARACTER_BYTES = 3;

/**
 * HMAC of a message in parts (RFC 2104; FIPS 198-1), by two calls of the runtime's hash. Its own HMAC is an object with a
 * stream behind it for each message, which takes half as long again, and twice as long for a short one.
 *
 * @param parts texts are hashed as UTF-8
 */
export function hmac({ name, inner, outer }: HmacKey, ...parts: readonly (string | Buffer)[]): Buffer {
  let most = inner.length;
  for (const part of parts) most += typeof part === 'string' ? CHARACTER_BYTES * part.length : part.length;
  const message = most <= room.length ? room : Buffer.allocUnsafeSlow(most);
  let end = inner.copy(message);
  for (const part of parts) end += typeof part === 'string' ? message.write(part, end) : part.copy(message, end);
  // As a text of bytes: the runtime makes a buffer of its own for each digest otherwise, outside of the heap.
  outer.write(hash(name, message.subarray(0, end), 'binary'), inner.length, 'binary');
  message.fill(0, 0, end);
  return Buffer.from(hash(name, outer, 'binary'), 'binary');
}
