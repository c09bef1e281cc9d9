/** Brands under the names that clients know, and how else files write them. */
const BRANDS: Readonly<Record<string, readonly string[]>> = {
  Visa: ['visaelectron', 'vpay'],
  Mastercard: ['mc', 'eurocard'],
  Amex: ['americanexpress', 'ax'],
  Dankort: ['visadankort'],
  Maestro: [],
  JCB: [],
  Diners: ['dinersclub', 'dinersclubinternational'],
  Discover: [],
  UnionPay: ['chinaunionpay', 'cup'],
};

/** All brands that a payment can take cards of. */
export const CARD_BRANDS: readonly string[] = Object.keys(BRANDS);

/** Of the schemes' published prefixes those that tell a brand, the more special ones first. */
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

/** The brand that a number's first digits tell where the card ranges have no entry; undefined where they do not either. */
export function brandOf(number: string): string | undefined {
  return PREFIXES.find(([prefix]) => prefix.test(number))?.[1];
}

/** A brand's name as clients know it, whatever its spelling; a name that we do not know stays as it is. */
export function brandName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  const known = Object.entries(BRANDS).find(
    ([brand, others]) => brand.toLowerCase() === plain || others.includes(plain),
  );
  return known?.[0] ?? name;
}
