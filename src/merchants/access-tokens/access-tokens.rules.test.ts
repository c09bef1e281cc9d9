import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PayeeId } from '../../kit/ids.ts';
import { randomSecret, sha256 } from '../../kit/secret.ts';
import { composeAccessToken, readAccessToken } from './access-tokens.rules.ts';

const payees = fc.uuid().map((uuid) => uuid as PayeeId);
const modes = fc.constantFrom('sandbox' as const, 'production' as const);
const BASE62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const secrets = fc.string({ unit: fc.constantFrom(...BASE62), minLength: 43, maxLength: 43 });

describe('the form of an access token', () => {
  it('is read back as it was put together', () => {
    fc.assert(
      fc.property(modes, payees, secrets, (mode, payeeId, secret) => {
        const token = composeAccessToken(mode, payeeId, secret);
        expect(readAccessToken(mode, token)).toEqual({ payeeId, hash: sha256(token) });
      }),
    );
  });

  it('is what the documents say, so that a scanner finds a leaked one', () => {
    const payeeId = '018f3c5e-7a10-7c3e-9b1a-0123456789ab' as PayeeId;
    const form = /^kt_test_018f3c5e7a107c3e9b1a0123456789ab_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/;
    expect(composeAccessToken('sandbox', payeeId, randomSecret())).toMatch(form);
    expect(composeAccessToken('production', payeeId, randomSecret())).toMatch(/^kt_live_/);
  });

  it('of the other mode is not valid', () => {
    fc.assert(
      fc.property(payees, secrets, (payeeId, secret) => {
        expect(readAccessToken('production', composeAccessToken('sandbox', payeeId, secret))).toBeUndefined();
        expect(readAccessToken('sandbox', composeAccessToken('production', payeeId, secret))).toBeUndefined();
      }),
    );
  });

  it('has a checksum that finds every single wrong character', () => {
    fc.assert(
      fc.property(payees, secrets, fc.nat(90), fc.constantFrom(...BASE62), (payeeId, secret, at, character) => {
        const token = composeAccessToken('sandbox', payeeId, secret);
        fc.pre(token.charAt(at) !== character);
        const mistyped = token.slice(0, at) + character + token.slice(at + 1);
        expect(readAccessToken('sandbox', mistyped)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('is not found in any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => readAccessToken('sandbox', text) === undefined));
    const token = composeAccessToken('sandbox', '018f3c5e-7a10-7c3e-9b1a-0123456789ab' as PayeeId, randomSecret());
    for (const text of [` ${token}`, `${token}\n`, token.toUpperCase(), token.slice(0, -1), `${token}A`]) {
      expect(readAccessToken('sandbox', text)).toBeUndefined();
    }
  });
});
