import { describe, expect, test } from 'vitest';
import { Secret } from '../kit/secret.ts';
import { aesCmac, messageMac, retailMac } from './mac.adapter.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('the retail MAC', () => {
  const key = bytes('0123456789abcdef fedcba9876543210');

  test('is that of ISO/IEC 9797-1, annex A: 22 characters that are filled up with zeros', () => {
    const text = Buffer.from('Now is the time for all ', 'latin1');
    expect(retailMac(key, text).toString('hex')).toBe('a1c72e74ea3fa9b6');
  });

  test('is that of a second implementation: whole blocks', () => {
    const own = bytes('7ca110454a1a6e57 0131d9619dc1376e');
    expect(retailMac(own, Buffer.from('Hello World !!!!')).toString('hex')).toBe('f09b856213bab83b');
  });
});

describe('AES-CMAC is that of RFC 4493', () => {
  const key = bytes('2b7e151628aed2a6abf7158809cf4f3c');
  const text = bytes(
    '6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51 30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710',
  );
  test.each([
    [0, 'bb1d6929e95937287fa37d129b756746'],
    [16, '070a16b46b4d4144f79bdd9dd04a287c'],
    [40, 'dfa66747de9ae63030ca32611497c827'],
    [64, '51f0bebf7e3b9d92fc49741779363cfe'],
  ])('of %i bytes', (length, mac) => {
    expect(aesCmac(key, text.subarray(0, length)).toString('hex')).toBe(mac);
  });
});

test('HMAC is that of RFC 4231, as far as it is sent', () => {
  const mac = messageMac({ algorithm: 'hmac-sha256', bytes: 8 }, new Secret('0b'.repeat(20)));
  const text = Buffer.from('Hi There');
  expect(mac.of(text).toString('hex')).toBe('b0344c61d8db3853');
  expect(mac.fits(text, bytes('b0344c61d8db3853'))).toBe(true);
  expect(mac.fits(text, bytes('b0344c61d8db3854'))).toBe(false);
  expect(mac.fits(text, bytes('b0344c61'))).toBe(false);
});
