import {
  BadJson,
  listOf,
  maybe,
  objectOf,
  oneOf,
  type ReadJson,
  recordOf,
  textLike,
  trueOrFalse,
  wholeNumber,
} from '../../kit/read-json.ts';
import {
  CONVERSIONS,
  type ComposedField,
  type Element,
  FIELD_NAMES,
  type FieldForm,
  type FieldName,
  type FieldSpan,
  FORMS,
  PACKINGS,
  type Part,
  type PrivateData,
  TAG_NAMES,
} from './dialect.types.ts';

/** Characters of a field, and of a part of one. */
const LONGEST = 999;
/** Codes for the values of one field. */
const CODES = 300;
/** Fields with several values, and parts of one. */
const COMPOSED = 40;

const number = wholeNumber(2, 128);
const oneLength = { length: wholeNumber(1, LONGEST) };
const anyLength = { lengthDigits: wholeNumber(1, 4), most: wholeNumber(1, LONGEST) };
const element = {
  form: oneOf(FORMS),
  packed: maybe(oneOf(PACKINGS)),
  cut: maybe(trueOrFalse),
  digits: maybe(wholeNumber(1, LONGEST)),
  as: maybe(oneOf(CONVERSIONS)),
  codes: maybe(recordOf(textLike(/^[\x20-\x7e]+$/, 64, 'a text'), CODES)),
};

/** Reads as the first where the value has this member, else as the second. */
function either<One, Other>(member: string, one: ReadJson<One>, other: ReadJson<Other>): ReadJson<One | Other> {
  return (value, path) =>
    typeof value === 'object' && value !== null && member in value ? one(value, path) : other(value, path);
}

/** A field with one value. */
export const field: ReadJson<FieldForm> = checked(
  either('length', objectOf({ number, ...element, ...oneLength }), objectOf({ number, ...element, ...anyLength })),
);

/** A field that is read past. */
export const span: ReadJson<FieldSpan> = either(
  'length',
  objectOf({ number, ...oneLength }),
  objectOf({ number, lengthDigits: anyLength.lengthDigits, packed: maybe(trueOrFalse) }),
);

const named = { name: oneOf([...FIELD_NAMES, ...TAG_NAMES]), ...element };
const literal = { literal: textLike(/^[\x20-\x7e]*$/, LONGEST, 'a text'), form: element.form, packed: element.packed };
const part: ReadJson<Part> = checked(
  either(
    'literal',
    either('length', objectOf({ ...literal, ...oneLength }), objectOf({ ...literal, ...anyLength })),
    either('length', objectOf({ ...named, ...oneLength }), objectOf({ ...named, ...anyLength })),
  ),
);

/** A row of tags. */
export const privateData: ReadJson<PrivateData> = objectOf({
  tagCharacters: wholeNumber(1, 4),
  lengthDigits: wholeNumber(1, 3),
  tags: objectOf(
    Object.fromEntries(
      TAG_NAMES.map((name) => [
        name,
        maybe(
          objectOf({ tag: textLike(/^[0-9A-Za-z]+$/, 4, 'a tag of digits and letters'), most: wholeNumber(1, 255) }),
        ),
      ]),
    ),
  ) as ReadJson<PrivateData['tags']>,
});

const bits: ReadJson<Readonly<Record<string, Part>>> = (value, path) => {
  const read = recordOf(part, COMPOSED)(value, path);
  for (const bit of Object.keys(read)) {
    if (!/^([1-9]|[1-5][0-9]|6[0-4])$/.test(bit)) throw new BadJson(`${path}.(a bit)`, 'is no number from 1 to 64');
  }
  return read;
};

const composing = { number, form: element.form, packed: element.packed };
const composedOf = <Content extends object>(content: Content) =>
  either(
    'length',
    objectOf({ ...composing, ...content, ...oneLength }),
    objectOf({ ...composing, ...content, ...anyLength, most: wholeNumber(1, 9999) }),
  );

/** Fields with several values. */
export const composedFields: ReadJson<readonly ComposedField[]> = listOf((value, path) => {
  const read = either(
    'tags',
    composedOf({ tags: privateData }),
    either('bits', composedOf({ bits }), composedOf({ parts: listOf(part, COMPOSED) })),
  )(value, path) as ComposedField;
  refuseLongLength(read, path);
  // Their lengths are bytes, and a bitmap is no text.
  if ('bits' in read && read.form !== 'b') throw new BadJson(`${path}.form`, 'is not b');
  if ('tags' in read && (read.form === 'b' || read.form === 'n')) throw new BadJson(`${path}.form`, 'is no text');
  return read;
}, COMPOSED);

/** Refuses what says two things that cannot both be. */
function checked<Read extends Element>(read: ReadJson<Read>): ReadJson<Read> {
  return (value, path) => {
    const one = read(value, path);
    refuseLongLength(one, path);
    if (one.packed !== undefined && one.form !== 'n')
      throw new BadJson(`${path}.packed`, 'is for digits: the form is not n');
    if (one.digits !== undefined && one.form !== 'n')
      throw new BadJson(`${path}.digits`, 'is for digits: the form is not n');
    if (one.as === 'base64' && one.form !== 'b') throw new BadJson(`${path}.as`, 'is for bytes: the form is not b');
    return one;
  };
}

/** Refuses what may be longer than its length has digits for. */
export function refuseLongLength(size: Element | ComposedField, path: string): void {
  if ('most' in size && size.most >= 10 ** size.lengthDigits) {
    throw new BadJson(`${path}.most`, `needs more than ${size.lengthDigits} lengthDigits`);
  }
}

/** The fields with one value, by their names. */
export const singleFields = objectOf(Object.fromEntries(FIELD_NAMES.map((name) => [name, maybe(field)]))) as ReadJson<
  Readonly<Partial<Record<FieldName, FieldForm>>>
>;
