import { CARD_PROBLEMS, type CardProblemCode } from '../../kit/cards/card-problems.ts';
import { CHARACTER_SETS } from '../../kit/characters.ts';
import {
  BadJson,
  eachOf,
  listOf,
  maybe,
  objectOf,
  oneOf,
  type ReadJson,
  recordOf,
  refuseTwice,
  textLike,
  trueOrFalse,
  wholeNumber,
} from '../../kit/read-json.ts';
import {
  type Dialect,
  ECHOES,
  FIELD_NAMES,
  type FieldForm,
  type FieldSpan,
  FORMS,
  MESSAGE_KINDS,
  RETRIES,
  TAG_NAMES,
} from './dialect.types.ts';
import { standardFieldsBeside } from './standard-fields.rules.ts';

/** Codes in one list: a table of action codes has less than a thousand. */
const CODES = 1000;

const digits = (count: number): ReadJson<string> => textLike(/^[0-9]+$/, count, `a text of up to ${count} digits`);
const code = textLike(/^[0-9A-Za-z]+$/, 4, 'a code of up to four digits and letters');
const codes = listOf(code, CODES);
const retry = oneOf(RETRIES);

const fixedField = objectOf({ number: wholeNumber(2, 128), form: oneOf(FORMS), length: wholeNumber(1, 999) });
const variableField = objectOf({
  number: wholeNumber(2, 128),
  form: oneOf(FORMS),
  lengthDigits: wholeNumber(1, 4),
  most: wholeNumber(1, 999),
});
const field: ReadJson<FieldForm> = (value, path) =>
  typeof value === 'object' && value !== null && 'length' in value
    ? fixedField(value, path)
    : variableField(value, path);

const fixedSpan = objectOf({ number: wholeNumber(2, 128), length: wholeNumber(1, 999) });
const variableSpan = objectOf({ number: wholeNumber(2, 128), lengthDigits: wholeNumber(1, 4) });
const span: ReadJson<FieldSpan> = (value, path) =>
  typeof value === 'object' && value !== null && 'length' in value ? fixedSpan(value, path) : variableSpan(value, path);

/** A time zone that this machine knows. */
export const timeZone: ReadJson<string> = (value, path) => {
  const name = textLike(/^[A-Za-z0-9_+/-]+$/, 64, 'a time zone as in Europe/Oslo')(value, path);
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone && name;
  } catch {
    throw new BadJson(path, 'is no time zone that is known here');
  }
};

const messageForm = objectOf({
  type: textLike(/^[0-9]{4}$/, 4, 'a text of four digits'),
  functionCode: maybe(digits(4)),
  otherFunctionCode: maybe(digits(4)),
  processingCode: maybe(digits(6)),
  reasonCode: maybe(digits(4)),
  reasonCodes: maybe(objectOf({ Silence: digits(4), Late: digits(4), Unusable: digits(4), Partial: maybe(digits(4)) })),
  fields: listOf(oneOf(FIELD_NAMES), FIELD_NAMES.length),
  tags: listOf(oneOf(TAG_NAMES), TAG_NAMES.length),
});

const actionGroup = objectOf({
  codes,
  outcome: oneOf(['Approved', 'PartiallyApproved', 'Declined', 'AuthenticationRequired'] as const),
  problem: maybe(oneOf(Object.keys(CARD_PROBLEMS) as CardProblemCode[])),
  retry: maybe(retry),
  takeBack: maybe(trueOrFalse),
});

