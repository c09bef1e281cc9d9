import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { words as danish } from '../../locales/portal-da-DK.ts';
import { words as english } from '../../locales/portal-en-US.ts';
import { words as finnish } from '../../locales/portal-fi-FI.ts';
import { words as norwegian } from '../../locales/portal-nb-NO.ts';
import { words as swedish } from '../../locales/portal-sv-SE.ts';
import { daysOf } from '../../portal/src/parts/days.ts';
import { narrowed, queryOf, readFilters } from '../../portal/src/payments/filters.ts';
import { countriesIn } from '../../portal/src/words/countries.ts';
import { decimalsOf, fromMinor, readAmount, toMinor } from '../../portal/src/words/money.ts';
import { type Currency, decimalsOf as decimalsOfService, parseCurrency } from '../../src/kit/money.ts';

const OTHERS = { danish, finnish, norwegian, swedish };
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

describe('the texts of the portal', () => {
  test.each(Object.entries(OTHERS))('have the same values and as many forms in %s as in English', (_, words) => {
    for (const [key, text] of Object.entries(english)) {
      const other = words[key as keyof typeof english];
      const valuesIn = (form: string) => [...new Set(form.match(/\{\w+\}/g))].sort();
      expect(valuesIn(other), key).toEqual(valuesIn(text));
      expect(other.split(' | ').length, key).toBe(text.split(' | ').length);
      expect(other.trim(), key).not.toBe('');
    }
  });

  test('have two forms wherever they count', () => {
    for (const text of Object.values(english)) {
      if (text.includes('{count}')) expect(text).toContain(' | ');
    }
  });
});

describe('countries', () => {
  test.each([
    ['578', 'nb-NO', 'Norge'],
    ['246', 'sv-SE', 'Finland'],
    ['752', 'fi-FI', 'Ruotsi'],
    ['208', 'da-DK', 'Danmark'],
    ['840', 'en-US', 'United States'],
    ['NO', 'fi-FI', 'Norja'],
    ['no', 'en-US', 'Norway'],
    ['999', 'en-US', ''],
    ['001', 'en-US', '001'],
    ['Norway', 'nb-NO', 'Norway'],
    ['1', 'nb-NO', '1'],
  ] as const)('are named in the language: %s in %s', (code, locale, name) => {
    expect(countriesIn(locale)(code)).toBe(name);
  });
});

