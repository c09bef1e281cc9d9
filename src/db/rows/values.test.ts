import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { parseBigint, parseTimestamp } from './values.ts';

const database = await testDatabase();
afterAll(() => database.drop());

describe('a value of the database becomes', () => {
  test.each<[sql: string, value: unknown]>([
    [`9007199254740991::bigint`, 9007199254740991],
    [`(-9007199254740991)::bigint`, -9007199254740991],
    [`array[1, null, 3]::bigint[]`, [1, null, 3]],
    [`7::integer`, 7],
    [`12345678901234567890.120::numeric`, '12345678901234567890.120'],
    [`timestamptz '2026-02-03 04:05:06+01'`, '2026-02-03T03:05:06.000Z'],
    [`timestamptz '2026-02-03 04:05:06.789Z'`, '2026-02-03T04:05:06.789Z'],
    [`timestamptz '2026-02-03 04:05:06.5Z'`, '2026-02-03T04:05:06.500Z'],
    [`timestamptz '2026-02-03 04:05:06.123999Z'`, '2026-02-03T04:05:06.123Z'],
    [`array[timestamptz '2026-02-03 04:05:06Z']`, ['2026-02-03T04:05:06.000Z']],
    [`date '2026-02-03'`, '2026-02-03'],
    [`uuid 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'`, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    [`'æøå'::text`, 'æøå'],
    [`array['a', null, 'b,"c']::text[]`, ['a', null, 'b,"c']],
    [`'{}'::text[]`, []],
    [`array['']::text[]`, ['']],
    [`'{}'::bigint[]`, []],
    [`'\\x00ff'::bytea`, Buffer.from([0, 255])],
    [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
    [`true`, true],
    [`null::bigint`, null],
  ])('%s', async (sql, value) => {
    const { rows } = await database.read<{ value: unknown }>({ name: sql, text: `select ${sql} as value` }, []);
    expect(rows).toEqual([{ value }]);
  });
});

describe('a list reaches the database as it is', () => {
  const back = async (type: string, list: readonly unknown[]): Promise<unknown> => {
    const statement = { name: `list-${type}`, text: `select $1::${type}[] as value` };
    const { rows } = await database.read<{ value: unknown }>(statement, [list]);
    return rows[0]?.value;
  };

  test('of texts, whatever they hold but NUL', async () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }).filter((text) => !text.includes('\u0000')),
      fc.string({ unit: fc.constantFrom('"', '\\', ',', '{', '}', "'", '\n', '\u2028', ' ', 'N', 'ø', '😀') }),
      fc.constantFrom('', 'NULL', 'null', '{}', '{"a":"b\\"c"}'),
      fc.json().filter((text) => !text.includes('\u0000')),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(texts), async (list) => {
        expect(await back('text', list)).toEqual(list);
      }),
    );
  });

  test('of JSON', async () => {
    // No text of it holds NUL, which jsonb refuses.
    const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('\\u0000'));
    await fc.assert(
      fc.asyncProperty(fc.array(values), async (list) => {
        const texts = list.map((value) => JSON.stringify(value));
        expect(await back('jsonb', texts)).toEqual(texts.map((text) => JSON.parse(text)));
      }),
    );
  });

  test.each([
    ['bigint', [1, null, -9007199254740991]],
    ['boolean', [true, false, null]],
    ['bytea', [Buffer.from([0, 92, 34]), null]],
    ['uuid', []],
  ])('of %s', async (type, list) => {
    expect(await back(type, list)).toEqual(list);
  });
});

test('a bigint that a number cannot hold is our bug', async () => {
  expect(() => parseBigint('9007199254740992')).toThrow('safe integer');
  const tooLarge = { name: 'too-large', text: 'select 9007199254740992::bigint as value' };
  await expect(database.read(tooLarge, [])).rejects.toThrow('safe integer');
  expect(database.stats().reads).toMatchObject({ open: 1, idle: 1 });
});

test.each(['2026-02-03 04:05:06+01', 'infinity', '10000-02-03 04:05:06+00', '0044-03-15 00:00:00+00 BC'])(
  'the timestamp %s is our bug',
  (text) => {
    expect(() => parseTimestamp(text)).toThrow('in UTC');
  },
);

test('kontor_now() makes whole milliseconds and runs on inside a transaction', async () => {
  const clock = {
    name: 'clock',
    text: 'select kontor_now() as now, extract(microseconds from kontor_now()) % 1000 as rest',
  };
  const times = await database.transact(async (transaction) => {
    const before = await transaction.run<{ now: string; rest: string }>(clock, []);
    await transaction.run({ name: 'pause', text: 'select pg_sleep(0.003)' }, []);
    return [...before.rows, ...(await transaction.run<{ now: string; rest: string }>(clock, [])).rows];
  });
  expect(times.map(({ rest }) => Number(rest))).toEqual([0, 0]);
  expect(times.map(({ now }) => now)).toEqual([...new Set(times.map(({ now }) => now))].sort());
});
