import { assert } from '../kit/assert.ts';
import { overlapsSchemePrefix, passesLuhn } from '../kit/cards/card-number.ts';
import type { ProductTerms } from './gift-cards.types.ts';

/** How many digits of a product's card numbers are left to chance: all but the prefix and the check digit. */
export function randomDigitsOf({
  numberLength,
  numberPrefix,
}: Pick<ProductTerms, 'numberLength' | 'numberPrefix'>): number {
  return numberLength - numberPrefix.length - 1;
}

/** A card number: the product's prefix, random digits, and the digit that makes it pass the Luhn check. */
export function giftCardNumber(product: Pick<ProductTerms, 'numberLength' | 'numberPrefix'>, random: string): string {
  assert(random.length === randomDigitsOf(product), 'the random digits fill the number up to its check digit');
  const body = product.numberPrefix + random;
  const digit = Array.from('0123456789').find((candidate) => passesLuhn(body + candidate));
  assert(digit !== undefined, 'one digit of ten passes');
  return body + digit;
}

/**
 * Whether cards could begin so without being taken for those of another issuer: no known scheme has such numbers, no
 * external issuer decides on them, and no card range knows them.
 *
 * @param others prefixes of external issuers and of card ranges
 */
export function isFreePrefix(prefix: string, others: readonly string[]): boolean {
  return !overlapsSchemePrefix(prefix) && !others.some((other) => other.startsWith(prefix) || prefix.startsWith(other));
}
