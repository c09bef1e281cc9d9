import { brandOf, codeLengthOf, isCodeOptional, numberLengthsOf } from '../../kit/cards/brands.ts';
import { maskCardNumber, passesLuhn } from '../../kit/cards/card-number.ts';
import { inputError } from '../../kit/errors.ts';
import { Secret } from '../../kit/secret.ts';
import type { FoundCardRange } from '../../vault/vault.types.ts';
import type { SentCard, ShownCard } from './payment-cards.types.ts';

/**
 * Checks the form of a card's fields as they were sent.
 *
 * @throws Refusal `inputerror`
 */
export function checkSentCard(sent: SentCard): void {
  if (!/^[0-9]{12,19}$/.test(sent.number.reveal())) throw inputError(NUMBER, 'must be 12 to 19 digits');
  if (!/^(0?[1-9]|1[0-2])$/.test(sent.month)) throw inputError('transaction.cardExpiryMonth', 'must be 1 to 12');
  if (!/^(20)?[0-9]{2}$/.test(sent.year)) {
    throw inputError('transaction.cardExpiryYear', 'must be a year of two or four digits, as in 30 or 2030');
  }
}

/**
 * Checks that a card's number and code have a length of its brand.
 *
 * @param brand as the card ranges know it, or the number's first digits
 * @throws Refusal `inputerror`
 */
export function checkLengths(sent: SentCard, brand: string | undefined): void {
  const lengths = numberLengthsOf(brand);
  if (!lengths.includes(sent.number.reveal().length)) {
    throw inputError(NUMBER, `must have ${listed(lengths)} digits: that is how long numbers of its brand are`);
  }
  const code = codeOf(sent)?.reveal();
  const digits = codeLengthOf(brand);
  if (code !== undefined && !(/^[0-9]+$/.test(code) && code.length === digits)) {
    const orNone = isCodeOptional(brand) ? ', or be left out if the card has none' : '';
    throw inputError(CODE, `must have ${digits} digits, as cards of its brand have${orNone}`);
  }
}

/** Members of a body that the page has other words for. */
export const NUMBER = 'transaction.cardNumber';
export const CODE = 'transaction.cardVerificationCode';

function listed(lengths: readonly number[]): string {
  const [last, ...others] = [...lengths].reverse();
  return others.length === 0 ? String(last) : `${others.reverse().join(', ')} or ${last}`;
}

/**
 * Checks that a number is one, and in the sandbox a test card's.
 *
 * @throws Refusal `inputerror`
 */
export function checkNumber(number: Secret, { isTestNumber }: FoundCardRange, isSandbox: boolean): void {
  if (!passesLuhn(number.reveal())) {
    throw inputError(NUMBER, 'must be a card number whose check digit is right (Luhn)');
  }
  if (isSandbox && !isTestNumber) {
    throw inputError(NUMBER, 'must be a test card: the sandbox takes no other card numbers');
  }
}

/** An expiry as it was sent: the month may have lost its zero, the year may have two digits. As `YYYY-MM`. */
export function expiryMonthOf({ month, year }: Pick<SentCard, 'month' | 'year'>): string {
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}`;
}

/** `YYYY-MM` as `MM/YYYY`. */
export function expiryDateOf(expiryMonth: string): string {
  return `${expiryMonth.slice(5)}/${expiryMonth.slice(0, 4)}`;
}

/** `MM/YYYY` as `YYYY-MM`. */
export function expiryMonthOfDate(expiryDate: string): string {
  return `${expiryDate.slice(3)}-${expiryDate.slice(0, 2)}`;
}

/** `YYYY-MM` as `MM/YY`, as issuers are asked. */
export function issuerExpiryOf(expiryMonth: string): string {
  return `${expiryMonth.slice(5)}/${expiryMonth.slice(2, 4)}`;
}

/** A verification code with the zeros that it lost as a number. */
export function codeOf({ number, code }: Pick<SentCard, 'number' | 'code'>): Secret | undefined {
  if (code === undefined) return undefined;
  if (!code.cameAsNumber) return code.digits;
  return new Secret(code.digits.reveal().padStart(codeLengthOf(brandOf(number.reveal())), '0'));
}

/** What may be shown of a card. */
export function shownCard(
  number: Secret,
  { range }: FoundCardRange,
  {
    expiryMonth,
    holderName,
    brand,
  }: { readonly expiryMonth: string; readonly holderName: string | undefined; readonly brand: string | undefined },
): ShownCard {
  const name = range?.brand ?? brand;
  return {
    ...(name !== undefined && { cardBrand: name }),
    ...(range?.cardType != null && { cardType: range.cardType }),
    maskedPan: maskCardNumber(number.reveal()),
    expiryDate: expiryDateOf(expiryMonth),
    ...(range?.issuerName != null && { issuingBank: range.issuerName }),
    countryCode: range?.countryCode ?? '999',
    ...(holderName !== undefined && { hasHolder: true }),
  };
}
