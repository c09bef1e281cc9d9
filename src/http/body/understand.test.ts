import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { decimal, freeText, idLike, scalar } from '../../kit/schemas.wire.ts';
import { declaredBody } from './declared.ts';
import { parseJson } from './parse-json.ts';
import { type Liberties, libertiesAt, NO_LIBERTIES } from './understand.ts';
import { schemaChecker } from './validate.ts';

const SCHEMA = Type.Object({
  amount: Type.Optional(Type.Integer({ minimum: -5, maximum: 999_999_999_999 })),
  quantity: Type.Optional(decimal('A quantity')),
  intent: Type.Optional(Type.Enum(['Authorization', 'AutoCapture', 'TakeOk'])),
  words: Type.Optional(Type.Array(Type.Enum(['PRODUCT', 'OTHER']))),
  text: Type.Optional(Type.String({ maxLength: 60 })),
  free: Type.Optional(freeText(40, 'A text')),
  flag: Type.Optional(Type.Boolean()),
  id: Type.Optional(idLike('^[0-9]{1,4}$', 'An id')),
  own: Type.Optional(scalar(20, 'Of the caller')),
  inner: Type.Optional(Type.Array(Type.Object({ amount: Type.Integer({ minimum: 0, maximum: 99 }) }))),
  known: Type.Optional(
    Type.Unsafe<object>({ ...Type.Object({}), additionalProperties: Type.String({ maxLength: 20 }) }),
  ),
});

const OF_PSP = libertiesAt('/psp/creditcard/payments');
const OF_ONLINE = libertiesAt('/online/payer');
const EXACT = libertiesAt('/api/payments/ping');

