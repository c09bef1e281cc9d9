/**
 * A number in a JSON text that is not written as a plain integer of safe size: its exact text is the symbol's
 * description. A double would lose the last digits of a card number, and would not tell `100.0` from `100`.
 *
 * It is a symbol because no schema takes a symbol, whatever its `type`; an instance of a class would pass as an object.
 * It also cannot slip into a message: putting a symbol into a text throws.
 */
export type JsonNumber = symbol;

/**
 * A number's value, where JavaScript holds exactly what was written; else its text as a `JsonNumber`.
 *
 * @param text a number by the grammar of RFC 8259, section 6
 */
export function readNumber(text: string): number | JsonNumber {
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text ? value : Symbol(text);
}

/**
 * The digits of an id-like member: some clients send such a member as a string, others as a
 * number. Leading zeros of a string are kept; a number cannot have any. The caller checks how many digits there are.
 *
 * @returns one or more of `0-9`, or undefined where the value is anything else
 */
export function digitsOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^[0-9]+$/.test(text) ? text : undefined;
}

/** The exact text of a string or a number of a body; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : undefined;
    case 'symbol':
      return value.description;
    default:
      return undefined;
  }
}

/**
 * An object whose numbers are as JavaScript has them: for members of which the schema lets through only what a double holds,
 * as `decimal` and `scalar` do.
 */
export function withPlainNumbers<Members extends object>(members: Members): Members {
  const values = Object.entries(members).map(
    ([name, value]) => [name, typeof value === 'symbol' ? Number(textOf(value)) : value] as const,
  );
  return Object.fromEntries(values) as Members;
}

/** A number without exponent, as a text of a body may have it. */
const PLAIN_NUMBER = /^-?(?:0|[1-9][0-9]{0,19})(?:\.([0-9]{1,9}))?$/;

/** Whether a text is a number as this service writes one: no blanks, no exponent, no leading zeros, few decimals. */
export function isPlainNumber(text: string, decimals: number): boolean {
  const found = PLAIN_NUMBER.exec(text);
  return found !== null && text !== '-0' && (found[1] ?? '').length <= decimals;
}

/** A number by the grammar of RFC 8259, of so many digits as a client's sum in doubles may have. */
const NUMBER_PARTS = /^(-?)([0-9]{1,20})(?:\.([0-9]{1,40}))?(?:[eE]([+-]?[0-9]{1,2}))?$/;

/** A client that sums in doubles misses a multiple by no more than 10 to the power of minus this. */
const TOLERATED_DECIMALS = 9;

/**
 * The multiple of a unit that a number is, or misses by no more than 1e-9, as clients do that sum in doubles: `1e2` and
 * `99.9999999999` are 100. Reckoned exactly, because a double tells large amounts apart less well than that.
 *
 * @param decimals of the unit: 0 for whole numbers, 4 for ten-thousandths
 * @returns its text without exponent and without zeros at its end; undefined where it is further away
 */
export function nearestMultiple(text: string, decimals: number): string | undefined {
  const [, sign = '', whole, fraction = '', exponent = '0'] = NUMBER_PARTS.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const power = Number(exponent) - fraction.length;
  const scale = Math.max(TOLERATED_DECIMALS, -power);
  const value = BigInt(whole + fraction) * 10n ** BigInt(scale + power);
  const unit = 10n ** BigInt(scale - decimals);
  const multiple = (value + unit / 2n) / unit;
  const missed = value - multiple * unit;
  const tolerated = 10n ** BigInt(scale - TOLERATED_DECIMALS);
  if (missed > tolerated || missed < -tolerated) return undefined;
  return withPoint(multiple === 0n ? '' : sign, multiple, decimals);
}

function withPoint(sign: string, multiple: bigint, decimals: number): string {
  const digits = String(multiple).padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals, digits.length).replace(/0{1,9}$/, '');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
