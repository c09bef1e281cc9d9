/** First digits that tell a brand, the more special ones first: the same as the server knows. */
const PREFIXES: readonly (readonly [prefix: RegExp, brand: string])[] = [
  [/^5019/, 'Dankort'],
  [/^4/, 'Visa'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'Mastercard'],
  [/^3[47]/, 'Amex'],
  [/^35(2[89]|[3-8])/, 'JCB'],
  [/^3(0[0-5]|095|6|8|9)/, 'Diners'],
  [/^(6011|64[4-9]|65)/, 'Discover'],
  [/^62/, 'UnionPay'],
  [/^(50|5[6-8]|6[37])/, 'Maestro'],
];

/** The brand that a number's first digits tell; undefined where they do not yet, or not at all. */
export function brandOf(digits: string): string | undefined {
  return PREFIXES.find(([prefix]) => prefix.test(digits))?.[1];
}

/** How many digits the security code of a brand has. */
export function codeLength(brand: string | undefined): 3 | 4 {
  return brand === 'Amex' ? 4 : 3;
}

/** Most digits that a number of the brand has. */
export function numberLength(brand: string | undefined): number {
  if (brand === 'Amex') return 15;
  return brand === 'Mastercard' || brand === 'Dankort' ? 16 : 19;
}
