import type { Transaction } from '../db/transaction.types.ts';
import { insertCardRanges } from './card-ranges.store.ts';
import type { CardRange } from './vault.types.ts';

/** How many of a number's first digits a range of the sandbox has. */
const DIGITS = 6;

/**
 * Makes test cards of the installation's own: adds their first six digits to the sandbox's ranges. What is there stays,
 * so twice is as once.
 *
 * @param prefixes first digits of their numbers, 4 or more each
 */
export async function addOwnCardRanges(transaction: Transaction, prefixes: readonly string[]): Promise<void> {
  await insertCardRanges(transaction, 'sandbox', ownCardRanges(prefixes));
}

/** The ranges of an installation's own cards: all first six digits of numbers that begin with these prefixes. */
function ownCardRanges(prefixes: readonly string[]): (CardRange & { readonly prefix: string })[] {
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
