import { brandOf, numberLengthsOf } from '../src/kit/cards/brands.ts';
import { plainText, typedExpiry } from '../src/kit/cards/typed-card.ts';

/** A field's text, and where its caret stands: before the character of this place. */
export interface Typed {
  readonly text: string;
  readonly caret: number;
}

/** The digits of a text, in ASCII: while a payer types, anything else disappears. */
export function digitsOf(text: string): string {
  return plainText(text).replace(/\D/g, '');
}

/** A card number in groups as they are printed: 4-6-5 on American Express, 4-6-4 on short Diners, else fours. */
export function formatNumber({ text, caret }: Typed): Typed {
  const digits = digitsOf(text);
  const brand = brandOf(digits);
  const kept = digits.slice(0, Math.max(...numberLengthsOf(brand)));
  const breaks = breaksOf(brand, kept.length);
  return placed(kept, digitsOf(text.slice(0, caret)).length, (index) => (breaks.includes(index) ? ' ' : ''));
}

function breaksOf(brand: string | undefined, length: number): readonly number[] {
  return brand === 'Amex' || (brand === 'Diners' && length <= 14) ? [4, 10] : [4, 8, 12, 16];
}

/** A security code: its digits, and no more of them than it can have. */
export function formatCode({ text, caret }: Typed, most: number): Typed {
  return placed(digitsOf(text).slice(0, most), digitsOf(text.slice(0, caret)).length, () => '');
}

/**
 * An expiry as `MM/YY`: the stroke comes by itself, and a month that can have no second digit gets its zero. A year that
 * comes first (`2030-12`, as browsers fill it in) moves behind its month.
 *
 * @param isDeleting whether a character was taken away: then nothing is added that would come right back
 */
export function formatExpiry({ text, caret }: Typed, isDeleting: boolean): Typed {
  const plain = plainText(text);
  // No card is valid in 200x, so a year of which `02/0` is left was typed first.
  const [, yearFirst, month] = /^0?(20\d?\d?)(\d{0,2})/.exec(digitsOf(plain)) ?? [];
  if (yearFirst !== undefined && month !== undefined) return monthFirst(yearFirst, month, isDeleting);
  const zero = /^[^\p{L}\p{N}]*(?:\d\s*[^\p{L}\p{N}\s]|[2-9])/u.test(plain) ? '0' : '';
  const digits = zero + digitsOf(plain);
  const before = zero.length + digitsOf(text.slice(0, caret)).length;
  const year = digits.slice(2);
  const kept =
    digits.slice(0, 2) +
    (year.length >= 4 ? year.slice(2, 4) : year.startsWith('20') && year.length > 2 ? year : year.slice(0, 2));
  if (kept.length < 2 || (kept.length === 2 && isDeleting)) return { text: kept, caret: Math.min(before, kept.length) };
  return placed(kept, before, (index) => (index === 2 ? '/' : ''), kept.length === 2);
}

function monthFirst(year: string, month: string, isDeleting: boolean): Typed {
  const whole = month.length === 2 || month > '1' ? typedExpiry(`${year}-${month}`) : undefined;
  const stroke = year.length === 4 && (month !== '' || !isDeleting) ? '/' : '';
  const text = whole === undefined ? year + stroke + month : `${whole.month.padStart(2, '0')}/${whole.year.slice(2)}`;
  return { text, caret: text.length };
}

/** Digits with what stands between them, and the caret behind the same digit as before. */
function placed(digits: string, digitsBefore: number, separatorAt: (index: number) => string, isOpen = false): Typed {
  let text = '';
  let caret = 0;
  for (let index = 0; index < digits.length; index++) {
    text += separatorAt(index) + digits.charAt(index);
    if (index + 1 === digitsBefore) caret = text.length;
  }
  if (isOpen) text += separatorAt(digits.length);
  // Behind the last digit the caret goes on behind what follows it, where the next one will stand.
  return { text, caret: digitsBefore >= digits.length ? text.length : caret };
}
