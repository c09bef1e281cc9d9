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
