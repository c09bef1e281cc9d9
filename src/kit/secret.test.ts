import { createSecretKey } from 'node:crypto';
import { format, inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { base62, equalDigests, keyedDigest, randomSecret, Secret, sha256 } from './secret.ts';

test('a secret shows itself only to code that asks for it by name', () => {
  const secret = new Secret('4925000000000004');
  const shown = [
    JSON.stringify({ secret, list: [secret] }),
    String(secret),
    `${secret}`,
    inspect(secret),
    inspect({ deep: { secret } }, { depth: 9, showHidden: true }),
    format('%s %o %O %j', secret, secret, secret, secret),
    Object.values(secret).join(),
    String(new Error('no', { cause: secret }).cause),
  ];
  for (const text of shown) expect(text).not.toContain('4925');
  expect(secret.reveal()).toBe('4925000000000004');
});

test('base 62 has a fixed width and is different for different bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat({ max: 31 }), (bytes, at) => {
      const other = Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ 1 : byte));
      const text = base62(Buffer.from(bytes), 43);
      expect(text).toMatch(/^[0-9A-Za-z]{43}$/);
      expect(base62(Buffer.from(other), 43)).not.toBe(text);
    }),
  );
  expect(base62(Buffer.alloc(32, 0xff), 43)).not.toBe(base62(Buffer.alloc(32, 0xfe), 43));
});

test('a random secret is new each time', () => {
  expect(new Set(Array.from({ length: 100 }, randomSecret)).size).toBe(100);
});

test('digests are equal when their bytes are, and of different lengths never', () => {
  expect(equalDigests(sha256('a'), sha256('a'))).toBe(true);
  expect(equalDigests(sha256('a'), sha256('b'))).toBe(false);
  expect(equalDigests(sha256('a'), sha256('a').subarray(1))).toBe(false);
});

test('a keyed digest is HMAC-SHA-256 (RFC 4231, case 2), with the key as bytes or as an object', () => {
  const key = Buffer.from('Jefe');
  const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  for (const one of [key, createSecretKey(key)]) {
    expect(keyedDigest(one, 'what do ya want for nothing?').toString('hex')).toBe(expected);
  }
});
