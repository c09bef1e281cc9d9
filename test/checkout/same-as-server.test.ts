import { describe, expect, it } from 'vitest';
import { brandOf, codeLength } from '../../checkout/card-brands.ts';
import { codeFault, expiryFault, numberFault } from '../../checkout/checks.ts';
import { passesLuhn } from '../../src/kit/cards/card-number.ts';
import { codeLength as serversCodeLength } from '../../src/payments/cards/card.rules.ts';
import { brandOf as serversBrandOf } from '../../src/vault/brands.rules.ts';
import { AMEX, MASTERCARD, VISA } from '../support/card-payments-shop.ts';
import { testCardNumber } from '../support/numbers.ts';

const PREFIXES = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(4, '0'));

describe('the page and the server', () => {
  it('know the same brands', () => {
    expect(PREFIXES.filter((prefix) => brandOf(prefix) !== serversBrandOf(prefix))).toEqual([]);
  });

  it('want as many digits of a code', () => {
    expect(PREFIXES.filter((prefix) => codeLength(brandOf(prefix)) !== serversCodeLength(prefix))).toEqual([]);
  });

  it('find the same numbers wrong', () => {
    for (const number of [
      VISA,
      MASTERCARD,
      AMEX,
      testCardNumber(7),
      `${VISA.slice(0, -1)}5`,
      '',
      '4925',
      `${VISA}${VISA}`,
    ]) {
      const isRight = /^\d{12,19}$/.test(number) && passesLuhn(number);
      expect(numberFault(number) === undefined, number.slice(-4)).toBe(isRight);
    }
    expect(numberFault('')).toBe('numberMissing');
    expect(numberFault('4925 0000 0000 0004')).toBeUndefined();
  });
});

it.each([
  ['', 'expiryMissing'],
  ['13/39', 'expiryWrong'],
  ['0/39', 'expiryWrong'],
  ['12', 'expiryWrong'],
  ['12/39', undefined],
  ['1/39', undefined],
  ['12/2039', undefined],
  ['11/26', undefined],
  ['10/26', 'expiryPast'],
  ['9/2026', 'expiryPast'],
  ['12/25', 'expiryPast'],
])('an expiry %s is %s in November 2026', (text, fault) => {
  expect(expiryFault(text, '2026-11')).toBe(fault);
});

it.each([
  ['', 3, 'cvcMissing'],
  ['12', 3, 'cvcWrong'],
  ['1234', 3, 'cvcWrong'],
  ['123', 4, 'cvcWrongAmex'],
  ['12x', 3, 'cvcWrong'],
  ['123', 3, undefined],
  ['1234', 4, undefined],
] as const)('a code %s of %i digits is %s', (text, length, fault) => {
  expect(codeFault(text, length)).toBe(fault);
});
