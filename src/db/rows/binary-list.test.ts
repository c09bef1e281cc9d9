import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { AssertionFailure } from '../../kit/assert.ts';
import { type Values, type ValueType, writeList } from './binary-list.ts';

const database = await testDatabase();
afterAll(() => database.drop());

const writeAny = <Type extends ValueType>(type: Type, list: readonly unknown[]): Buffer =>
  writeList(type, list as readonly (Values[Type] | null)[], (value) => value);

async function back(type: ValueType, list: readonly unknown[]): Promise<unknown[]> {
  const statement = {
    name: `list-${type}`,
    text: `select value from unnest($1::${type}[]) with ordinality as v (value, at) order by at`,
  };
  const { rows } = await database.read<{ value: unknown }>(statement, [writeAny(type, list)]);
  return rows.map(({ value }) => value);
}

const [ONE, OTHER] = ['0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

describe('a column reaches the database as it is', () => {
  test.each<[ValueType, readonly unknown[]]>([
    ['bigint', [0, 1, -1, 2 ** 32, -(2 ** 32), Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, null]],
    ['boolean', [true, false, null, true]],
    ['bytea', [Buffer.from([0, 92, 34, 255]), null, Buffer.alloc(0)]],
    ['date', ['2026-11-26', '1999-12-31', '1970-01-01', null, '9999-12-31']],
    ['float8', [0.1, -1e300, null]],
    ['integer', [0, 2 ** 31 - 1, -(2 ** 31), null]],
    ['jsonb', [{ a: ['ø', null] }, null]],
    ['smallint', [0, 2 ** 15 - 1, -(2 ** 15), null]],
    ['text', ['', 'NULL', '"\\', 'ø😀', null, 'x'.repeat(33), `${'x'.repeat(20)}ø`]],
    ['timestamptz', ['2026-11-26T02:03:04.567Z', '1999-12-31T23:59:59.999Z', null, '9999-12-31T23:59:59.999Z']],
    ['uuid', [ONE, OTHER, null]],
  ])('of %s', async (type, list) => {
    const sent = type === 'jsonb' ? list.map((value) => (value === null ? null : JSON.stringify(value))) : list;
    expect(await back(type, sent)).toEqual(list);
    const [first, second] = [sent[0], sent[1]];
    const repeated = [first, first, first, null, null, second, second, first];
    const asRead = [list[0], list[0], list[0], null, null, list[1], list[1], list[0]];
    expect(await back(type, repeated)).toEqual(asRead);
    expect(await back(type, [])).toEqual([]);
    expect(await back(type, [null])).toEqual([null]);
  });

  test('whatever a text holds but NUL, and however long it is', async () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }).filter((text) => !text.includes('\u0000')),
      fc.tuple(fc.constantFrom('a', 'ø', '😀'), fc.nat({ max: 40_000 })).map(([unit, count]) => unit.repeat(count)),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(texts), async (list) => {
        expect(await back('text', list)).toEqual(list);
      }),
    );
  });

  test('and so do bytes that PostgreSQL has written, and many of them', async () => {
    expect(await back('bytea', ['\\x00ff', '\\x'])).toEqual([Buffer.from([0, 255]), Buffer.alloc(0)]);
    const large = Buffer.alloc(100_000, 7);
    expect(await back('bytea', [large, large, large])).toEqual([large, large, large]);
  });
});

test.each<[ValueType, unknown]>([
  ['bigint', 2 ** 53],
  ['bigint', 0.5],
  ['bytea', '00ff'],
  ['bytea', '\\x0'],
  ['bytea', '\\xzz'],
  ['date', 'yesterday'],
  ['date', '2026-11-26T12:00:00Z'],
  ['integer', 2 ** 31],
  ['smallint', 2 ** 15],
  ['timestamptz', 'infinity'],
  ['uuid', ONE.replaceAll('-', '')],
  ['uuid', ONE.replace('b', 'g')],
  ['uuid', ONE.replace('b', 'ø')],
])('what is no %s is our bug: %s', (type, value) => {
  expect(() => writeAny(type, [value])).toThrow(AssertionFailure);
});
