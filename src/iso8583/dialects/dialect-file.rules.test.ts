import { describe, expect, test } from 'vitest';
import { BadJson } from '../../kit/read-json.ts';
import type { Dialect } from './dialect.types.ts';
import { readDialect } from './dialect-file.rules.ts';
import { ISO93 } from './iso93.rules.ts';

/** The dialect as a JSON document with one value in another's place; `undefined` takes it away. */
function changed(path: string, value: unknown): unknown {
  const document: unknown = JSON.parse(JSON.stringify(ISO93));
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const holder = steps.reduce((at, step) => at[step] as Record<string, unknown>, document as Record<string, unknown>);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return document;
}

const BIT = { name: 'exponent', form: 'n', length: 1 };

function refusalOf(document: unknown): string {
  try {
    readDialect(document);
  } catch (error) {
    if (error instanceof BadJson) return error.message;
    throw error;
  }
  throw new Error('it was taken');
}

test('a dialect that was written down as JSON is the same', () => {
  const read: Dialect = readDialect(JSON.parse(JSON.stringify(ISO93)));
  expect(read).toEqual(ISO93);
});

test('a dialect that names no other fields reads past those of the standard, and wants nothing repeated', () => {
  const { otherFields: _, mustEcho: __, characters: ___, ...document } = JSON.parse(JSON.stringify(ISO93));
  const read = readDialect(document);
  expect(read).toEqual(ISO93);
  const numbers = [...Object.values(read.fields), ...read.otherFields].map(({ number }) => number);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 127 }, (_one, index) => index + 2));
});

describe('a dialect file is refused with the place of', () => {
  test.each([
    ['', 'is no object', []],
    ['reversal', 'reversal is not known here', changed('reversal', 1)],
    ['a missing field', 'fields.stan is missing', changed('fields.stan', undefined)],
    ['an unknown field', 'fields.extra is not known here', changed('fields.extra', {})],
    ['a number out of range', 'fields.stan.number is no whole number from 2 to 128', changed('fields.stan.number', 1)],
    ['an unknown form', 'fields.stan.form is none of n, an, anp, ans, b', changed('fields.stan.form', 'x')],
    ['another character set', 'characters is none of ascii, latin1', changed('characters', 'utf-8')],
    ['digits as text', 'fields.stan.form is not n', changed('fields.stan.form', 'an')],
    ['two fields with one number', 'fields.stan is there twice', changed('fields.stan.number', 7)],
    [
      'a field that is a message authentication code',
      'fields.stan.number is that of the message authentication code',
      { ...(changed('fields.stan.number', 64) as object), otherFields: [], mac: { algorithm: 'retail', bytes: 8 } },
    ],
    ['another field with a named number', 'otherFields[0] is there twice', changed('otherFields.0.number', 4)],
    ['a field of no length', 'otherFields[0].lengthDigits is missing', changed('otherFields.0.length', undefined)],
    ['what cannot be repeated', 'mustEcho[0] is none of', changed('mustEcho', ['approvalCode'])],
    ['a MAC', 'mac.algorithm is none of retail, aes-cmac, hmac-sha256', changed('mac', { algorithm: 'x', bytes: 8 })],
    ['a type', 'messages.Capture.type is not a text of four digits', changed('messages.Capture.type', '12x0')],
    ['a field of a message', 'messages.Capture.fields[0] is none of', changed('messages.Capture.fields', ['pin'])],
    ['a message that is never sent', 'messages.Increment is not known here', changed('messages.Increment', {})],
    ['a missing message', 'messages.TakeBack is missing', changed('messages.TakeBack', undefined)],
    ['an outcome', 'actionCodes.requests[0].outcome is none of', changed('actionCodes.requests.0.outcome', 'Yes')],
    ['a card code', 'actionCodes.requests[2].problem is none of', changed('actionCodes.requests.2.problem', 'no')],
    ['a code twice', 'actionCodes.requests.1.codes.0 is there twice', changed('actionCodes.requests.1.codes', ['000'])],
    ['a prefix', 'header.prefix is not a text of up to 32 bytes', changed('header.prefix', '6')],
    ['a length', 'header.lengthBytes is neither 2 nor 4', changed('header.lengthBytes', 3)],
    [
      'a length of too few digits',
      'fields.cardNumber.most needs more than 1 lengthDigits',
      changed('fields.cardNumber.lengthDigits', 1),
    ],
    ['the same of a tag', 'f48.tags.authenticationValue.most needs more than 1', changed('f48.lengthDigits', 1)],
    ['a time zone', 'timeZone is no time zone that is known here', changed('timeZone', 'Europe/Olso')],
    ['a tag', 'f48.tags.cvc.tag has another length', changed('f48.tags.cvc.tag', '9')],
    ['a tag twice', 'f48.tags.cvc is there twice', changed('f48.tags.cvc.tag', '08')],
    [
      'a message without its field',
      'fields.merchantName is missing',
      changed('messages.Capture.fields', ['merchantName']),
    ],
    [
      'a message without its tag',
      'messages.Cancel.tags[0] is in no private data',
      changed('messages.Cancel.tags', ['billingStreet']),
    ],
    ['private data without tags', 'f48 is there with fields.privateData alone', changed('f48', undefined)],
    ['packed text', 'fields.terminalId.packed is for digits', changed('fields.terminalId.packed', 'left')],
    ['digits of text', 'fields.terminalId.digits is for digits', changed('fields.terminalId.digits', 3)],
    ['bytes of text', 'fields.terminalId.as is for bytes', changed('fields.terminalId.as', 'base64')],
    [
      'a composed field of the same number',
      'composed[0] is there twice',
      changed('composed', [{ number: 4, form: 'n', length: 2, parts: [] }]),
    ],
    [
      'a bit',
      'composed[0].bits.(a bit) is no number from 1 to 64',
      changed('composed', [{ number: 100, form: 'b', length: 9, bits: { 65: BIT } }]),
    ],
    [
      'bits of text',
      'composed[0].form is not b',
      changed('composed', [{ number: 100, form: 'ans', length: 9, bits: { 2: BIT } }]),
    ],
    [
      'tags of digits',
      'composed[0].form is no text',
      changed('composed', [{ number: 100, form: 'n', length: 9, tags: ISO93.f48 }]),
    ],
    [
      'a part',
      'composed[0].parts[0].name is none of',
      changed('composed', [{ number: 100, form: 'n', length: 9, parts: [{ ...BIT, name: 'pin' }] }]),
    ],
    [
      'a value of its own',
      'messages.Cancel.values.amount.of is none of',
      changed('messages.Cancel.values', { amount: { of: 'all' } }),
    ],
    [
      'hours',
      'actionCodes.adviceCodes.24.afterHours is no whole number',
      changed('actionCodes.adviceCodes.24.afterHours', 0.5),
    ],
  ])('%s', (_name, message, document) => {
    expect(refusalOf(document)).toContain(message);
  });

  test('a member whose name may be a secret, without it', () => {
    expect(refusalOf(changed('fields.4925000000000004', {}))).toBe('fields.(a member) is not known here');
  });
});
