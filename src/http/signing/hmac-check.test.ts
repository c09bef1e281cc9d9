import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';
import { hmacHeader, type SignedParts, signatureDigest } from './hmac.ts';
import { type SignatureContext, type SignedRequest, signatureChecker } from './hmac-check.ts';

const payeeId = '0198a000-0000-7000-8000-000000000001' as PayeeId;
const NOW = Date.parse('2026-01-31T12:00:00.000Z');
const NONCE = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
const keys = new Map<string, Secret>([
  [`${payeeId}:old`, new Secret('the old secret')],
  [`${payeeId}:new`, new Secret('the new secret')],
  ['another payee:theirs', new Secret('their secret')],
]);

/** A check with a clock that stands still. It counts the digests that it computes. */
function checker(options: Partial<SignatureContext> = {}) {
  const seen = { digests: [] as { secret: string; parts: SignedParts }[] };
  const check = signatureChecker({
    findSecret: (key) => keys.get(`${key.payeeId}:${key.keyId}`),
    now: () => NOW,
    digestOf: (kept, parts) => {
      const secret = kept.reveal();
      seen.digests.push({ secret, parts });
      return signatureDigest(secret, parts);
    },
    ...options,
  });
  return { seen, check };
}

/** A signed request; `signed` says what the signature is made over where that is not what is sent. */
function request(
  sent: Partial<SignedRequest> = {},
  { user = 'new', secret = 'the new secret', ...signed }: Partial<SignedParts> & { secret?: string } = {},
): SignedRequest {
  const base = { method: 'POST', url: '/api/payments/ping?x=1', body: Buffer.from('{"a":1}'), ...sent };
  const { method, body, transmissionTime = '' } = { ...base, ...sent };
  const path = base.url.split('?')[0] ?? '';
  const hmac = hmacHeader(secret, { method, path, user, nonce: NONCE, transmissionTime, body, ...signed });
  return { payeeId, transmissionTime: undefined, hmac, ...base };
}

const accepted = { signature: { user: 'new', nonce: NONCE, transmittedAt: '2026-01-31T12:00:00.000Z' } };

describe('a right signature', () => {
  it('is accepted at once, and was transmitted when it came', () => {
    expect(checker().check(request())).toEqual(accepted);
  });

  it.each([
    ['without a body', request({ method: 'GET', body: Buffer.alloc(0) })],
    ['with the path as on the wire', request({ url: '/api/payments/a%20b' })],
    ['with the path decoded', request({ url: '/api/payments/a%20b' }, { path: '/api/payments/a b' })],
    ['with an empty Transmission-Time', request({ transmissionTime: '' })],
    ['by one of several keys', request({}, { user: 'old', secret: 'the old secret' })],
  ])('%s', (_what, signed) => {
    expect(checker().check(signed)).toMatchObject({ signature: { nonce: NONCE } });
  });

  it('was transmitted when it says', () => {
    const transmissionTime = '2026-01-31T13:04:59.999999+01:00';
    const { signature } = checker().check(request({ transmissionTime })) as typeof accepted;
    expect(signature.transmittedAt).toBe('2026-01-31T12:04:59.999Z');
  });

  it('waits for a key that has to be looked up', async () => {
    const { check } = checker({ findSecret: async () => new Secret('the new secret') });
    const verdict = check(request());
    expect(verdict).toBeInstanceOf(Promise);
    expect(await verdict).toEqual(accepted);
  });

  it('is unknown for as long as the database is away', async () => {
    const { check } = checker({ findSecret: () => Promise.reject(new Error('away')) });
    await expect(check(request())).rejects.toThrow('away');
  });
});

describe('a wrong signature', () => {
  it.each([
    ['another method', request({}, { method: 'GET' })],
    ['another path', request({}, { path: '/api/payments/pong' })],
    ['the query', request({}, { path: '/api/payments/ping?x=1' })],
    ['another nonce', request({}, { nonce: NONCE.replace('a', 'b') })],
    ['a time that was not sent', request({}, { transmissionTime: '2026-01-31T12:00:00Z' })],
    ['another body', request({}, { body: Buffer.from('{"a":2}') })],
    ['another secret', request({}, { secret: 'the old secret' })],
  ])('is one over %s', (_what, signed) => {
    const hmac = signed.hmac.replace(NONCE.replace('a', 'b'), NONCE);
    expect(checker().check({ ...signed, hmac })).toMatchObject({ fault: 'wrong-digest' });
  });

  it.each([
    ['is malformed', 'HmacSHA512 new', 'malformed'],
    ['is empty', '', 'malformed'],
  ])('%s', (_what, hmac, fault) => {
    expect(checker().check({ ...request(), hmac })).toEqual({ fault });
  });

  it.each([
    ['that does not exist', request({}, { user: 'none' })],
    ["that is another payee's", request({}, { user: 'theirs', secret: 'their secret' })],
  ])('has a key %s', (_what, signed) => {
    expect(checker().check(signed)).toEqual({ fault: 'unknown-key' });
  });

  it.each([
    ['2026-01-31T12:05:00Z', true],
    ['2026-01-31T11:55:00Z', true],
    ['2026-01-31T12:05:00.001Z', false],
    ['2026-01-31T11:54:59.999Z', false],
    ['2026-01-31T12:00:00', false],
    ['Sat, 31 Jan 2026 12:00:00 GMT', false],
    ['now', false],
  ])('is one from %s: accepted %s', (transmissionTime, isAccepted) => {
    const verdict = checker().check(request({ transmissionTime }));
    if (isAccepted) expect(verdict).toHaveProperty('signature');
    else expect(verdict).toMatchObject({ fault: 'wrong-time' });
  });
});

describe('the work', () => {
  it('is the same whether the key is known, unknown, foreign, or the digest wrong', () => {
    const url = '/api/payments/a%20b';
    const works = [
      request({ url }),
      request({ url }, { path: '/api/payments/a b' }),
      request({ url }, { secret: 'wrong' }),
      request({ url }, { user: 'none' }),
      request({ url }, { user: 'theirs', secret: 'their secret' }),
      request({ url, transmissionTime: 'never' }),
    ].map((signed) => {
      const { seen, check } = checker();
      check(signed);
      return seen.digests.map(({ parts }) => [parts.path, parts.body.length]);
    });
    for (const work of works) {
      expect(work).toEqual([
        ['/api/payments/a%20b', 7],
        ['/api/payments/a b', 7],
      ]);
    }
  });

  it('is done for an unknown key under a random secret', () => {
    const secrets = [checker(), checker()].flatMap(({ seen, check }) => {
      check(request({}, { user: 'none' }));
      return seen.digests.map(({ secret }) => secret);
    });
    expect(secrets).toHaveLength(2);
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9]{43}$/);
  });
});

describe('the worked examples', () => {
  const file = new URL('../../../test/support/hmac-vectors.json', import.meta.url);
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as (SignedParts & {
    id: string;
    body: string;
    secret: string;
    header: string;
    valid: boolean;
  })[];

  it.each(vectors.map((vector) => [vector.id, vector] as const))('%s', (_id, vector) => {
    const { check } = checker({
      findSecret: () => new Secret(vector.secret),
      now: () => Date.parse('2019-06-18T09:20:00Z'),
    });
    const verdict = check({
      payeeId,
      method: vector.method,
      // A blank does not travel: the decoded form is signed of a path that is sent encoded.
      url: `${vector.path.replaceAll(' ', '%20')}?any=query`,
      hmac: vector.header,
      transmissionTime: vector.transmissionTime || undefined,
      body: Buffer.from(vector.body),
    });
    expect('signature' in verdict).toBe(vector.valid);
  });
});
