import { describe, expect, test } from 'vitest';
import { Secret } from '../../kit/secret.ts';
import {
  base32,
  codeOfStep,
  digestOfRecoveryCode,
  isShownCode,
  recoveryCodeOf,
  setUpAddress,
  stepOfCode,
} from './second-factor.rules.ts';

const SEED = new Secret(Buffer.from('12345678901234567890'));

describe('codeOfStep', () => {
  // RFC 6238, appendix B, the rows of SHA-1: seconds since 1970 and eight digits.
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at %i seconds is %s', (seconds, code) => {
    expect(codeOfStep(SEED, Math.floor(seconds / 30), 8)).toBe(code);
    expect(codeOfStep(SEED, Math.floor(seconds / 30))).toBe(code.slice(2));
  });
});

describe('stepOfCode', () => {
  const nowSeconds = 1_234_567_890;
  const now = Math.floor(nowSeconds / 30);
  const stepOf = (code: string, lastStep = 0) => stepOfCode(SEED, code, { nowSeconds, lastStep });

  test.each([-1, 0, 1])('takes the code of the step %i away', (away) => {
    expect(stepOf(codeOfStep(SEED, now + away))).toBe(now + away);
  });

  test.each([-2, 2])('refuses the code of the step %i away', (away) => {
    expect(stepOf(codeOfStep(SEED, now + away))).toBeUndefined();
  });

  test('refuses a code that was used, and those before it', () => {
    expect(stepOf(codeOfStep(SEED, now), now)).toBeUndefined();
    expect(stepOf(codeOfStep(SEED, now - 1), now)).toBeUndefined();
    expect(stepOf(codeOfStep(SEED, now + 1), now)).toBe(now + 1);
  });

  test.each(['', '000000', '1234567', 'abcdef'])('refuses %j', (code) => {
    expect(stepOf(code)).toBeUndefined();
  });
});

test('the seed is written as apps take it', () => {
  expect(base32(SEED.reveal())).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(base32(Buffer.from('foob'))).toBe('MZXW6YQ');
  expect(setUpAddress(SEED, 'anna+1@example.com')).toBe(
    'otpauth://totp/Kontor:anna%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Kontor',
  );
});

describe('recovery codes', () => {
  const code = recoveryCodeOf(new Secret(Buffer.from('0123456789')));

  test('are two groups of letters and digits, unlike the codes of an app', () => {
    expect(code).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/);
    expect(isShownCode(code)).toBe(false);
    expect(isShownCode('123456')).toBe(true);
  });

  test('are the same however they are typed, and different under another seed', () => {
    const digest = digestOfRecoveryCode(SEED, code);
    expect(digestOfRecoveryCode(SEED, code.toUpperCase().replace('-', ' '))).toEqual(digest);
    expect(digestOfRecoveryCode(new Secret(Buffer.from('another seed, twenty')), code)).not.toEqual(digest);
  });
});
