import { PAGE_TEXTS } from '../../../locales/page-texts.ts';
import type { PageLocale, PageTexts } from '../../../locales/page-texts.types.ts';
import { type Currency, decimalsOf } from '../../kit/money.ts';

/** All languages of the pages, in the order in which they are offered. */
export const PAGE_LOCALES = Object.keys(PAGE_TEXTS) as readonly PageLocale[];

/** The first part of a language tag, and the language that its sender gets. */
const BY_LANGUAGE: Readonly<Record<string, PageLocale>> = {
  nb: 'nb-NO',
  nn: 'nb-NO',
  no: 'nb-NO',
  sv: 'sv-SE',
  da: 'da-DK',
  fi: 'fi-FI',
};

/** The language for a tag such as `nb-NO`: English where it is none of ours. */
export function localeFor(tag: string): PageLocale {
  return BY_LANGUAGE[tag.toLowerCase().split('-', 1)[0] ?? ''] ?? 'en-US';
}

/** The language that an address asks for; undefined where it asks for none, or for one that is not offered. */
export function localeAsked(asked: unknown): PageLocale | undefined {
  return PAGE_LOCALES.find((locale) => locale === asked);
}

/** The texts of a language. */
export function textsIn(locale: PageLocale): PageTexts {
  return PAGE_TEXTS[locale];
}

/** Values for the words in braces. */
export type Words = Readonly<Record<string, string>>;

/** A text with its words in braces replaced. */
export function fill(text: string, words: Words): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}

/** Where a currency is at home it is written as people there do; everywhere else by its code, so that no kr is another's. */
const HOME: Readonly<Record<PageLocale, string>> = {
  'nb-NO': 'NOK',
  'sv-SE': 'SEK',
  'da-DK': 'DKK',
  'fi-FI': 'EUR',
  'en-US': 'USD',
};

/** Formatters by language and currency: making one costs more than all else of a page. There are some hundred at most. */
const FORMATTERS = new Map<string, Intl.NumberFormat>();

/** Where most who read a language are: the day of a payment is their day. */
const ZONE: Readonly<Record<PageLocale, string>> = {
  'nb-NO': 'Europe/Oslo',
  'sv-SE': 'Europe/Stockholm',
  'da-DK': 'Europe/Copenhagen',
  'fi-FI': 'Europe/Helsinki',
  'en-US': 'UTC',
};

/** The day of an instant, as it is written in a language: `22. november 2026`. */
export function writeDate(locale: PageLocale, instant: string): string {
  return new Date(instant).toLocaleDateString(locale, { dateStyle: 'long', timeZone: ZONE[locale] });
}

/** The time of day of an instant, as it is written in a language: `14:35`. */
export function writeTime(locale: PageLocale, instant: string): string {
  const zone = ZONE[locale];
  const time = new Date(instant).toLocaleTimeString(locale, { timeStyle: 'short', timeZone: zone });
  return zone === 'UTC' ? `${time} UTC` : time;
}

/** An amount with its currency, as it is written in a language: `1 234,50 kr`. */
export function writeAmount(locale: PageLocale, { minor, currency }: { minor: number; currency: Currency }): string {
  const decimals = decimalsOf(currency);
  const name = `${locale} ${currency}`;
  const formatter =
    FORMATTERS.get(name) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: HOME[locale] === currency ? 'narrowSymbol' : 'code',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  FORMATTERS.set(name, formatter);
  return formatter.format(minor / 10 ** decimals);
}
