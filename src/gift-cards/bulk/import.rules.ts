import { passesLuhn } from '../../kit/cards/card-number.ts';
import type { Rejection } from '../../kit/imports/import.types.ts';
import type { AmountMinor } from '../../kit/money.ts';
import { Secret } from '../../kit/secret.ts';
import type { Product } from '../gift-cards.types.ts';
import type { CardLine, CardLineInput, KnownCard } from './import.types.ts';

/**
 * Reads a line whose members are well-formed: whether its card can be one of the product's.
 *
 * @param product undefined where the line names none that there is
 */
export function readCardLine(input: CardLineInput, product: Product | undefined): CardLine | Rejection {
  if (product === undefined || product.retiredAt !== null) return reject('productId', 'must be a product on sale');
  const { accountKey, expiryDate, balance, currency, email, msisdn } = input;
  const { numberPrefix, numberLength } = product;
  // The code that is printed on the card is unknown here, so it could not be checked.
  if (product.cvcRequired) return reject('productId', 'must be a product whose cards need no cvc');
  if (currency !== undefined && currency !== product.currency) return reject('currency', 'must be the product’s');
  if (!accountKey.startsWith(numberPrefix) || accountKey.length !== numberLength) {
    return reject('accountKey', 'must begin with the product’s prefix and have its length');
  }
  if (!passesLuhn(accountKey)) return reject('accountKey', 'must have a right check digit (Luhn)');
  if (!endsMonth(expiryDate)) return reject('expiryDate', 'must be the last day of a month');
  if (balance > product.largestBalance) return reject('balance', 'must not be above the product’s largest balance');
  return {
    product,
    number: new Secret(accountKey),
    expiresOn: expiryDate,
    balance: balance as AmountMinor,
    isBlocked: input.blocked === true,
    contact: { email: hide(email), msisdn: hide(msisdn) },
  };
}

function hide(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}

function endsMonth(day: string): boolean {
  const [year = 0, month = 0, last] = day.split('-').map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return days[month - 1] === last;
}

/** Whether a card that is there began as the line says. What became of it since does not matter. */
export function isSameCard(known: KnownCard, { product, expiresOn, balance }: CardLine): boolean {
  return (
    known.productId === product.productId && known.expiresOn === expiresOn && known.openedWith === (balance as number)
  );
}

/** Refuses a line, in words without its values. */
export function reject(member: string, reason: string): Rejection {
  return { member, reason };
}
