import { type TSchema, Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { cardNumber, decimal, freeText, idLike, reference, remark, scalar } from '../../kit/schemas.wire.ts';
import { schemaChecker } from './validate.ts';

describe('a schema', () => {
  const isTaken = (schema: TSchema, value: unknown, prefixes: string[] = []) =>
    schemaChecker(() => prefixes)(schema)(value).length === 0;
  const VISA = '4925000000000004';
  const GIFT_CARD = '992500000000009';

  it.each([
    ['a text', Type.String(), (number: string) => number],
    ['a text of limited length', Type.String({ maxLength: 2000 }), (number: string) => `a ${number}`],
    ['a text of a person', freeText(100, 'Any'), (number: string) => number],
    ['a reference', reference('names the order'), (number: string) => `order.${number}`],
    ['an id that may be a number', idLike('^[0-9]{1,64}$', 'Digits'), (number: string) => number],
    ['a text that may be missing', Type.Unsafe({ type: ['string', 'null'] }), (number: string) => number],
    ['a text in a list', Type.Array(Type.String()), (number: string) => [number]],
    ['a text of some', Type.Union([Type.Boolean(), Type.String()]), (number: string) => number],
    ['a member', Type.Object({ type: Type.String() }), (number: string) => ({ type: number })],
    [
      'a member with a chosen name',
      Type.Record(Type.String(), Type.String()),
      (number: string) => ({ [`a${number}`]: 'x' }),
    ],
    [
      'a member with a chosen name of some form',
      Type.Record(Type.String({ pattern: '^[a-z0-9]{1,40}$' }), Type.Integer()),
      (number: string) => ({ [number]: 1 }),
    ],
  ])('takes no card number in %s', (_, schema, value) => {
    expect(isTaken(schema, value(VISA))).toBe(false);
    expect(isTaken(schema, value('4925000000000005'))).toBe(true);
    // What is compiled is shared, and how card numbers begin is not.
    expect(isTaken(schema, value(GIFT_CARD))).toBe(true);
    expect(isTaken(schema, value(GIFT_CARD), ['9925'])).toBe(false);
    expect(isTaken(schema, value(GIFT_CARD))).toBe(true);
  });

  it('takes one where it says why', () => {
    expect(isTaken(Type.String({ unscanned: 'sealed' }), VISA)).toBe(true);
    expect(isTaken(cardNumber('^[0-9]{8,19}$', 'A card'), VISA)).toBe(true);
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
      'true or false';
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

  it('does not repeat a card number that was chosen for a name', () => {
    const check = schemaChecker(() => [])(Type.Object({ metadata: Type.Record(Type.String(), Type.Integer()) }));
    const problems = check({ metadata: { '4925000000000004': 'x' } });
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain('4925000000000004');
    expect(problems[0]).toEqual({ name: 'metadata', description: 'must not hold a card number' });
  });

  it("refuses a card's code in a remark, and does not repeat it", () => {
    const check = schemaChecker(() => [])(Type.Object({ description: remark(40, 'What it is for') }));
    expect(check({ description: 'Pin 500' })).toEqual([]);
    expect(check({ description: 'CVC: 123' })).toEqual([
      { name: 'description', description: "must not hold a card's check digits, PIN or track" },
    ]);
  });
});
