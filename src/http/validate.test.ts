import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { decimal, reference } from '../kit/schemas.wire.ts';
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

  it('says what a number with a fraction must be like', () => {
    expect(said(decimal('How many'), '1.5')).toEqual([
      'must be a number, with up to nine digits before the point and six behind it',
    ]);
  });
});
