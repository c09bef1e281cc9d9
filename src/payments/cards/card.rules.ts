import { maskCardNumber, passesLuhn } from '../../kit/cards/card-number.ts';
import { inputError } from '../../kit/errors.ts';
import { Secret } from '../../kit/secret.ts';
import type { FoundCardRange } from '../../vault/vault.types.ts';
import type { SentCard, ShownCard } from './payment-cards.types.ts';

/**
 * Checks that a number is one, and in the sandbox a test card's.
 *
 * @throws Refusal `inputerror`
 */
export function checkNumber(number: Secret, { isTestNumber }: FoundCardRange, isSandbox: boolean): void {
  if (!passesLuhn(number.reveal())) {
    throw inputError('transaction.cardNumber', 'must be a card number whose check digit is right (Luhn)');
  }
  if (isSandbox && !isTestNumber) {
    throw inputError('transaction.cardNumber', 'must be a test card: the sandbox takes no other card numbers');
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
  return new Secret(code.digits.reveal().padStart(codeLength(number.reveal()), '0'));
}

/** How many digits the verification code of a card has, by its number: four on American Express, else three. */
export function codeLength(number: string): 3 | 4 {
  return /^3[47]/.test(number) ? 4 : 3;
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
    ...(holderName !== undefined && { cardholderName: holderName }),
  };
}
