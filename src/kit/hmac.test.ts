import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hmac, hmacKey } from './hmac.ts';

describe.each(['sha256', 'sha512'] as const)('HMAC with %s', (name) => {
  test("is the runtime's, for any key and any message in any parts", () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(bytes, fc.array(fc.oneof(bytes, text), { maxLength: 5 }), (key, parts) => {
        const expected = createHmac(name, key);
        for (const part of parts) expected.update(part);
        const ready = hmacKey(name, key);
        expect(hmac(ready, ...parts)).toEqual(expected.digest());
        expect(hmac(ready), 'a key is not used up').toEqual(createHmac(name, key).digest());
      }),
    );
  });

  test('is so for messages at the edge of the room for them, and far beyond', () => {
    const key = Buffer.from('key');
    for (const size of [2_600, 2_690, 2_709, 2_710, 8_000, 8_063, 8_064, 8_065, 8_129, 64 * 1024]) {
      for (const part of [Buffer.alloc(size, 7), 'x'.repeat(size), '€'.repeat(size)]) {
        expect(hmac(hmacKey(name, key), part, '\n')).toEqual(createHmac(name, key).update(part).update('\n').digest());
      }
    }
  });

  test('takes keys at and beyond a block', () => {
    for (const size of [0, 1, 63, 64, 65, 127, 128, 129, 1000]) {
      const key = Buffer.alloc(size, 0xa5);
      expect(hmac(hmacKey(name, key), 'text')).toEqual(createHmac(name, key).update('text').digest());
    }
  });
});

test('a digest is kept when the next one is made', () => {
  const key = hmacKey('sha256', Buffer.from('key'));
  const first = hmac(key, 'one');
  const copy = Buffer.from(first);
  hmac(key, 'two');
  expect(first).toEqual(copy);
});

test('the published vectors (RFC 4231, cases 2 and 6)', () => {
  const jefe = hmac(hmacKey('sha256', Buffer.from('Jefe')), 'what do ya want for nothing?');
  expect(jefe.toString('hex')).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
  const long = Buffer.alloc(131, 0xaa);
  const text = 'Test Using Larger Than Block-Size Key - Hash Key First';
  expect(hmac(hmacKey('sha512', long), text).toString('hex')).toBe(
    '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352' +
      '6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
  );
});
