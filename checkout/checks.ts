import { brandOf, codeLengthOf, isCodeOptional, numberLengthsOf } from '../src/kit/cards/brands.ts';
import { plainDigits, typedExpiry } from '../src/kit/cards/typed-card.ts';

/** What can be found wrong without asking the server, by the name of its text. */
export type Fault =
  | 'numberMissing'
  | 'numberWrong'
  | 'expiryMissing'
  | 'expiryWrong'
  | 'expiryPast'
  | 'cvcMissing'
  | 'cvcWrong'
  | 'cvcWrongAmex'
  | 'consentMissing';

/** What is wrong with a card number, as it stands in its field. */
export function numberFault(text: string): Fault | undefined {
  const digits = plainDigits(text);
  if (digits === '') return 'numberMissing';
  const isRight =
    /^\d+$/.test(digits) && numberLengthsOf(brandOf(digits)).includes(digits.length) && passesLuhn(digits);
  return isRight ? undefined : 'numberWrong';
}

/**
 * What is wrong with an expiry.
 *
 * @param month the present one as the server says, `YYYY-MM`: this machine's clock may be wrong
 */
export function expiryFault(text: string, month: string): Fault | undefined {
  if (text.trim() === '') return 'expiryMissing';
  const typed = typedExpiry(text);
  if (typed === undefined) return 'expiryWrong';
  return `20${typed.year.slice(-2)}-${typed.month.padStart(2, '0')}` < month ? 'expiryPast' : undefined;
}

/** What is wrong with the security code of a brand. */
export function codeFault(text: string, brand: string | undefined): Fault | undefined {
  const code = plainDigits(text);
  const length = codeLengthOf(brand);
  if (code === '') return isCodeOptional(brand) ? undefined : 'cvcMissing';
  if (/^\d+$/.test(code) && code.length === length) return undefined;
  return length === 4 ? 'cvcWrongAmex' : 'cvcWrong';
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}
