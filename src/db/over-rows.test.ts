import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import type { GuardedCall } from './batch/batch.types.ts';
import { insertRows, overRows, updateRows } from './over-rows.ts';

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

test('rows are added, and changed where all of them are as they were seen', async () => {
  await database.asAdmin(
    'create table shelf (label text primary key, height bigint); grant all on shelf to kontor_app',
  );
  type Shelf = { readonly label: string; readonly height: number; readonly before: number };
  const insert = insertRows<Shelf>('test-insert', 'shelf', { label: ['text', 'label'], height: ['bigint', 'before'] });
  const update = updateRows<Shelf>({
    name: 'test-update',
    table: 'shelf',
    key: { label: ['text', 'label'] },
    seen: { height: ['bigint', 'before'] },
    set: { height: ['bigint', 'height'] },
  });
  const counted = ({ statement, values }: GuardedCall) =>
    database.transact(async ({ run }) => (await run(statement, values)).count);
  const added = insert([
    { label: 'a', height: 0, before: 1 },
    { label: 'b', height: 0, before: 2 },
  ]);
  expect(added).toMatchObject({ expected: 2, isSure: true });
  expect(await counted(added)).toBe(2);
  const right = { label: 'a', height: 10, before: 1 };
  const stale = { label: 'b', height: 20, before: 1 };
  expect([update([]), update([right, stale])]).toMatchObject([{ expected: 0 }, { expected: 1, isSure: true }]);
  for (const changes of [[right, stale], [stale], [{ ...right, label: 'c' }]]) {
    await expect(counted(update(changes)), 'division by zero').rejects.toMatchObject({ code: '22012' });
  }
  expect(await counted(update([right]))).toBe(1);
  expect(await database.asAdmin('select label, height from shelf order by label')).toEqual([
    { label: 'a', height: 10 },
    { label: 'b', height: 2 },
  ]);
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
