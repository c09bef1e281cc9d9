import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { hmacHeader, linesBeforeBody, parseHmacHeader, pathOnTheWire, signatureDigest, signedPaths } from './hmac.ts';

interface Vector {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly user: string;
  readonly secret: string;
  readonly nonce: string;
  readonly transmissionTime: string;
  readonly body: string;
  readonly messageLength: number;
  readonly messageSha256: string;
  readonly digest: string;
  readonly header: string;
  readonly valid: boolean;
}

const file = new URL('../../../test/support/hmac-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];
const partsOf = (vector: Vector) => ({ ...vector, body: Buffer.from(vector.body) });

describe('the worked examples', () => {
  it.each(vectors.map((vector) => [vector.id, vector] as const))('%s', (_id, vector) => {
    const parts = partsOf(vector);
    const text = `${linesBeforeBody(parts)}${vector.body}${vector.valid ? '\n' : ''}`;
    expect(Buffer.byteLength(text)).toBe(vector.messageLength);
    expect(createHash('sha256').update(text).digest('hex')).toBe(vector.messageSha256);
    expect(signatureDigest(vector.secret, parts).toString('base64') === vector.digest).toBe(vector.valid);
    expect(hmacHeader(vector.secret, parts) === vector.header).toBe(vector.valid);
    const { user, nonce } = vector;
    expect(parseHmacHeader(vector.header)).toEqual({ user, nonce, digest: Buffer.from(vector.digest, 'base64') });
  });

  test('are there, right ones and wrong ones', () => {
    expect(vectors.filter(({ valid }) => valid).length).toBeGreaterThan(5);
    expect(vectors.some(({ valid }) => !valid)).toBe(true);
  });
});

describe('parseHmacHeader', () => {
  const NONCE = 'abcdefgh01234567';
  const DIGEST = Buffer.alloc(64, 0xfb).toString('base64');

  it.each([
    ['the shortest nonce', `HmacSHA512 u:${NONCE}:${DIGEST}`],
    ['the longest nonce', `HmacSHA512 u:${NONCE.repeat(4)}:${DIGEST}`],
    ['a nonce with colons', `HmacSHA512 u:2026-01-31T12:00:00Z:${DIGEST}`],
    ['any visible characters', `HmacSHA512 !u~;=/:${NONCE}!"#$%&'()~:${DIGEST}`],
    ['the longest user', `HmacSHA512 ${'u'.repeat(64)}:${NONCE}:${DIGEST}`],
  ])('takes %s', (_what, text) => {
    const [user = '', ...rest] = text.slice('HmacSHA512 '.length).split(':');
    const nonce = rest.slice(0, -1).join(':');
    expect(parseHmacHeader(text)).toEqual({ user, nonce, digest: Buffer.alloc(64, 0xfb) });
  });

  it.each([
    ['nothing', ''],
    ['another scheme', `HmacSHA256 u:${NONCE}:${DIGEST}`],
    ['a scheme in other letters', `hmacsha512 u:${NONCE}:${DIGEST}`],
    ['no scheme', `u:${NONCE}:${DIGEST}`],
    ['no blank', `HmacSHA512u:${NONCE}:${DIGEST}`],
    ['two blanks', `HmacSHA512  u:${NONCE}:${DIGEST}`],
    ['a tab', `HmacSHA512\tu:${NONCE}:${DIGEST}`],
    ['a blank in front', ` HmacSHA512 u:${NONCE}:${DIGEST}`],
    ['a blank behind', `HmacSHA512 u:${NONCE}:${DIGEST} `],
    ['blanks around a colon', `HmacSHA512 u: ${NONCE}:${DIGEST}`],
    ['a line feed behind', `HmacSHA512 u:${NONCE}:${DIGEST}\n`],
    ['no user', `HmacSHA512 :${NONCE}:${DIGEST}`],
    ['a user that is too long', `HmacSHA512 ${'u'.repeat(65)}:${NONCE}:${DIGEST}`],
    ['a user beyond ASCII', `HmacSHA512 ü:${NONCE}:${DIGEST}`],
    ['a nonce that is too short', `HmacSHA512 u:${NONCE.slice(1)}:${DIGEST}`],
    ['a nonce that is too long', `HmacSHA512 u:${NONCE.repeat(4)}x:${DIGEST}`],
    ['a nonce with a blank', `HmacSHA512 u:${NONCE} x:${DIGEST}`],
    ['a nonce beyond ASCII', `HmacSHA512 u:${NONCE}é:${DIGEST}`],
    ['no nonce', `HmacSHA512 u:${DIGEST}`],
    ['no digest', `HmacSHA512 u:${NONCE}:`],
    ['a digest in hexadecimal', `HmacSHA512 u:${NONCE}:${Buffer.alloc(64, 0xfb).toString('hex')}`],
    ['a digest in Base64 for addresses', `HmacSHA512 u:${NONCE}:${DIGEST.replaceAll('+', '-').replaceAll('/', '_')}`],
    ['a digest without padding', `HmacSHA512 u:${NONCE}:${DIGEST.slice(0, -2)}`],
    ['a digest with one sign of padding', `HmacSHA512 u:${NONCE}:${DIGEST.slice(0, -1)}`],
    ['a digest of 63 bytes', `HmacSHA512 u:${NONCE}:${Buffer.alloc(63).toString('base64')}`],
    ['a digest of 65 bytes', `HmacSHA512 u:${NONCE}:${Buffer.alloc(65).toString('base64')}`],
    ['a digest whose last digit has stray bits', `HmacSHA512 u:${NONCE}:${'A'.repeat(85)}B==`],
    ['a blank in the digest', `HmacSHA512 u:${NONCE}:${DIGEST.slice(0, 40)} ${DIGEST.slice(40)}`],
    ['two headers joined', `HmacSHA512 u:${NONCE}:${DIGEST}, HmacSHA512 u:${NONCE}:${DIGEST}`],
    ['something behind the digest', `HmacSHA512 u:${NONCE}:${DIGEST}:x`],
  ])('refuses %s', (_what, text) => {
    expect(parseHmacHeader(text)).toBeUndefined();
  });

  it('reads every digest back, and no two texts as the same header', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (bytes) => {
        const text = `HmacSHA512 u:${NONCE}:${Buffer.from(bytes).toString('base64')}`;
        const header = parseHmacHeader(text);
        expect(header && `HmacSHA512 ${header.user}:${header.nonce}:${header.digest.toString('base64')}`).toBe(text);
      }),
    );
  });
});