describe('amounts', () => {
  test('have as many decimals as in the service, in every currency', () => {
    const codes = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c)));
    const currencies = codes.map(parseCurrency).filter((currency): currency is Currency => currency !== undefined);
    expect(currencies.length).toBeGreaterThan(150);
    for (const currency of currencies) expect(decimalsOf(currency), currency).toBe(decimalsOfService(currency));
  });

  test('become what was typed, in the smallest unit', () => {
    expect(toMinor(1234.5, 'NOK')).toBe(123_450);
    expect(toMinor(0.29, 'SEK')).toBe(29);
    expect(toMinor(500, 'JPY')).toBe(500);
    expect(fromMinor(1_234, 'BHD')).toBe(1.234);
  });

  test.each([
    ['12.5', 'NOK', 1250],
    ['12,50', 'NOK', 1250],
    ['1 234,5', 'SEK', 123_450],
    ['1,234.50', 'EUR', 123_450],
    ['1.234,50', 'DKK', 123_450],
    ['1,234', 'USD', 123_400],
    ['1,234,567', 'USD', 123_456_700],
    ['1.234', 'KWD', 1234],
    ['1.5', 'BHD', 1500],
    ['12,345', 'JPY', 12_345],
    ['500', 'JPY', 500],
    ['999 999 999.99', 'NOK', 99_999_999_999],
    ['1.5', 'JPY', undefined],
    ['1.2345', 'KWD', undefined],
    ['1.25x', 'NOK', undefined],
    ['-1', 'NOK', undefined],
    ['', 'NOK', undefined],
    [' 1 234,50 ', 'NOK', 123_450],
    ["1'234.50", 'CHF', 123_450],
    ['1’234’567', 'CHF', 123_456_700],
    ['1.234.567,5', 'DKK', 123_456_750],
    ['1,234.500', 'KWD', 1_234_500],
    // A decimal too many is no group of thousands, and neither are two digits.
    ['0.500', 'NOK', undefined],
    ['0,125', 'EUR', undefined],
    ['00.500', 'NOK', undefined],
    ['0.500', 'JPY', undefined],
    ['12,34,56', 'NOK', undefined],
    ['12,34,567', 'NOK', undefined],
    ['1234.567', 'NOK', undefined],
    ['1,234,56', 'NOK', undefined],
    ['1.234.56', 'NOK', undefined],
    ['1,234.567', 'NOK', undefined],
    ['1 234 56', 'NOK', undefined],
    ['12 34', 'NOK', undefined],
    ['1.234 567', 'NOK', undefined],
    ['1 234.567', 'NOK', undefined],
    ['12..5', 'NOK', undefined],
    ['.5', 'NOK', undefined],
    ['5.', 'NOK', undefined],
    ['12.345', 'BHD', 12_345],
    ['12.345.678', 'BHD', 12_345_678_000],
  ])('%j in %s is read as %s', (text, currency, minor) => {
    expect(readAmount(text, currency)).toBe(minor);
  });

  const CURRENCIES = ['JPY', 'NOK', 'KWD'];
  const LANGUAGES = ['da-DK', 'en-US', 'fi-FI', 'nb-NO', 'sv-SE', 'de-CH'];

  test('are read as the portal writes them, in every language and with any number of decimals', () => {
    const written = fc.record({
      minor: fc.integer({ min: 0, max: 99_999_999_999 }),
      currency: fc.constantFrom(...CURRENCIES),
      language: fc.constantFrom(...LANGUAGES),
      useGrouping: fc.boolean(),
    });
    fc.assert(
      fc.property(written, ({ minor, currency, language, useGrouping }) => {
        const decimals = decimalsOf(currency);
        const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping };
        const text = new Intl.NumberFormat(language, digits).format(fromMinor(minor, currency));
        expect(readAmount(text, currency), `${text} ${currency}`).toBe(minor);
      }),
    );
  });

  /** All ways to write an amount: with a mark between thousands or none, another one before decimals, and no zeros behind these. */
  function writings(minor: number, currency: string): string[] {
    const decimals = decimalsOf(currency);
    const digits = String(minor).padStart(decimals + 1, '0');
    const whole = digits.slice(0, digits.length - decimals);
    const part = digits.slice(digits.length - decimals);
    const parts = Array.from({ length: decimals + 1 }, (_, most) => part.slice(0, most)).filter(
      (some) => Number(part.slice(some.length)) === 0,
    );
    return ['', ' ', "'", '.', ','].flatMap((group) => {
      const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
      return ['.', ',']
        .filter((mark) => mark !== group)
        .flatMap((mark) => parts.map((some) => (some === '' ? grouped : `${grouped}${mark}${some}`)));
    });
  }

  test('are taken in these ways alone, whatever is typed', () => {
    const digits = fc.stringMatching(/^\d{1,4}$/);
    const typed = fc.record({
      text: fc
        .array(fc.tuple(digits, fc.constantFrom('.', ',', ' ', "'")), { minLength: 1, maxLength: 4 })
        .map((pieces) => pieces.flat().join('').slice(0, -1)),
      currency: fc.constantFrom(...CURRENCIES),
    });
    let taken = 0;
    fc.assert(
      fc.property(typed, ({ text, currency }) => {
        const minor = readAmount(text, currency);
        if (minor === undefined) return;
        taken++;
        expect(writings(minor, currency), text).toContain(text.replace(/^0+(?=\d)/, ''));
      }),
      { numRuns: 2_000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});

describe('the filters of payments', () => {
  test('keep what was chosen before, until it is chosen otherwise', () => {
    expect(narrowed({ state: 'Captured', from: '2026-01-02' }, { kind: 'Recur' })).toEqual({
      state: 'Captured',
      kind: 'Recur',
      from: '2026-01-02',
    });
    expect(narrowed({ state: 'Captured', kind: 'Recur' }, { amountFrom: '10', amountTo: '' })).toEqual({
      state: 'Captured',
      kind: 'Recur',
      amountFrom: '10',
    });
    expect(narrowed({ state: 'Captured' }, { state: undefined })).toEqual({});
  });

  test('let a search stand alone, and end it when something else is chosen', () => {
    expect(narrowed({ state: 'Captured', family: 'card' }, { search: 'order-1' })).toEqual({
      family: 'card',
      search: 'order-1',
    });
    expect(narrowed({ search: 'order-1' }, { state: 'Failed' })).toEqual({ state: 'Failed' });
  });

  test('keep the currency with the amounts', () => {
    expect(narrowed({ amountFrom: '10', currency: 'JPY' }, { state: 'Failed' })).toEqual({
      state: 'Failed',
      amountFrom: '10',
      currency: 'JPY',
    });
  });

  test('forget a state that there is none of', () => {
    expect(readFilters({ state: 'Paid', kind: 'Recur' })).toEqual({ kind: 'Recur' });
  });

  test('read an address, whatever is in it', () => {
    expect(readFilters({ state: 'Captured', search: 17, other: 'x', from: { a: 1 } })).toEqual({
      state: 'Captured',
      search: '17',
    });
  });

  test('become what the API takes', () => {
    expect(queryOf({ amountTo: '500', currency: 'JPY' }, 'UTC')).toEqual({
      amountFrom: '0',
      amountTo: '500',
      currency: 'JPY',
    });
    expect(queryOf({ amountFrom: '1.5', currency: 'KWD' }, 'UTC')).toMatchObject({ amountFrom: '1500' });
    // Without a currency it is not known what an amount is: the page asks for it, and no list is cut down by a guess.
    expect(queryOf({ amountFrom: '10', amountTo: '20' }, 'UTC')).toEqual({});
    const day = { from: '2026-03-01', to: '2026-03-01' };
    const query = queryOf({ ...day, amountFrom: '1 000,5', currency: 'NOK' }, 'Europe/Oslo');
    expect(query).toMatchObject({ amountFrom: '100050', amountTo: '999999999999' });
    const [from, to] = [query['from'], query['to']].map((instant) => Date.parse(instant ?? ''));
    expect((to ?? 0) - (from ?? 0)).toBe(86_400_000);
    expect(queryOf({ from: 'never' }, 'UTC')['from']).toBeUndefined();
  });
});

describe('a day', () => {
  const day = (text: string, timeZone: string) => Object.values(daysOf({ from: text, to: text }, timeZone));

  test.each([
    ['Europe/Oslo', '2026-03-01', '2026-02-28T23:00:00.000Z', '2026-03-01T23:00:00.000Z'],
    // 23 and 25 hours long.
    ['Europe/Oslo', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Europe/Oslo', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['Asia/Tokyo', '2026-01-01', '2025-12-31T15:00:00.000Z', '2026-01-01T15:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-06-30', '2026-06-29T10:00:00.000Z', '2026-06-30T10:00:00.000Z'],
    ['Asia/Kathmandu', '2026-06-30', '2026-06-29T18:15:00.000Z', '2026-06-30T18:15:00.000Z'],
    // Midnight comes twice, and the second one begins the day; and not at all.
    ['Atlantic/Azores', '2025-10-26', '2025-10-26T01:00:00.000Z', '2025-10-27T01:00:00.000Z'],
    ['Atlantic/Azores', '2025-10-25', '2025-10-25T00:00:00.000Z', '2025-10-26T01:00:00.000Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z', '2026-03-29T21:00:00.000Z'],
    ['UTC', '2026-12-31', '2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ])('in %s begins and ends where the payee is: %s', (timeZone, text, from, to) => {
    expect(day(text, timeZone)).toEqual([from, to]);
  });
});
