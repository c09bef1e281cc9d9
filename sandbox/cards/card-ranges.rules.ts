import type { CardRange } from '../../src/vault/vault.types.ts';

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
