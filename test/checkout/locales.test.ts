import { describe, expect, it } from 'vitest';
import { PAGE_TEXTS } from '../../locales/page-texts.ts';
import { parseCurrency } from '../../src/kit/money.ts';
import { localeFor, writeAmount } from '../../src/payments/page/page-language.http.ts';

type Texts = Readonly<Record<string, string>>;
const english = PAGE_TEXTS['en-US'] as unknown as Texts;
const words = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
/** One language's own way to put it: Finnish names no payee in a button. */
const LANGUAGES = Object.entries(PAGE_TEXTS) as unknown as readonly (readonly [string, Texts])[];

describe.each(LANGUAGES)('%s', (locale, texts) => {
  it('says everything', () => {
    expect(Object.entries(texts).filter(([, text]) => text.trim() === '' || text !== text.trim())).toEqual([]);
  });

  it('has the same words in braces as English', () => {
    const other = Object.keys(texts).filter(
      (name) => `${words(texts[name] ?? '')}` !== `${words(english[name] ?? '')}`,
    );
    expect(other).toEqual([]);
  });

  it('is a translation', () => {
    if (locale === 'en-US') return;
    const same = Object.keys(texts).filter((name) => texts[name] === english[name]);
    expect(same).toEqual([]);
  });
});

it.each([
  ['nb-NO', 'nb-NO'],
  ['no', 'nb-NO'],
  ['nn-NO', 'nb-NO'],
  ['SV', 'sv-SE'],
  ['da-DK', 'da-DK'],
  ['fi', 'fi-FI'],
  ['de-DE', 'en-US'],
  ['en-GB', 'en-US'],
])('a payment in %s is shown in %s', (tag, locale) => {
  expect(localeFor(tag)).toBe(locale);
});

it.each([
  ['nb-NO', 'NOK', 123450, '1 234,50 kr'],
  ['nb-NO', 'SEK', 123450, '1 234,50 SEK'],
  ['sv-SE', 'SEK', 100, '1,00 kr'],
  ['da-DK', 'DKK', 123450, '1.234,50 kr.'],
  ['fi-FI', 'EUR', 123450, '1 234,50 €'],
  ['en-US', 'NOK', 123450, 'NOK 1,234.50'],
  ['en-US', 'JPY', 1500, 'JPY 1,500'],
  ['en-US', 'BHD', 1500, 'BHD 1.500'],
  ['en-US', 'USD', 999_999_999_999, '$9,999,999,999.99'],
] as const)('in %s an amount of %s, %i, is %s', (locale, code, minor, text) => {
  const currency = parseCurrency(code);
  if (currency === undefined) throw new Error('a currency of the table');
  expect(writeAmount(locale, { minor, currency }).replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(text);
});
