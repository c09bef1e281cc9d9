import { digitsOf } from './card-format.ts';

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
  const digits = digitsOf(text);
  if (digits === '') return 'numberMissing';
  return digits.length >= 12 && digits.length <= 19 && passesLuhn(digits) ? undefined : 'numberWrong';
}

/**
 * What is wrong with an expiry.
 *
 * @param month the present one as the server says, `YYYY-MM`: this machine's clock may be wrong
 */
export function expiryFault(text: string, month: string): Fault | undefined {
  if (text.trim() === '') return 'expiryMissing';
  const [, ending, year] = /^(0?[1-9]|1[0-2])\s*[/.-]?\s*(?:20)?(\d{2})$/.exec(text.trim()) ?? [];
  if (ending === undefined) return 'expiryWrong';
  return `20${year}-${ending.padStart(2, '0')}` < month ? 'expiryPast' : undefined;
}

/** What is wrong with a security code that is to have so many digits. */
export function codeFault(text: string, length: 3 | 4): Fault | undefined {
  if (text === '') return 'cvcMissing';
  if (/^\d+$/.test(text) && text.length === length) return undefined;
  return length === 4 ? 'cvcWrongAmex' : 'cvcWrong';
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}