/** What a handler gets of a body; undefined where it is refused. Numbers with a fraction as texts. */
function taken(json: string, liberties: Liberties, schema: TSchema = SCHEMA): unknown {
  try {
    const body = declaredBody(
      schemaChecker(() => []),
      schema,
      liberties,
    )(parseJson(Buffer.from(json)));
    return JSON.parse(JSON.stringify(body, (_name, value) => (typeof value === 'symbol' ? value.description : value)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

test('nothing is understood below /api/payments, words below /online too, values below /psp alone', () => {
  expect([EXACT, OF_ONLINE, OF_PSP]).toEqual([
    NO_LIBERTIES,
    { words: true, values: false },
    { words: true, values: true },
  ]);
  for (const path of ['/events', '/webhooks', '/portal/api/session', '/pspx/y', '/api/payments/psp/x']) {
    expect(libertiesAt(path), path).toEqual(NO_LIBERTIES);
  }
});

describe('below /psp', () => {
  test.each<[string, string, unknown]>([
    ['a text of digits', '{"amount": "1500"}', { amount: 1500 }],
    ['a text below zero', '{"amount": "-5"}', { amount: -5 }],
    ['zero as a text', '{"amount": "0"}', { amount: 0 }],
    ['a whole number with a fraction', '{"amount": 100.0}', { amount: 100 }],
    ['a whole number with an exponent', '{"amount": 1e2}', { amount: 100 }],
    ['zero below zero', '{"amount": -0}', { amount: 0 }],
    ['a sum of doubles below it', '{"amount": 1499.9999999999998}', { amount: 1500 }],
    ['a sum of doubles above it', '{"amount": 1500.0000000002}', { amount: 1500 }],
    ['the largest miss', '{"amount": 1500.000000001}', { amount: 1500 }],
    ['the largest amount', '{"amount": 999999999999.0}', { amount: 999_999_999_999 }],
    ['a number as a text', '{"text": 0, "free": 12.50}', { text: '0', free: '12.50' }],
    ['a long number as a text', '{"text": 9999999999999999999999}', { text: '9999999999999999999999' }],
    ['a truth as a text', '{"text": true, "free": false}', { text: 'true', free: 'false' }],
    ['a word in capitals', '{"intent": "AUTHORIZATION"}', { intent: 'Authorization' }],
    ['words of a list', '{"words": ["product", "Other", "OTHER"]}', { words: ['PRODUCT', 'OTHER', 'OTHER'] }],
    ['a quantity', '{"quantity": 2.5000000000000004}', { quantity: '2.5' }],
    ['a whole quantity', '{"quantity": 5.00}', { quantity: 5 }],
    ['a quantity as a text', '{"quantity": "0.1234"}', { quantity: '0.1234' }],
    ['numbers at depth', '{"inner": [{"amount": "7"}, {"amount": 8.0}]}', { inner: [{ amount: 7 }, { amount: 8 }] }],
    [
      'what is written as the schema says',
      '{"amount": 7, "intent": "AutoCapture"}',
      { amount: 7, intent: 'AutoCapture' },
    ],
  ])('%s is understood', (_what, json, expected) => {
    expect(taken(json, OF_PSP)).toEqual(expected);
    // The control: exact, none of it but the last is taken.
    if (!json.includes('AutoCapture')) expect(taken(json, EXACT)).not.toEqual(expected);
  });

  test.each([
    '{"amount": "1e3"}',
    '{"amount": " 1500"}',
    '{"amount": "15.00"}',
    '{"amount": "01500"}',
    '{"amount": "+1500"}',
    '{"amount": "-0"}',
    '{"amount": "1,500"}',
    '{"amount": "0x10"}',
    '{"amount": "١٥"}',
    '{"amount": true}',
    '{"amount": 1500.00000001}',
    '{"amount": 999999999998.00001}',
    '{"amount": 1e99}',
    '{"amount": 0.5}',
    '{"amount": "1000000000000"}',
    '{"amount": ["1500"]}',
    '{"quantity": "1.00001"}',
    '{"quantity": "1e1"}',
    '{"flag": "true"}',
    '{"flag": 1}',
    '{"intent": "Authorization "}',
    '{"intent": "Ta\u212aeOk"}',
    '{"intent": 1}',
    '{"text": [1]}',
    '{"text": {"a": 1}}',
    '{"free": 4925000000000004}',
    '{"free": 4925000000000004.0}',
  ])('%s is refused', (json) => {
    expect(taken(json, OF_PSP)).toBeUndefined();
  });

  test('texts by a name of the caller are taken, and nothing else by such a name', () => {
    expect(taken('{"known": {"zip": 1642, "isOld": true, "city": "Oslo"}}', OF_PSP)).toEqual({
      known: { city: 'Oslo' },
    });
  });

  test('an id and a value of the caller keep the type that they came in', () => {
    const json = '{"id": 12, "own": 12}';
    expect(taken(json, OF_PSP)).toEqual({ id: 12, own: 12 });
    expect(taken('{"id": "12", "own": "12"}', OF_PSP)).toEqual({ id: '12', own: '12' });
  });
});

test('below /online words alone are read in any case', () => {
  expect(taken('{"intent": "autocapture"}', OF_ONLINE)).toEqual({ intent: 'AutoCapture' });
  expect(taken('{"amount": "1500"}', OF_ONLINE)).toBeUndefined();
  expect(taken('{"text": 1}', OF_ONLINE)).toBeUndefined();
});

test('every whole amount is understood, written as a text, with zeros, and as a double misses it', () => {
  const amount = fc.integer({ min: 0, max: 999_999_999_999 });
  const miss = fc.integer({ min: -10, max: 10 }).map((tenths) => tenths / 1e10);
  fc.assert(
    fc.property(amount, miss, (whole, off) => {
      const exact = BigInt(whole) * 10_000_000_000n + BigInt(Math.round(off * 1e10));
      const text = String(exact < 0n ? -exact : exact).padStart(11, '0');
      const near = `${exact < 0n ? '-' : ''}${text.slice(0, -10)}.${text.slice(-10)}`;
      for (const json of [`"${whole}"`, `${whole}.000`, near]) {
        expect(taken(`{"amount": ${json}}`, OF_PSP), json).toEqual({ amount: whole });
      }
    }),
  );
});

test('a large or deep body costs about as much as its reading', () => {
  const bodies = [
    `{"inner": [${Array(10_000).fill('{"amount": "7"}').join()}]}`,
    `{"intent": "${'A'.repeat(200_000)}"}`,
    `{"amount": "${'9'.repeat(200_000)}"}`,
    `{"amount": ${'9'.repeat(200_000)}}`,
    `{"amount": 0.${'9'.repeat(200_000)}}`,
    `{"text": ${'9'.repeat(200_000)}}`,
    `{"words": [${Array(20_000).fill('"pRODUCT"').join()}]}`,
    `{"known": {"a": {"a": {"a": {"a": {"a": {"a": 1}}}}}}}`,
  ];
  const fastest = (liberties: Liberties, json: string) =>
    Math.min(
      ...Array.from({ length: 7 }, () => {
        const from = performance.now();
        taken(json, liberties);
        return performance.now() - from;
      }),
    );
  for (const json of bodies) {
    expect(fastest(OF_PSP, json), json.slice(0, 40)).toBeLessThan(4 * fastest(NO_LIBERTIES, json) + 200);
  }
});
