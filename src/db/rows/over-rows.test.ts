import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { overRows } from './over-rows.ts';

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

const SELECT_DRAWERS = overRows<Drawer, [prefix: string]>({
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
  overRows<Drawer>({
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
