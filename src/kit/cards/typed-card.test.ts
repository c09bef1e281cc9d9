import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DIGIT_SPELLINGS,
  expirySpellings,
  NUMBER_SEPARATORS,
  numberSpellings,
} from '../../../test/support/payer/typed-spellings.ts';
import { plainDigits, typedExpiry, typedName } from './typed-card.ts';

const NUMBER = '4925000000000004';
const spelling = fc.constantFrom(...Object.values(DIGIT_SPELLINGS));
const separator = fc.constantFrom('', ...Object.values(NUMBER_SEPARATORS));
const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });

describe('digits', () => {
  test.each(numberSpellings(NUMBER))('are read %s', (_, text) => expect(plainDigits(text)).toBe(NUMBER));

  test.each(Object.entries(DIGIT_SPELLINGS))('of a code are read %s', (_, spell) => {
    expect(plainDigits(spell('0734'))).toBe('0734');
  });

  test('are read in each spelling, in groups of any length with any separators', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(digits(1, 5), separator, spelling), { maxLength: 8 }), (groups) => {
        const text = groups.map(([group, between, spell]) => spell(group) + between).join('');
        expect(plainDigits(text)).toBe(groups.map(([group]) => group).join(''));
      }),
    );
  });

  test.each(['49x5', 'O123', 'l23', '\u0661\u0662\u0663a', '\u4e00'])('do not hide the letters of %j', (text) => {
    expect(plainDigits(text)).toMatch(/\P{Nd}/u);
  });

  test('are read in linear time', () => {
    const before = performance.now();
    plainDigits(`${'\u0301\u0316'.repeat(50_000)}${'1 '.repeat(50_000)}`);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe('an expiry', () => {
  test.each(expirySpellings())('is read as %s', (_, text) => {
    const { month, year } = typedExpiry(text) ?? {};
    expect([month, year?.slice(-2)]).toEqual(['12', '39']);
  });

  test.each([
    ['8/29', { month: '8', year: '29' }],
    ['829', { month: '8', year: '29' }],
    ['0829', { month: '08', year: '29' }],
    ['08 / 2029', { month: '08', year: '2029' }],
    ['2029-8', { month: '8', year: '2029' }],
    ['1220', { month: '12', year: '20' }],
    ['012030', { month: '01', year: '2030' }],
    ['202012', { month: '12', year: '2020' }],
  ])('%s is read as %j', (text, expiry) => expect(typedExpiry(text)).toEqual(expiry));

  test.each([
    '',
    '/',
    '12',
    '13/39',
    '0/39',
    '12/039',
    '39/12',
    '1939-12',
    '2039-13',
    '12/39/1',
    '2039-12-31',
    'dec 39',
  ])('%j is none', (text) => expect(typedExpiry(text)).toBeUndefined());

  test('is read in each spelling, whichever part comes first', () => {
    const typed = fc.record({
      month: fc.integer({ min: 1, max: 12 }),
      year: fc.integer({ min: 2026, max: 2099 }),
      between: fc.constantFrom('/', '-', '.', ' / ', ' ', '\uff0f', '\u2013', '\u200e/\u200e'),
      digitsOfMonth: fc.constantFrom(1, 2),
      isYearFirst: fc.boolean(),
      spell: spelling,
    });
    fc.assert(
      fc.property(typed, ({ month, year, between, digitsOfMonth, isYearFirst, spell }) => {
        const parts = [String(month).padStart(digitsOfMonth, '0'), String(year)].map(spell);
        const read = typedExpiry((isYearFirst ? parts.reverse() : parts).join(between));
        expect([Number(read?.month), Number(read?.year)]).toEqual([month, year]);
      }),
    );
  });
});

describe('a name', () => {
  test.each([
    ['  Ada Example ', 'Ada Example'],
    ['\u200eAda\u200f', 'Ada'],
    ['\u202aAda\u202c \u2066Example\u2069', 'Ada Example'],
    ['\ufeffAda\u200b', 'Ada'],
    [
      '\u0646\u0648\u0634\u06cc\u0646\u200c\u0631\u0648\u0627\u0646',
      '\u0646\u0648\u0634\u06cc\u0646\u200c\u0631\u0648\u0627\u0646',
    ],
    ['\u200e', ''],
  ])('%j is read as %j', (text, name) => expect(typedName(text)).toBe(name));
});
