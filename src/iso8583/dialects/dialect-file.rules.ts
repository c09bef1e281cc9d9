import { CARD_PROBLEMS, type CardProblemCode } from '../../kit/cards/card-problems.ts';
import { CHARACTER_SETS } from '../../kit/characters.ts';
import {
  BadJson,
  eachOf,
  listOf,
  maybe,
  type OptionalJson,
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
  type FieldName,
  MAC_ALGORITHMS,
  MESSAGE_KINDS,
  type MessageForm,
  PACKINGS,
  type PrivateData,
  RETRIES,
  TAG_NAMES,
} from './dialect.types.ts';
import { composedFields, privateData, singleFields, span } from './dialect-fields.rules.ts';
import { formsOf, placeOf } from './places.rules.ts';
import { standardFieldsBeside } from './standard-fields.rules.ts';

/** Codes in one list: a table of action codes has less than a thousand. */
const CODES = 1000;

const digits = (count: number): ReadJson<string> => textLike(/^[0-9]+$/, count, `a text of up to ${count} digits`);
const code = textLike(/^[0-9A-Za-z]+$/, 4, 'a code of up to four digits and letters');
const codes = listOf(code, CODES);
const retry = oneOf(RETRIES);

/** A time zone that this machine knows. */
export const timeZone: ReadJson<string> = (value, path) => {
  const name = textLike(/^[A-Za-z0-9_+/-]+$/, 64, 'a time zone as in Europe/Oslo')(value, path);
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone && name;
  } catch {
    throw new BadJson(path, 'is no time zone that is known here');
  }
};

const ownValue: ReadJson<{ readonly text: string } | { readonly of: FieldName }> = (value, path) =>
  typeof value === 'object' && value !== null && 'of' in value
    ? objectOf({ of: oneOf(FIELD_NAMES) })(value, path)
    : objectOf({ text: textLike(/^[\x20-\x7e]+$/, 99, 'a text of up to 99 characters') })(value, path);

