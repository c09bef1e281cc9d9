import type { CardRange } from './vault.types.ts';

/** How many of a number's first digits the sandbox's ranges have. */
const DIGITS = 6;

const NORWAY = '578';
const SWEDEN = '752';
const DENMARK = '208';
const FINLAND = '246';

/** The first six digits of the sandbox's test cards. The banks are made up; the countries are ISO 3166-1 numeric. */
export const SANDBOX_CARD_RANGES: readonly (CardRange & { readonly prefix: string })[] = [
  range('492500', 'Visa', 'Debit', 'Fjordbanken', NORWAY),
  range('458109', 'Visa', 'Credit', 'Mälarbanken', SWEDEN),
  range('476173', 'Visa', 'Credit', 'Saimaan Pankki', FINLAND),
  range('522660', 'Mastercard', 'Credit', 'Fjordbanken', NORWAY),
  range('522661', 'Mastercard', 'Debit', 'Mälarbanken', SWEDEN),
  { ...range('377601', 'Amex', 'Credit', 'Nordkort', SWEDEN), holderType: 'Corporate' },
  range('501999', 'Dankort', 'Debit', 'Sundbanken', DENMARK),
  range('676442', 'Maestro', 'Debit', 'Sundbanken', DENMARK),
  range('356999', 'JCB', 'Credit', 'Nordkort', SWEDEN),
  range('361482', 'Diners', 'Credit', 'Nordkort', SWEDEN),
];

function range(
  ...[prefix, brand, cardType, issuerName, countryCode]: [string, string, 'Debit' | 'Credit', string, string]
): CardRange & { readonly prefix: string } {
  return { prefix, brand, cardType, holderType: 'Consumer', issuerName, countryCode };
}

/** The ranges of an installation's own cards: all first six digits of numbers that begin with these prefixes. */
export function ownCardRanges(prefixes: readonly string[]): (CardRange & { readonly prefix: string })[] {
  return [...new Set(prefixes.flatMap(firstSixOf))].map((prefix) => ({ prefix, ...OWN_CARD }));
}

const OWN_CARD: CardRange = {
  brand: 'GiftCard',
  cardType: null,
  holderType: null,
  issuerName: 'Kontor',
  countryCode: null,
};

function firstSixOf(prefix: string): string[] {
  const missing = Math.max(DIGITS - prefix.length, 0);
  const start = prefix.slice(0, DIGITS);
  return Array.from({ length: 10 ** missing }, (_, index) => (missing === 0 ? start : start + padded(index, missing)));
}

function padded(index: number, digits: number): string {
  return String(index).padStart(digits, '0');
}
