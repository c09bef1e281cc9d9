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

/** A brand's name as clients know it, whatever its spelling; a name that we do not know stays as it is. */
export function brandName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  const known = Object.entries(BRANDS).find(
    ([brand, others]) => brand.toLowerCase() === plain || others.includes(plain),
  );
  return known?.[0] ?? name;
}