const messageForm = objectOf({
  type: textLike(/^[0-9]{4}$/, 4, 'a text of four digits'),
  functionCode: maybe(digits(4)),
  otherFunctionCode: maybe(digits(4)),
  processingCode: maybe(digits(6)),
  values: maybe(objectOf(Object.fromEntries(FIELD_NAMES.map((name) => [name, maybe(ownValue)])))) as OptionalJson<
    NonNullable<MessageForm['values']>
  >,
  reasonCode: maybe(digits(4)),
  reasonCodes: maybe(
    objectOf({
      Silence: digits(4),
      Late: digits(4),
      Unusable: digits(4),
      Partial: maybe(digits(4)),
      Refused: maybe(digits(4)),
    }),
  ),
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

const prefix = textLike(/^(?:[0-9a-f]{2})*$/, 64, 'a text of up to 32 bytes in small hexadecimal digits');

const dialect = objectOf({
  name: textLike(/^[a-z0-9-]+$/, 40, 'a name of small letters, digits and dashes'),
  characters: maybe(oneOf(CHARACTER_SETS)),
  header: objectOf({
    lengthBytes: (value: unknown, path: string): 2 | 4 => {
      if (value !== 2 && value !== 4) throw new BadJson(path, 'is neither 2 nor 4');
      return value;
    },
    lengthForm: maybe(oneOf(['binary', 'digits'] as const)),
    countsItself: trueOrFalse,
    prefix,
    answerPrefix: maybe(prefix),
    bitmap: oneOf(['binary', 'hex'] as const),
  }),
  packing: maybe(objectOf({ type: trueOrFalse, lengths: trueOrFalse, numbers: oneOf(PACKINGS) })),
  mac: maybe(objectOf({ algorithm: oneOf(MAC_ALGORITHMS), bytes: wholeNumber(4, 8) })),
  fields: singleFields,
  composed: maybe(composedFields),
  otherFields: maybe(listOf(span, 127)),
  mustEcho: maybe(listOf(oneOf(ECHOES), ECHOES.length)),
  f48: maybe(privateData),
  messages: objectOf({
    ...Object.fromEntries(MESSAGE_KINDS.map((kind) => [kind, maybe(messageForm)])),
    TakeBack: messageForm,
    Network: messageForm,
  }) as ReadJson<Dialect['messages']>,
  actionCodes: objectOf({
    requests: listOf(actionGroup, CODES),
    advices: objectOf({ acknowledged: codes, silence: codes }),
    duplicates: maybe(codes),
    takeBacks: objectOf({ acknowledged: codes, unknownOriginal: codes }),
    schemeCodes: objectOf({ authenticate: codes, authenticateMastercard: codes, never: codes }),
    adviceCodes: recordOf(objectOf({ retry, afterHours: maybe(wholeNumber(0, 8760)) }), CODES),
  }),
  cardUpdates: maybe(objectOf({ replaced: codes, closed: codes })),
  networkManagement: eachOf(['signOn', 'signOff', 'echo', 'cutOver', 'accepted', 'refused'] as const, digits(4)),
  reconciliation: objectOf({ inBalance: codes, different: codes }),
  repeatDigit: textLike(/^[0-9]$/, 1, 'one digit'),
  timeZone,
});

/**
 * A dialect out of a JSON document.
 *
 * @throws BadJson with the place of what is unknown, missing or of another form; where two fields, tags or meanings of a code
 *   are the same; where a message has a value that no field has a place for
 */
export function readDialect(value: unknown): Dialect {
  const file = dialect(value, '');
  const read: Dialect = {
    characters: 'ascii',
    mustEcho: [],
    ...file,
    otherFields: file.otherFields ?? standardFieldsBeside(file),
    actionCodes: { duplicates: [], ...file.actionCodes },
  };
  refuseSameNumbers(read);
  if (read.f48 !== undefined) refuseTags(read.f48, 'f48');
  for (const [index, one] of (read.composed ?? []).entries()) {
    if ('tags' in one) refuseTags(one.tags, `composed[${index}].tags`);
  }
  refuseMissing(read);
  const { requests } = read.actionCodes;
  refuseTwice(
    requests.flatMap((group, index) =>
      group.codes.map((one, at) => [`actionCodes.requests.${index}.codes.${at}`, one] as const),
    ),
  );
  for (const name of ['cardNumber', 'stan', 'sentAt', 'amount'] as const) {
    const place = placeOf(read, name);
    if (place !== undefined && place.form !== 'n') throw new BadJson(`fields.${name}.form`, 'is not n');
  }
  return read;
}

function refuseSameNumbers({ fields, composed = [], otherFields, mac }: Dialect): void {
  const numbers = [
    ...Object.entries(fields).map(([name, { number }]) => [`fields.${name}`, String(number)] as const),
    ...composed.map(({ number }, index) => [`composed[${index}]`, String(number)] as const),
  ];
  refuseTwice([
    ...numbers,
    ...otherFields.map(({ number }, index) => [`otherFields[${index}]`, String(number)] as const),
  ]);
  const sealing = numbers.find(([, number]) => number === '64' || number === '128');
  if (mac !== undefined && sealing !== undefined) {
    throw new BadJson(`${sealing[0]}.number`, 'is that of the message authentication code');
  }
}

function refuseTags({ tagCharacters, lengthDigits, tags }: PrivateData, path: string): void {
  const entries = Object.entries(tags);
  refuseTwice(entries.map(([name, { tag }]) => [`${path}.tags.${name}`, tag]));
  for (const [name, { tag, most }] of entries) {
    if (tag.length !== tagCharacters) throw new BadJson(`${path}.tags.${name}.tag`, 'has another length');
    if (most >= 10 ** lengthDigits) {
      throw new BadJson(`${path}.tags.${name}.most`, `needs more than ${lengthDigits} lengthDigits`);
    }
  }
}

/** Refuses messages with values that no field has a place for, and a dialect that cannot name its messages. */
function refuseMissing(read: Dialect): void {
  const needed = ['stan', 'actionCode', ...formsOf(read).flatMap(([, { fields }]) => fields)] as const;
  const missing = needed.find((name) => placeOf(read, name) === undefined);
  if (missing !== undefined) throw new BadJson(`fields.${missing}`, 'is missing');
  if ((read.f48 === undefined) !== (read.fields.privateData === undefined)) {
    throw new BadJson('f48', 'is there with fields.privateData alone, and the other way round');
  }
  if (read.cardUpdates !== undefined && placeOf(read, 'updateCode') === undefined) {
    throw new BadJson('cardUpdates', 'needs a place for updateCode');
  }
  for (const [kind, { tags }] of formsOf(read)) {
    const index = tags.findIndex((name) => placeOf(read, name) === undefined);
    if (index >= 0) throw new BadJson(`messages.${kind}.tags[${index}]`, 'is in no private data');
  }
}
