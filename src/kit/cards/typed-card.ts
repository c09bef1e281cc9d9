/**
 * Card details as people type them, paste them and browsers fill them in. The payment page, its script, the portal and the
 * API for merchants with forms of their own all read them here. Browsers load this file, so it imports nothing.
 */

/** Characters that a reader does not see: zero-width ones, direction marks, byte order marks, variation selectors. */
const INVISIBLE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
/** Direction marks and other invisible characters that no name needs. Joiners stay: some scripts need them. */
const INVISIBLE_IN_NAME = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** An expiry as it was typed: the month of one or two digits, the year of two or four. */
export interface TypedExpiry {
  readonly month: string;
  readonly year: string;
}

/**
 * The digits of a number or code, in ASCII, without whatever separates them. A letter stays where it is, so the caller
 * sees that this is no number.
 */
export function plainDigits(text: string): string {
  return plainText(text).replace(SEPARATORS, '');
}

/** Reads `12/30` in all its spellings: `8/29`, `0829`, `08 / 2029`, `12-30`, `2030-12`. Undefined if it is no expiry. */
export function typedExpiry(text: string): TypedExpiry | undefined {
  const joined = plainText(text)
    .split(SEPARATORS)
    .filter((part) => part !== '')
    .join('/');
  const [, month, year] = /^(0?[1-9]|1[0-2])\/?((?:20)?\d{2})$/.exec(joined) ?? [];
  if (month !== undefined && year !== undefined) return { month, year };
  const [, yearFirst, monthLast] = /^(20\d{2})\/?(0?[1-9]|1[0-2])$/.exec(joined) ?? [];
  return yearFirst === undefined || monthLast === undefined ? undefined : { month: monthLast, year: yearFirst };
}

/** A name without blanks around it and without direction marks. */
export function typedName(text: string): string {
  return text.replace(INVISIBLE_IN_NAME, '').trim();
}

/** The text in Unicode's compatibility form (NFKC), with digits of every script as 0 to 9 and without invisible characters. */
export function plainText(text: string): string {
  // Marks go first: NFKC takes quadratic time on a long row of them.
  return text
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, asciiDigit);
}

/** Unicode has the digits of each script in rows of ten from zero (The Unicode Standard, section 4.6). */
function asciiDigit(digit: string): string {
  if (digit <= '9') return digit;
  const codePoint = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - before - 1))) before++;
  return String(before % 10);
}
