/**
 * Card brands: how their numbers begin, how long the numbers are, and how long the code on the card is. The payment page's
 * script loads this file too, so it imports nothing.
 */

/** Digits of the code on a card. */
export type CodeLength = 3 | 4;

interface BrandRule {
  readonly prefix: RegExp;
  readonly brand: string;
  /** How many digits a number may have. */
  readonly lengths: readonly number[];
}

const LENGTHS_16_TO_19 = [16, 17, 18, 19];
const ANY_LENGTH = [12, 13, 14, 15, ...LENGTHS_16_TO_19];

/** The schemes' published prefixes that identify a brand, the more special ones first. */
const BRAND_RULES: readonly BrandRule[] = [
  { prefix: /^5019/, brand: 'Dankort', lengths: [16] },
  { prefix: /^4/, brand: 'Visa', lengths: [16, 19] },
  { prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, brand: 'Mastercard', lengths: [16] },
  { prefix: /^3[47]/, brand: 'Amex', lengths: [15] },
  { prefix: /^35(2[89]|[3-8])/, brand: 'JCB', lengths: LENGTHS_16_TO_19 },
  { prefix: /^3(0[0-5]|095|6|8|9)/, brand: 'Diners', lengths: [14, ...LENGTHS_16_TO_19] },
  { prefix: /^(6011|64[4-9]|65)/, brand: 'Discover', lengths: LENGTHS_16_TO_19 },
  { prefix: /^62/, brand: 'UnionPay', lengths: LENGTHS_16_TO_19 },
  { prefix: /^(50|5[6-8]|6[37])/, brand: 'Maestro', lengths: ANY_LENGTH },
];

/** The brand that the first digits of a number identify; undefined if they do not identify one, or not yet. */
export function brandOf(number: string): string | undefined {
  return BRAND_RULES.find(({ prefix }) => prefix.test(number))?.brand;
}

/** How many digits a number of the brand may have: 12 to 19 if the brand is unknown. */
export function numberLengthsOf(brand: string | undefined): readonly number[] {
  return BRAND_RULES.find((rule) => rule.brand === brand)?.lengths ?? ANY_LENGTH;
}

/** How many digits the code of the brand has. */
export function codeLengthOf(brand: string | undefined): CodeLength {
  return brand === 'Amex' ? 4 : 3;
}

/** Whether the code may be left out: many Maestro cards have none. */
export function isCodeOptional(brand: string | undefined): boolean {
  return brand === 'Maestro';
}