const dialect = objectOf({
  name: textLike(/^[a-z0-9-]+$/, 40, 'a name of small letters, digits and dashes'),
  characters: maybe(oneOf(CHARACTER_SETS)),
  header: objectOf({
    lengthBytes: (value: unknown, path: string): 2 | 4 => {
      if (value !== 2 && value !== 4) throw new BadJson(path, 'is neither 2 nor 4');
      return value;
    },
    countsItself: trueOrFalse,
    prefix: textLike(/^(?:[0-9a-f]{2})*$/, 64, 'a text of up to 32 bytes in small hexadecimal digits'),
    bitmap: oneOf(['binary', 'hex'] as const),
  }),
  fields: eachOf(FIELD_NAMES, field),
  otherFields: maybe(listOf(span, 127)),
  mustEcho: maybe(listOf(oneOf(ECHOES), ECHOES.length)),
  f48: objectOf({
    tagCharacters: wholeNumber(1, 4),
    lengthDigits: wholeNumber(1, 3),
    tags: eachOf(
      TAG_NAMES,
      objectOf({ tag: textLike(/^[0-9A-Za-z]+$/, 4, 'a tag of digits and letters'), most: wholeNumber(1, 255) }),
    ),
  }),
  messages: eachOf(MESSAGE_KINDS, messageForm),
  actionCodes: objectOf({
    requests: listOf(actionGroup, CODES),
    advices: objectOf({ acknowledged: codes, silence: codes }),
    duplicates: maybe(codes),
    takeBacks: objectOf({ acknowledged: codes, unknownOriginal: codes }),
    schemeCodes: objectOf({ authenticate: codes, authenticateMastercard: codes, never: codes }),
    adviceCodes: recordOf(objectOf({ retry, afterHours: maybe(wholeNumber(0, 8760)) }), CODES),
  }),
  networkManagement: eachOf(['signOn', 'signOff', 'echo', 'cutOver', 'accepted', 'refused'] as const, digits(4)),
  reconciliation: objectOf({ inBalance: codes, different: codes }),
  repeatDigit: textLike(/^[0-9]$/, 1, 'one digit'),
  timeZone,
});

/**
 * A dialect out of a JSON document.
 *
 * @throws BadJson with the place of what is unknown, missing or of another form; where two fields, tags or meanings of a code
 *   are the same; where it asks for a message authentication code, which we do not make
 */
export function readDialect(value: unknown): Dialect {
  refuseMac(value);
  const file = dialect(value, '');
  const read = {
    characters: 'ascii' as const,
    mustEcho: [],
    ...file,
    otherFields: file.otherFields ?? standardFieldsBeside(file.fields),
    actionCodes: { duplicates: [], ...file.actionCodes },
  };
  refuseTwice([
    ...Object.entries(read.fields).map(([name, { number }]) => [`fields.${name}`, String(number)] as const),
    ...read.otherFields.map(({ number }, index) => [`otherFields[${index}]`, String(number)] as const),
  ]);
  refuseTwice(Object.entries(read.f48.tags).map(([name, { tag }]) => [`f48.tags.${name}`, tag]));
  for (const [name, { tag }] of Object.entries(read.f48.tags)) {
    if (tag.length !== read.f48.tagCharacters) throw new BadJson(`f48.tags.${name}.tag`, 'has another length');
  }
  refuseLongLengths(read);
  const { requests } = read.actionCodes;
  refuseTwice(
    requests.flatMap((group, index) =>
      group.codes.map((one, at) => [`actionCodes.requests.${index}.codes.${at}`, one] as const),
    ),
  );
  for (const name of ['cardNumber', 'stan', 'sentAt', 'actionCode', 'amount'] as const) {
    if (read.fields[name].form !== 'n') throw new BadJson(`fields.${name}.form`, 'is not n');
  }
  return read;
}

/** Refuses what may be longer than its length has digits for. */
function refuseLongLengths({ fields, f48 }: Pick<Dialect, 'fields' | 'f48'>): void {
  const refuse = (path: string, most: number, lengthDigits: number) => {
    if (most >= 10 ** lengthDigits) throw new BadJson(`${path}.most`, `needs more than ${lengthDigits} lengthDigits`);
  };
  for (const [name, field] of Object.entries(fields)) {
    if ('most' in field) refuse(`fields.${name}`, field.most, field.lengthDigits);
  }
  for (const [name, { most }] of Object.entries(f48.tags)) refuse(`f48.tags.${name}`, most, f48.lengthDigits);
}

/** TLS protects the line. A MAC needs keys that are shared and changed, and that is not built. */
function refuseMac(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) {
    if (/^mac$/i.test(name)) throw new BadJson(name, 'asks for a message authentication code: there is none');
  }
  const fields = 'fields' in value && typeof value.fields === 'object' ? Object.entries(value.fields ?? {}) : [];
  for (const [name, one] of fields) {
    const number = typeof one === 'object' && one !== null && 'number' in one ? one.number : undefined;
    if (number === 64 || number === 128) {
      const shown = (FIELD_NAMES as readonly string[]).includes(name) ? name : '(a member)';
      throw new BadJson(`fields.${shown}.number`, 'is that of a message authentication code: there is none');
    }
  }
}
