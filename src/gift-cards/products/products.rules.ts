import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { containsCardNumber } from '../../kit/cards/find-card-numbers.ts';
import { inputError, type ProblemDetail, Refusal } from '../../kit/errors.ts';
import { GIFT_CARD_MONTHS, NAME_CHARACTERS } from '../../kit/limits.ts';
import { isAmountMinor, parseCurrencyInUse } from '../../kit/money.ts';
import { randomDigitsOf } from '../card-number.rules.ts';
import type { AmountLimits, Product, ProductTerms } from '../gift-cards.types.ts';

/** Digits of a gift card's prefix, at least and at most: enough to know a card by, few enough to leave the rest to chance. */
const LEAST_GIFT_CARD_PREFIX_DIGITS = 4;
const GIFT_CARD_PREFIX_DIGITS = 8;
/** Random digits of a gift card's number at least: ten billion numbers for each prefix, so that guessing finds none. */
const GIFT_CARD_RANDOM_DIGITS = 10;

/** Not `.` and not `..`: in the address of a product they would be steps. */
const PRODUCT_ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;
const LENGTHS = [16, 17, 18, 19];

/** What must hold of a product's terms, member by member: undefined where nothing is wrong. */
const CHECKS: readonly ((terms: ProductTerms, prefixes: CardPrefixes) => ProblemDetail | undefined)[] = [
  ({ productId }) =>
    wrongUnless(
      PRODUCT_ID.test(productId),
      'productId',
      'must be 1 to 64 of A-Z, a-z, 0-9, dot, underscore and dash, and neither `.` nor `..`',
    ),
  ({ name }, prefixes) =>
    wrongUnless(isName(name, prefixes), 'name', `must have 1 to ${NAME_CHARACTERS} characters and no card number`),
  ({ currency }) =>
    wrongUnless(
      parseCurrencyInUse(currency) !== undefined,
      'currency',
      'must be a code of ISO 4217 that is in use, as in NOK',
    ),
  ({ numberLength }) => wrongUnless(LENGTHS.includes(numberLength), 'numberLength', 'must be 16 to 19'),
  ({ numberPrefix }) => wrongUnless(isPrefix(numberPrefix), 'numberPrefix', PREFIX_FORM),
  (terms) =>
    wrongUnless(
      randomDigitsOf(terms) >= GIFT_CARD_RANDOM_DIGITS,
      'numberPrefix',
      `must leave ${GIFT_CARD_RANDOM_DIGITS} digits to chance, and one to check the number`,
    ),
  ({ validityMonths: months }) =>
    wrongUnless(
      Number.isSafeInteger(months) && months >= 1 && months <= GIFT_CARD_MONTHS,
      'validityMonths',
      `must be 1 to ${GIFT_CARD_MONTHS}`,
    ),
  ({ smallestAmount }) => wrongUnless(isAmount(smallestAmount), 'smallestAmount', 'must be an amount above 0'),
  ({ smallestAmount, largestAmount }) =>
    wrongUnless(
      isAmount(largestAmount) && largestAmount >= smallestAmount,
      'largestAmount',
      'must be an amount, not below smallestAmount',
    ),
  ({ largestAmount, largestBalance }) =>
    wrongUnless(
      isAmount(largestBalance) && largestBalance >= largestAmount,
      'largestBalance',
      'must be an amount, not below largestAmount',
    ),
  ({ allowedProductIds }) =>
    wrongUnless(
      allowedProductIds.every((id) => PRODUCT_ID.test(id)),
      'allowedProductIds',
      'must each be 1 to 64 of A-Z, a-z, 0-9, dot, underscore and dash',
    ),
];

const PREFIX_FORM = `must be ${LEAST_GIFT_CARD_PREFIX_DIGITS} to ${GIFT_CARD_PREFIX_DIGITS} digits`;

/**
 * Refuses terms that no product may have, with one problem for each member.
 *
 * @throws Refusal `inputerror`
 */
export function refuseWrongTerms(terms: ProductTerms, prefixes: CardPrefixes): void {
  const problems = CHECKS.flatMap((check) => check(terms, prefixes) ?? []);
  if (problems.length === 0) return;
  throw new Refusal('inputerror', 'The request breaks the rules of its input; see problems.', { problems });
}

function wrongUnless(isRight: boolean, name: string, description: string): ProblemDetail | undefined {
  return isRight ? undefined : { name, description };
}

function isName(name: string, prefixes: CardPrefixes): boolean {
  const { length } = name.trim();
  return length >= 1 && length <= NAME_CHARACTERS && !/\p{Cc}/u.test(name) && !containsCardNumber(name, prefixes);
}

function isPrefix(prefix: string): boolean {
  const { length } = prefix;
  return /^[0-9]+$/.test(prefix) && length >= LEAST_GIFT_CARD_PREFIX_DIGITS && length <= GIFT_CARD_PREFIX_DIGITS;
}

function isAmount(minor: number): boolean {
  return isAmountMinor(minor) && minor > 0;
}

/** Whether a product says what the terms say: what a repeated request is compared with. */
export function hasTerms(product: Product, terms: ProductTerms): boolean {
  const { allowedProductIds, isDefault: _, mergeKeepsLimits: _settable, ...plain } = terms;
  const names = Object.keys(plain) as (keyof typeof plain)[];
  return (
    names.every((name) => product[name] === terms[name]) &&
    product.allowedProductIds.join(' ') === allowedProductIds.join(' ')
  );
}
/**
 * Refuses an amount that is outside of a product's limits; 0 is always inside.
 *
 * @throws Refusal `inputerror`
 */
export function refuseAmountOutside({ smallestAmount, largestAmount }: AmountLimits, amount: number): void {
  if (amount === 0 || (amount >= smallestAmount && amount <= largestAmount)) return;
  throw inputError('amount', `must be 0, or from ${smallestAmount} to ${largestAmount}: the product's limits`);
}
