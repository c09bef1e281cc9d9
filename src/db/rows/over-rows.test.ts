import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { overPlainRows, overRows, overRowsOf, type PayeeTexts } from './over-rows.ts';

const database = await testDatabase();
afterAll(() => database.drop());

interface Drawer {
  readonly label: string;
  readonly room: { readonly number: number } | null;
  readonly sealed: Buffer | null;
}

const DRAWERS: readonly Drawer[] = [
  { label: 'a"b', room: { number: 7 }, sealed: Buffer.from([0, 255]) },
  { label: 'c', room: null, sealed: null },
];

const SELECT_DRAWERS = overPlainRows<Drawer, [prefix: string]>({
  name: 'test-select-drawers',
  beside: 1,
  columns: {
    label: ['text', 'label'],
    room_number: ['bigint', ({ room }) => room?.number ?? null],
    sealed: ['bytea', 'sealed'],
  },
  text: ({ names, places }) =>
    `select $1::text || label as prefixed, ${names}, position from ${places} order by position`,
});

test('rows come to the database with each value in the column of its name', async () => {
  const { rows } = await database.read(SELECT_DRAWERS, SELECT_DRAWERS.values(DRAWERS, 'x'));
  expect(rows).toEqual([
    { prefixed: 'xa"b', label: 'a"b', room_number: 7, sealed: Buffer.from([0, 255]), position: 1 },
    { prefixed: 'xc', label: 'c', room_number: null, sealed: null, position: 2 },
  ]);
  expect((await database.read(SELECT_DRAWERS, SELECT_DRAWERS.values([], 'x'))).rows).toEqual([]);
});

test('a change must touch as many rows as it is given, and its statement stays the same', () => {
  const call = SELECT_DRAWERS.call(DRAWERS, 'x');
  const values = SELECT_DRAWERS.values(DRAWERS, 'x');
  expect(call).toEqual({ statement: SELECT_DRAWERS, values, expected: 2, isSure: false });
  expect(call.statement).toBe(SELECT_DRAWERS.call([], 'y').statement);
});

test('a member or a value of another type than its column does not compile', () => {
  const wrong = { name: 'test-wrong', text: () => '' };
  overPlainRows<Drawer>({
    ...wrong,
    columns: {
      // @ts-expect-error: a text is no bigint
      label: ['bigint', 'label'],
      // @ts-expect-error: there is no such member
      lable: ['text', 'lable'],
      // @ts-expect-error: JSON travels as text
      room: ['jsonb', 'room'],
      // @ts-expect-error: bytes are no text
      sealed: ['text', ({ sealed }) => sealed],
      // @ts-expect-error: a value that is missing is null
      room_number: ['bigint', ({ room }) => room?.number],
    },
  });
  // @ts-expect-error: its value beside the rows is missing
  expect(SELECT_DRAWERS.values([])).toHaveLength(3);
});

describe('a statement over rows of payees', () => {
  interface Shelf {
    readonly payeeId: string;
    readonly height: number;
  }
  const [ours, theirs] = ['0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;
  const told = {
    name: 'test-shelves',
    beside: 1,
    columns: { height: ['integer', 'height'] },
    text: ({ payee, values, rows }: PayeeTexts) =>
      `select ${payee} as payee, v.height * $1::integer as height from (select ${values} from ${rows}) as v (payee_id, height)`,
  } as const;
  const shelves: readonly Shelf[] = [
    { payeeId: ours, height: 1 },
    { payeeId: theirs, height: 2 },
  ];

  test('has each with its own payee', async () => {
    const statement = overRows<Shelf, [factor: number]>(told);
    const { rows } = await database.read(statement, statement.values(shelves, 10));
    expect(rows).toEqual([
      { payee: ours, height: 10 },
      { payee: theirs, height: 20 },
    ]);
  });

  test('can be said of one payee, the last value', async () => {
    const { name, ofOne } = overRows<Shelf, [factor: number]>(told);
    const text = ofOne.replace('(payee_id, height)', '(whose, height)');
    expect((await database.read({ name: `${name}-of-one`, text }, [10, [1, 2], theirs])).rows).toEqual([
      { payee: theirs, height: 10 },
      { payee: theirs, height: 20 },
    ]);
  });

  test('knows whose a row is that says so otherwise', () => {
    const statement = overRowsOf<{ readonly shelf: Shelf }>(({ shelf }) => shelf.payeeId, {
      name: 'test-shelves-within',
      columns: { height: ['integer', ({ shelf }) => shelf.height] },
      text: ({ matches }) => matches,
    });
    expect(statement.text).toBe('payee_id = v.payee_id and height = v.height');
    expect(statement.nameOf({ shelf: { payeeId: ours, height: 3 } })).toBe(`${ours}\0${3}\0`);
  });
});
