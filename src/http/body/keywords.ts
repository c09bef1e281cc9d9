import { FORMED_TEXT_CHARACTERS } from '../../kit/limits.ts';
import { digitsOf, textOf } from './json-number.ts';
import { type Keyword, TEXT_KEYWORDS } from './text-keywords.ts';

/** A quantity or a rate: no shop counts finer, and more digits would not survive a double. */
const DECIMAL = /^-?[0-9]{1,9}(\.[0-9]{1,6})?$/;

/** A number of the caller's own, of at most fifteen digits: a double holds it to the last one. */
const SCALAR_NUMBER = /^-?(?=.{1,16}$)[0-9]{1,12}(\.[0-9]{1,6})?$/;

/** All keywords of our own that check values, by their names. What is compiled of a schema calls them: see `validate.ts`. */
export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  ...TEXT_KEYWORDS,
  idLike: {
    schemaType: 'string',
    make: (pattern: string) => {
      const form = new RegExp(pattern, 'u');
      return (value: unknown) => {
        const text = typeof value === 'string' ? value : digitsOf(value);
        return text !== undefined && text.length <= FORMED_TEXT_CHARACTERS && form.test(text);
      };
    },
  },
  decimal: {
    schemaType: 'boolean',
    make: () => (value: unknown) => typeof value !== 'string' && DECIMAL.test(textOf(value) ?? ''),
  },
  scalar: {
    schemaType: 'number',
    make: (most: number) => (value: unknown) => isScalar(value, most),
  },
};

function isScalar(value: unknown, most: number): boolean {
  if (typeof value === 'boolean') return true;
  if (typeof value === 'string') return value.length <= most;
  return SCALAR_NUMBER.test(textOf(value) ?? '');
}
