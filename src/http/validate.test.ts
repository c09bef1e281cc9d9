import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { decimal, reference, scalar } from '../kit/schemas.wire.ts';
import { schemaChecker } from './validate.ts';

describe('a reference', () => {
  const check = schemaChecker(() => [])(Type.String({ reference: true }));
  const isTaken = (reference: string) => check(reference).length === 0;

  it.each([
    '4925000000000004',
    '4925-0000-0000-0004',
    '4925.0000.0000.0004',
    'order-4925000000000004',
    'order4925000000000004x',
    'a_4925000000000004',
  ])('is refused where it holds a card number: %s', (reference) => {
    expect(isTaken(reference)).toBe(false);
  });

  it.each([
    // Digits that would pass as a card number between two letters of a UUID.
    'a4925000000000004b5c6d7e8f9a0b1c',
    'a4925000-0000-0004-b5c6-d7e8f9a0b1c2',
    '4925000000000005',
    '2026-11-21.000123',
  ])('is taken otherwise: %s', (reference) => {
    expect(isTaken(reference)).toBe(true);
  });

  it('is taken where it is a UUID with a letter, in either form', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        fc.pre(/[a-f]/.test(uuid));
        expect([isTaken(uuid), isTaken(uuid.replaceAll('-', ''))]).toEqual([true, true]);
      }),
    );
  });
});

describe('the problem of a wrong value', () => {
  const said = (schema: Parameters<ReturnType<typeof schemaChecker>>[0], value: unknown) =>
    schemaChecker(() => [])(schema)(value).map(({ description }) => description);

  it('says what a reference must be like', () => {
    expect(said(reference('names the order'), 'a/b')).toEqual([
      'must be: 1 to 64 of A-Z, a-z, 0-9, dot, underscore and dash: names the order',
    ]);
  });

  it('names every type that is taken, and not the first alone', () => {
    const words =
      'must be a text of at most 5 characters, a number with at most twelve digits before the point and six behind it, ' +
      'true or false; without a card number';
    const wrong = [
      {},
      [],
      'too long',
      Symbol('1e2'),
      Symbol('1234567890123'),
      Symbol('1.1234567'),
      Symbol('123456789012.1234'),
    ];
    for (const value of wrong) expect(said(scalar(5, 'Anything'), value)).toEqual([words]);
    for (const value of ['text', 1, -2, Symbol('0.5'), Symbol('-123456789.123456'), true, false]) {
      expect(said(scalar(5, 'Anything'), value)).toEqual([]);
    }
    // A point must not part a card number.
    for (const value of ['4925000000000004', Symbol('377601000.000000')]) {
      expect(said(scalar(20, 'Anything'), value)).toHaveLength(1);
    }
  });

  it('says how many there may be', () => {
    const list = Type.Array(Type.Integer(), { minItems: 1, maxItems: 2, description: 'Whole numbers' });
    expect(said(list, [])).toEqual(['must have at least 1 item']);
    expect(said(list, [1, 2, 3])).toEqual(['must have at most 2 items']);
    const flat = Type.Record(Type.String({ pattern: '^[a-z]$' }), Type.Integer(), {
      maxProperties: 1,
      additionalProperties: false,
      description: 'Words',
    });
    expect(said(flat, { a: 1, b: 2 })).toEqual(['must have at most 1 members']);
    expect(said(flat, { 'a/b': 1 })).toEqual(['has a member whose name has the wrong form']);
  });

  it('says what a number with a fraction must be like', () => {
    expect(said(decimal('How many'), '1.5')).toEqual([
      'must be a number, with up to nine digits before the point and six behind it',
    ]);
  });
});
