import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { PayeeId } from '../../kit/ids.ts';
import { Secret } from '../../kit/secret.ts';

// What one diagnosis of a wrong signature digests, whatever is sent: counted where digests are made.

const digested = vi.hoisted(() => ({ times: 0, bytes: 0 }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return {
    ...crypto,
    createHmac: (...how: Parameters<typeof crypto.createHmac>) => {
      const hmac = crypto.createHmac(...how);
      const update = hmac.update.bind(hmac);
      digested.times++;
      return Object.assign(hmac, {
        update: (data: string | Buffer) => {
          digested.bytes += data.length;
          return update(data);
        },
      });
    },
  };
});

// Another test may have loaded it before, and none is to get this one.
vi.resetModules();
afterAll(() => vi.resetModules());
const { DIAGNOSIS_BODY_BYTES, DIAGNOSIS_BYTES, diagnose } = await import('./hmac-diagnosis.ts');

beforeEach(() => Object.assign(digested, { times: 0, bytes: 0 }));

/** A signature that no mistake explains, so that all are tried. */
function diagnoseWrong(body: string, path: string): readonly string[] {
  const request = {
    payeeId: '0198a000-0000-7000-8000-000000000001' as PayeeId,
    method: 'POST',
    url: `${path}?x=1`,
    hmac: `HmacSHA512 hk_0123456789abcdef:aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee:${Buffer.alloc(64).toString('base64')}`,
    transmissionTime: '2026-01-31T12:00:00.208257Z',
    body: Buffer.from(body),
  };
  const around = { baseUrl: 'https://pay.shop.example/gate', host: 'pay.shop.example', date: undefined, prefixes: [] };
  return diagnose(request, { fault: 'wrong-digest', secret: new Secret('hs_x') }, around).causes;
}

test('a short request has all its mistakes tried', () => {
  expect(diagnoseWrong('{}', '/api/payments/ping')).toEqual(['wrong-secret-or-body']);
  expect(digested.times).toBeGreaterThan(500);
});

test.each([
  ['the longest body that is tried with pairs', DIAGNOSIS_BODY_BYTES, '/api/payments/ping'],
  ['a long body', 60_000, '/api/payments/ping'],
  ['a path of many parts', 2_000, `/api/payments/${'a%20B/'.repeat(600)}ping`],
])('%s costs no more than the budget', (_what, length, path) => {
  diagnoseWrong(`{"a":"${'/'.repeat(length)}"}`.slice(0, length), path);
  expect(digested.bytes).toBeLessThanOrEqual(DIAGNOSIS_BYTES);
  expect(digested.times).toBeLessThanOrEqual(DIAGNOSIS_BYTES / 2_048);
});
