/**
 * Card numbers: which ones are well-formed, how they begin, and how they are shown; `find-card-numbers.ts` finds them in
 * text. A gift-card number counts as a card number throughout.
 */

/** The digits pass the Luhn check (ISO/IEC 7812-1, annex B). Digits only; the caller has checked that. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    let digit = digits.charCodeAt(index) - 48;
    if (double) {
      digit *= 2;
      if (digit > 9) digit -= 9;
    }
    sum += digit;
  }
  return sum % 10 === 0;
}

/**
 * First six, asterisks, last four (PCI DSS 4.0.1, 3.4.1). Fewer than 5 hidden digits would leave too few guesses;
 * then only the last four are shown.
 */
export function maskCardNumber(digits: string): string {
  const hidden = digits.length - 10;
  if (hidden < 5) return '*'.repeat(Math.max(digits.length - 4, 0)) + digits.slice(-4);
  return digits.slice(0, 6) + '*'.repeat(hidden) + digits.slice(-4);
}

/** How a scheme's numbers begin, as an inclusive range of equally long prefixes, and how long they may be. */
interface SchemeRange {
  readonly from: string;
  readonly to: string;
  readonly lengths: readonly number[];
}

const LENGTHS_16_TO_19 = [16, 17, 18, 19];
const DINERS_LENGTHS = [14, ...LENGTHS_16_TO_19];

/** The schemes' published prefixes, with the lengths of the numbers that they issue (ISO/IEC 7812 issuer ranges). */
export const SCHEME_RANGES: readonly SchemeRange[] = [
  { from: '4', to: '4', lengths: [16, 19] }, // Visa, with the co-badged national schemes below it
  { from: '51', to: '55', lengths: [16] }, // Mastercard
  { from: '2221', to: '2720', lengths: [16] }, // Mastercard
  { from: '34', to: '34', lengths: [15] }, // American Express
  { from: '37', to: '37', lengths: [15] }, // American Express
  { from: '300', to: '305', lengths: DINERS_LENGTHS }, // Diners Club
  { from: '3095', to: '3095', lengths: DINERS_LENGTHS }, // Diners Club
  { from: '36', to: '36', lengths: DINERS_LENGTHS }, // Diners Club
  { from: '38', to: '39', lengths: DINERS_LENGTHS }, // Diners Club
  { from: '3528', to: '3589', lengths: LENGTHS_16_TO_19 }, // JCB
  { from: '6011', to: '6011', lengths: LENGTHS_16_TO_19 }, // Discover
  { from: '644', to: '649', lengths: LENGTHS_16_TO_19 }, // Discover
  { from: '65', to: '65', lengths: LENGTHS_16_TO_19 }, // Discover, RuPay
  { from: '62', to: '62', lengths: LENGTHS_16_TO_19 }, // UnionPay
  { from: '81', to: '81', lengths: LENGTHS_16_TO_19 }, // UnionPay, RuPay
  { from: '50', to: '50', lengths: LENGTHS_16_TO_19 }, // Maestro, Dankort, Verve, Elo
  { from: '56', to: '58', lengths: LENGTHS_16_TO_19 }, // Maestro
  { from: '60', to: '60', lengths: LENGTHS_16_TO_19 }, // RuPay, Elo
  { from: '63', to: '63', lengths: LENGTHS_16_TO_19 }, // Maestro, Elo, InstaPayment
  { from: '67', to: '67', lengths: LENGTHS_16_TO_19 }, // Maestro
  { from: '2200', to: '2204', lengths: LENGTHS_16_TO_19 }, // Mir
  { from: '9792', to: '9792', lengths: [16] }, // Troy
];

/** UATP issues a tenth of all numbers of this one length. With other lengths no scheme issues it, so a gift card may begin like it. */
export const UATP_RANGE: SchemeRange = { from: '1', to: '1', lengths: [15] };

/** A number of this length that begins so belongs to a known card scheme. */
export function startsLikeSchemeCard(digits: string): boolean {
  const first = digits.charCodeAt(0);
  return SCHEME_RANGES.some(({ from, to, lengths }) => {
    if (first < from.charCodeAt(0) || first > to.charCodeAt(0)) return false;
    const start = digits.slice(0, from.length);
    return start >= from && start <= to && lengths.includes(digits.length);
  });
}

/** Whether all numbers that begin so begin like a card of a known scheme, whatever their length. */
export function isSchemePrefix(prefix: string): boolean {
  return SCHEME_RANGES.some(({ from, to }) => {
    const start = prefix.slice(0, from.length);
    return start.length === from.length && start >= from && start <= to;
  });
}

/** Whether some numbers that begin so begin like a card of a known scheme, whatever their length. */
export function overlapsSchemePrefix(prefix: string): boolean {
  return SCHEME_RANGES.some(({ from, to }) => {
    const length = Math.min(prefix.length, from.length);
    const start = prefix.slice(0, length);
    return start >= from.slice(0, length) && start <= to.slice(0, length);
  });
}

/** Further prefixes that count as a card's: those of the card-range table and of our own gift cards. */
export type CardPrefixes = readonly string[];
