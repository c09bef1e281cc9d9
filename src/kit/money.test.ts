import { describe, expect, test } from 'vitest';
import {
  amountMinor,
  type Currency,
  decimalsOf,
  formatMoney,
  isAmountMinor,
  parseCurrency,
  parseCurrencyInUse,
} from './money.ts';

describe('an amount', () => {
  test.each([0, 1, 999_999_999_999])('may be %d', (value) => expect(isAmountMinor(value)).toBe(true));
  test.each([-1, 0.5, 1_000_000_000_000, Number.NaN, Number.POSITIVE_INFINITY])('may not be %d', (value) => {
    expect(isAmountMinor(value)).toBe(false);
    expect(() => amountMinor(value)).toThrow('an amount is a whole number');
  });
});

describe('a currency', () => {
  test.each([
    ['NOK', 2],
    ['SEK', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['BHD', 3],
    ['CLF', 4],
  ] as const)('%s has %d decimals', (code, decimals) => {
    const currency = parseCurrency(code);
    expect(currency).toBe(code);
    expect(decimalsOf(currency as Currency)).toBe(decimals);
  });
  test('that has ended is shown, and nothing new is paid in it', () => {
    expect([parseCurrency('BGN'), parseCurrencyInUse('BGN')]).toEqual(['BGN', undefined]);
    expect(formatMoney(150, 'BGN' as Currency)).toBe('1.50 BGN');
    expect(parseCurrencyInUse('EUR')).toBe('EUR');
    expect(parseCurrencyInUse('ZZZ')).toBeUndefined();
  });
  test.each(['nok', 'NO', 'XXX', 'ZZZ', ''])('is not %j', (code) => expect(parseCurrency(code)).toBeUndefined());
});

test.each([
  [123450, 'NOK', '1234.50 NOK'],
  [-5, 'NOK', '-0.05 NOK'],
  [0, 'NOK', '0.00 NOK'],
  [500, 'JPY', '500 JPY'],
  [1, 'BHD', '0.001 BHD'],
] as const)('%d of %s is written %s', (minor, currency, text) => {
  expect(formatMoney(minor, currency as Currency)).toBe(text);
});
