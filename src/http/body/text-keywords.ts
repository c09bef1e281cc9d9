import formats from 'ajv-formats';
import { assert } from '../../kit/assert.ts';
import { saysCardCode } from '../../kit/cards/card-codes.ts';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { containsCardNumber } from '../../kit/cards/find-card-numbers.ts';
import { withoutProductNumbers } from '../../kit/cards/product-numbers.ts';
import { FORMED_TEXT_CHARACTERS, URL_CHARACTERS } from '../../kit/limits.ts';
import { textOf } from './json-number.ts';

/** What a schema says of a text's length and form; each member is there or not. */
export interface Bounds {
  readonly maxLength?: number;
  readonly freeText?: number;
  readonly scalar?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly idLike?: string;
  readonly productNumber?: boolean;
}

/** Who asks for a check: `this` of the keywords, because services in one process share what is compiled. */
export interface AskedBy {
  readonly prefixes: () => CardPrefixes;
}

/** The keywords that our own look at beside their value. */
export const BOUND_NAMES = ['maxLength', 'freeText', 'scalar', 'pattern', 'format', 'idLike', 'productNumber'] as const;

type TextCheck = (text: string) => boolean;

/** A keyword of our own: of which type its value is, and how the check of a value is made of it and of what stands beside it. */
export interface Keyword {
  /** It is asked of texts alone. */
  readonly type?: 'string';
  readonly schemaType: 'string' | 'number' | 'boolean';
  make(value: never, bounds: Bounds): (this: AskedBy, value: never) => boolean;
}

/**
 * The keywords that look at each character of a text, `pattern` and `format` of JSON Schema among them. A check with
 * `allErrors` asks every keyword whatever the others have said, and a body may hold 64 KiB of one text: so each of these
 * looks at the length first, and only then at the text.
 *
 * A text that is longer than its `maxLength` is refused by that keyword. One without is refused here beyond
 * `FORMED_TEXT_CHARACTERS`.
 */
export const TEXT_KEYWORDS = {
  pattern: textKeyword('string', (pattern: string) => {
    const form = new RegExp(pattern, 'u');
    return (text) => form.test(text);
  }),
  format: textKeyword('string', formatCheck),
  freeText: textKeyword('number', (most: number) => (text) => isFreeText(text, most)),
  noCardCode: textKeyword('boolean', (_: boolean) => (text) => !saysCardCode(text)),
  noCardNumber: { schemaType: 'boolean', make: (_: boolean, bounds: Bounds) => noCardNumber(bounds) },
} satisfies Readonly<Record<string, Keyword>>;

function textKeyword<Value>(schemaType: Keyword['schemaType'], make: (value: Value) => TextCheck) {
  return {
    type: 'string',
    schemaType,
    make: (value: Value, bounds: Bounds) => withinLength(bounds, make(value)),
  } as const;
}

/**
 * A number of a body may be a card's as well: its text is looked at. One that is too long for its member is not, because
 * another keyword refuses it; what has no bound at all comes from an address, and is no longer than that.
 */
function noCardNumber(bounds: Bounds): (this: AskedBy, value: unknown) => boolean {
  const { maxLength, freeText, scalar, pattern, format, idLike, productNumber = false } = bounds;
  const isFormed = pattern !== undefined || format !== undefined || idLike !== undefined;
  const most = maxLength ?? freeText ?? scalar ?? (isFormed ? FORMED_TEXT_CHARACTERS : URL_CHARACTERS);
  return function (value) {
    const text = textOf(value)?.trim();
    if (text === undefined || text.length > 2 * most) return true;
    return !containsCardNumber(productNumber ? withoutProductNumbers(text) : text, this.prefixes());
  };
}

/** Lengths of texts are counted in characters, of which each is one or two units of a JavaScript string. */
function withinLength({ maxLength, freeText }: Bounds, check: TextCheck): TextCheck {
  // A free text is measured without the blanks around it, by its own keyword.
  if (maxLength === undefined && freeText !== undefined) return check;
  if (maxLength === undefined) return (text) => text.length <= FORMED_TEXT_CHARACTERS && check(text);
  return (text) => text.length > 2 * maxLength || check(text);
}

function isFreeText(text: string, most: number): boolean {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > 2 * most) return false;
  return trimmed.length <= most || [...trimmed].length <= most;
}

/** The forms that JSON Schema has names for, as far as our schemas ask for them. */
const FORMATS = ['uuid', 'email', 'uri', 'date-time', 'date'] as const;

function formatCheck(name: string): TextCheck {
  const known = FORMATS.find((format) => format === name);
  assert(known !== undefined, `the format ${name} is known`);
  const format = formats.default.get(known) as RegExp | TextCheck | { readonly validate: TextCheck };
  if (format instanceof RegExp) return (text) => format.test(text);
  return typeof format === 'function' ? format : format.validate;
}
