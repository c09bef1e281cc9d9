import { assert } from './assert.ts';
import type { Branded } from './ids.ts';

/** An amount of money in the currency's smallest unit: a whole number from 0 to `LARGEST_AMOUNT_MINOR`. */
export type AmountMinor = Branded<number, 'AmountMinor'>;

/** An ISO 4217 code of the table below, in capitals. */
export type Currency = Branded<string, 'Currency'>;

/** The sum of nine thousand such amounts is still a safe integer. */
export const LARGEST_AMOUNT_MINOR = 999_999_999_999;

/** Nothing. */
export const ZERO_MINOR = 0 as AmountMinor;

/** Whether a number is an amount: whole, not below 0, not above the largest. */
export function isAmountMinor(value: number): value is AmountMinor {
  return Number.isSafeInteger(value) && value >= 0 && value <= LARGEST_AMOUNT_MINOR;
}

/**
 * A number that must be an amount by our own reckoning.
 *
 * @throws AssertionFailure where it is none: a sum of ours went below zero or out of bounds
 */
export function amountMinor(value: number): AmountMinor {
  assert(isAmountMinor(value), 'an amount is a whole number from 0 to the largest one');
  return value;
}

/** The currencies by their number of decimals (ISO 4217, table A.1). The usual number is two. */
const CURRENCIES_BY_DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW ' +
    'CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ' +
    'ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV ' +
    'MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD ' +
    'SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/**
 * Currencies of the table that have ended (ISO 4217, table A.3). Nothing new is paid in them; what was paid before is shown,
 * settled and given back as ever.
 */
const ENDED: readonly string[] = ['BGN'];

const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries(CURRENCIES_BY_DECIMALS).flatMap(([decimals, codes]) =>
    codes.split(' ').map((code) => [code, Number(decimals)] as const),
  ),
);

/** The codes of all currencies. */
export const CURRENCY_CODES: readonly string[] = [...DECIMALS.keys()];

/** The text as a currency, in use or ended, or undefined where ISO 4217 has none of this code. Capitals only. */
export function parseCurrency(text: string): Currency | undefined {
  return DECIMALS.has(text) ? (text as Currency) : undefined;
}

/** The text as a currency that something new may be paid in: one that has not ended. */
export function parseCurrencyInUse(text: string): Currency | undefined {
  return ENDED.includes(text) ? undefined : parseCurrency(text);
}

/** How many decimals a currency has: 2 for NOK, 0 for JPY, 3 for BHD. */
export function decimalsOf(currency: Currency): number {
  const decimals = DECIMALS.get(currency);
  assert(decimals !== undefined, 'a currency is one of the table');
  return decimals;
}

/** An amount as a decimal number with its currency, for people: `1234.50 NOK`. Negative sums are fine here. */
export function formatMoney(minor: number, currency: Currency): string {
  return `${formatAmount(minor, currency)} ${currency}`;
}

/** An amount as a decimal number: `1234.50`. */
export function formatAmount(minor: number, currency: Currency): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${minor < 0 ? '-' : ''}${whole}${rest}`;
}