describe('signedPaths', () => {
  it.each([
    ['/api/payments/ping', ['/api/payments/ping']],
    ['/api/payments/ping?a=%20b', ['/api/payments/ping']],
    ['/api/payments/a%20b/x?y', ['/api/payments/a%20b/x', '/api/payments/a b/x']],
    ['/api/payments/bl%C3%A5', ['/api/payments/bl%C3%A5', '/api/payments/blå']],
    ['/api/payments/%3Fx', ['/api/payments/%3Fx', '/api/payments/?x']],
    // Decoded they could be another path's text.
    ['/api/payments/a%2541', ['/api/payments/a%2541']],
    ['/api/payments/a%0Ab', ['/api/payments/a%0Ab']],
    ['/api/payments/a%00b%20c', ['/api/payments/a%00b%20c']],
    // Not decodable.
    ['/api/payments/a%zz', ['/api/payments/a%zz']],
    ['/api/payments/a%ff', ['/api/payments/a%ff']],
    ['', ['']],
  ])('of %s', (url, paths) => {
    expect(signedPaths(url)).toEqual(paths);
  });

  it('are the bytes of the wire, which Node gives as one character each', () => {
    const url = Buffer.from('/api/payments/blå').toString('latin1');
    expect(pathOnTheWire(url)).toBe('/api/payments/blå');
    expect(signedPaths(url)).toEqual(['/api/payments/blå']);
  });

  it('of two requests share a text only where the routes see the same path', () => {
    const piece = fc.constantFrom('a', '%', '25', '41', '0A', '%25', '%41', '%20', '/', ' ', '%C3%A5', 'Z');
    const path = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
    const seen = (text: string) => {
      try {
        return decodeURIComponent(text);
      } catch {
        return text;
      }
    };
    fc.assert(
      fc.property(path, path, (one, other) => {
        const shared = signedPaths(one).filter((text) => signedPaths(other).includes(text));
        if (shared.length > 0) expect(seen(one)).toBe(seen(other));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('what is signed', () => {
  it('changes with each part, and no part can move into another', () => {
    const text = fc.string({ maxLength: 6 }).map((value) => value.replaceAll('\n', ''));
    const parts = fc.record({ method: text, path: text, user: text, nonce: text, transmissionTime: text, body: text });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const digest = (value: typeof one) => signatureDigest('s', { ...value, body: Buffer.from(value.body) });
        expect(digest(one).equals(digest(other))).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  it('holds the raw bytes of the body, whatever they are', () => {
    const parts = { method: 'POST', path: '/', user: 'u', nonce: 'n', transmissionTime: '' };
    const digest = (body: Buffer) => signatureDigest('s', { ...parts, body }).toString('hex');
    expect(digest(Buffer.from([0xff]))).not.toBe(digest(Buffer.from([0xfe])));
    expect(digest(Buffer.from('é'))).not.toBe(digest(Buffer.from('é', 'latin1')));
  });
});
