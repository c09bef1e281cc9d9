import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { answerWriter } from './write-answer.ts';

const Card = Type.Object({ brand: Type.String(), expiry: Type.Optional(Type.String()) }, { $id: 'Card' });
const Payment = Type.Object({
  id: Type.String(),
  amount: Type.Integer(),
  isTest: Type.Boolean(),
  cards: Type.Array(Card),
  problem: Type.Union([Card, Type.Null()]),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  any: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])),
  metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
  details: Type.Optional(Type.Record(Type.String(), Card)),
  named: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]+$' }), Card)),
  info: Type.Optional(Type.Object({ email: Type.String() }, { additionalProperties: Card })),
});
const PLAIN = { id: 'a', amount: 1, isTest: false, cards: [], problem: null };
const written = (value: unknown) => JSON.parse(answerWriter(Payment)(value)) as unknown;

describe('an answer', () => {
  test('has its declared members, in the order of the schema', () => {
    const whole = {
      ...PLAIN,
      cards: [{ brand: 'Visa' }],
      problem: { brand: 'x' },
      note: null,
      metadata: { a: [{ b: 1 }] },
    };
    expect(written(whole)).toEqual(whole);
    expect(answerWriter(Payment)({ problem: null, cards: [], isTest: false, amount: 1, id: 'a' })).toBe(
      '{"id":"a","amount":1,"isTest":false,"cards":[],"problem":null}',
    );
  });

  test('has no member that is not declared, however deep', () => {
    const secret = { pan: '4925000000000004' };
    const sent = {
      ...{ ...PLAIN, ...secret, cards: [{ brand: 'Visa', ...secret }], problem: { brand: 'x', ...secret } },
      ...{
        details: { any: { brand: 'x', ...secret } },
        named: { abc: { brand: 'x', ...secret }, '1': { brand: 'y' } },
      },
      info: { email: 'a@b.c', other: { brand: 'x', ...secret } },
    };
    expect(answerWriter(Payment)(sent)).not.toContain('4925');
    expect(written(sent)).toEqual({
      ...{ ...PLAIN, cards: [{ brand: 'Visa' }], problem: { brand: 'x' } },
      ...{ details: { any: { brand: 'x' } }, named: { abc: { brand: 'x' } } },
      info: { email: 'a@b.c', other: { brand: 'x' } },
    });
  });

  test('leaves out what is undefined, and fails without a member that it must have', () => {
    expect(written({ ...PLAIN, note: undefined })).toEqual(PLAIN);
    expect(() => written({ ...PLAIN, amount: undefined })).toThrow('an answer has its member amount');
    expect(() => written({ ...PLAIN, cards: [{}] })).toThrow('brand');
  });

  test('has no object in the place of a text, a number or a list', () => {
    for (const wrong of [
      { id: {} },
      { amount: [] },
      { isTest: {} },
      { cards: { brand: 'x' } },
      { note: {} },
      { any: {} },
    ]) {
      expect(() => written({ ...PLAIN, ...wrong }), JSON.stringify(wrong)).toThrow('no object');
    }
  });

  test('writes each text as JSON does', () => {
    for (const id of ['"', '\\', '\u2028', '\ud800', '😀', '\u0000']) {
      expect(written({ ...PLAIN, id })).toEqual({ ...PLAIN, id });
    }
  });
});
