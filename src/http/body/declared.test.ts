import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { declaredBody } from './declared.ts';
import { parseJson } from './parse-json.ts';
import { schemaChecker } from './validate.ts';

/** What is left of a body, or the members that are complained of. */
function taken(schema: Parameters<typeof declaredBody>[1], body: object): unknown {
  try {
    const sent = parseJson(Buffer.from(JSON.stringify(body)));
    return JSON.parse(
      JSON.stringify(
        declaredBody(
          schemaChecker(() => []),
          schema,
        )(sent),
      ),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.problems.map(({ name }) => name);
  }
}

test('what a schema does not declare is taken out at every depth', () => {
  const schema = Type.Object({
    amount: Type.Integer(),
    merchant: Type.Object({ name: Type.String() }),
    products: Type.Array(Type.Object({ id: Type.Optional(Type.String()) })),
    metadata: Type.Record(Type.String(), Type.String()),
  });
  const body = {
    amount: 1,
    toString: 2,
    block: [3],
    merchant: { name: 'a', other: { amount: 4 } },
    products: [
      { id: 'b', amount: 5 },
      { id: 'd', constructed: 6 },
    ],
    metadata: { free: 'c' },
  };
  expect(taken(schema, body)).toEqual({
    amount: 1,
    merchant: { name: 'a' },
    products: [{ id: 'b' }, { id: 'd' }],
    metadata: { free: 'c' },
  });
});

describe('an empty text', () => {
  const members = {
    text: Type.Optional(Type.String({ minLength: 1 })),
    amount: Type.Optional(Type.Integer()),
    flag: Type.Optional(Type.Boolean()),
    list: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    object: Type.Optional(Type.Object({ name: Type.String() })),
    free: Type.Optional(Type.Record(Type.String(), Type.String())),
  };
  const schema = Type.Object({
    ...members,
    name: Type.String({ minLength: 1 }),
    items: Type.Array(Type.Object(members)),
    inner: Type.Object(members),
  });
  const empty = Object.fromEntries(Object.keys(members).map((name) => [name, '']));

  test('is absent where the member need not be there, whatever it else holds, at every depth', () => {
    expect(
      taken(schema, { ...empty, name: 'a', items: [empty, empty], inner: { ...empty, free: { a: '', b: 'c' } } }),
    ).toEqual({
      name: 'a',
      items: [{}, {}],
      inner: { free: { b: 'c' } },
    });
  });

  test('is a value where the member must be there, and in a list', () => {
    expect(taken(schema, { name: '', items: [], inner: { object: { name: '' }, list: [''] } })).toEqual([
      'name',
      'inner.list[0]',
    ]);
    expect(taken(schema, { name: 'a', items: '', inner: '' })).toEqual(['items', 'inner']);
  });

  test('is no text of blanks', () => {
    expect(taken(schema, { name: 'a', items: [], inner: { amount: ' ' } })).toEqual(['inner.amount']);
  });
});

test('of members by any name only texts stay, beside those that are declared', () => {
  const schema = {
    ...Type.Object({ inner: Type.Optional(Type.Object({ a: Type.String() })) }),
    additionalProperties: Type.String({ maxLength: 3 }),
  };
  const body = {
    inner: { a: 'b', c: 'd' },
    text: 'e',
    empty: '',
    number: 1,
    flag: true,
    object: { f: 'g' },
    list: ['h'],
  };
  expect(taken(schema, body)).toEqual({ inner: { a: 'b' }, text: 'e' });
  expect(taken(schema, { text: 'long' })).toEqual(['text']);
});
