import { countriesIn } from './countries.ts';
import type { Locale } from './locales.ts';
import { decimalsOf, fromMinor } from './money.ts';

/** How a language writes what is no word. */
export interface Formats {
  /** What amounts are likely in where the language is spoken. */
  readonly ownCurrency: string;
  /** An amount with its currency, from the smallest unit. */
  readonly money: (amountMinor: number, currency: string) => string;
  /** An amount without its currency, as it stands in a field. */
  readonly written: (amountMinor: number, currency: string) => string;
  /** An amount in few characters and without its currency, for the scale of a chart. */
  readonly short: (amountMinor: number, currency: string) => string;
  readonly number: (value: number) => string;
  /** A share from 0 to 1. */
  readonly percent: (share: number) => string;
  /** The instant to the second, with its zone. */
  readonly exact: (instant: string) => string;
  /** How long ago, or until: "3 minutes ago". Beyond a month it is the day. */
  readonly relative: (instant: string, nowMs: number) => string;
  readonly day: (instant: string) => string;
  /** Of YYYY-MM. */
  readonly month: (month: string) => string;
  /** The name of a country by its two letters or three digits (ISO 3166-1); nothing where it is unknown, 999. Else the code. */
  readonly country: (code: string) => string;
}

const STEPS = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
] as const;
const DAYS_TOLD_RELATIVELY = 30;

const OWN_CURRENCIES: Readonly<Record<Locale, string>> = {
  'nb-NO': 'NOK',
  'sv-SE': 'SEK',
  'da-DK': 'DKK',
  'fi-FI': 'EUR',
  'en-US': 'EUR',
};

export function formatsOf(locale: Locale): Formats {
  const moneyFormats = new Map<string, Intl.NumberFormat>();
  const moneyFormat = (currency: string): Intl.NumberFormat => {
    const known = moneyFormats.get(currency);
    if (known !== undefined) return known;
    const decimals = decimalsOf(currency);
    const made = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    moneyFormats.set(currency, made);
    return made;
  };
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const exact = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
  const day = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' });
  const month = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const dayOf = (instant: string) => day.format(new Date(instant));
  return {
    ownCurrency: OWN_CURRENCIES[locale],
    money: (amountMinor, currency) => moneyFormat(currency).format(fromMinor(amountMinor, currency)),
    written: (amountMinor, currency) => {
      const decimals = decimalsOf(currency);
      const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
      return new Intl.NumberFormat(locale, digits).format(fromMinor(amountMinor, currency));
    },
    short: (amountMinor, currency) => short.format(fromMinor(amountMinor, currency)),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    exact: (instant) => exact.format(new Date(instant)),
    day: dayOf,
    month: (text) => month.format(new Date(`${text}-01T00:00:00Z`)),
    country: countriesIn(locale),
    relative: (instant, nowMs) => {
      const seconds = (Date.parse(instant) - nowMs) / 1000;
      if (Math.abs(seconds) > DAYS_TOLD_RELATIVELY * 86_400) return dayOf(instant);
      const [unit, size] = STEPS.findLast(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
      // A clock that is a little behind the service's must not tell of the future.
      return relative.format(Math.trunc(seconds / size) || 0, unit);
    },
  };
}
