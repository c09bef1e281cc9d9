import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import type { GuardedCall } from '../batch/batch.types.ts';
import {
  asExcluded,
  columnsFrom,
  columnsOf,
  inJson,
  insertRows,
  named,
  orNull,
  prefixed,
  rowAmong,
  some,
  tableOf,
  updateChanges,
  updateRows,
} from './tables.ts';

const [OURS, THEIRS] = ['0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

const database = await testDatabase();
afterAll(() => database.drop());

interface Drawer {
  readonly payeeId: string;
  readonly label: string;
  readonly roomNumber: number | null;
  readonly content: { readonly things: number } | null;
  readonly openedAt: string;
  readonly owner: string;
  readonly sealed: Buffer;
}

const DRAWER = tableOf<Drawer, Pick<Drawer, 'payeeId' | 'label'>>('drawer', {
  key: { payeeId: 'uuid', label: 'text' },
  once: { owner: named('owned_by', 'text'), sealed: 'bytea' },
  always: { content: orNull('jsonb'), openedAt: 'timestamptz' },
  later: { roomNumber: orNull('bigint') },
  apart: { madeAt: 'timestamptz' },
});

test('select lists come from the table', () => {
  expect(DRAWER.columns).toBe(
    'payee_id as "payeeId", label, owned_by as "owner", sealed, content, opened_at as "openedAt", room_number as "roomNumber"',
  );
  expect(some(DRAWER, 'label', 'openedAt')).toBe('label, opened_at as "openedAt"');
  expect(columnsFrom('d', DRAWER, 'label', 'owner')).toBe('d.label as "label", d.owned_by as "owner"');
  expect(
    prefixed(
      'other',
      tableOf<Pick<Drawer, 'label' | 'openedAt'>>('drawer', {
        key: { label: 'text' },
        once: { openedAt: 'timestamptz' },
      }),
    ),
  ).toBe('label as "otherLabel", opened_at as "otherOpenedAt"');
  expect(inJson('d', DRAWER, 'label', 'openedAt')).toBe(
    `d.label as "label", to_char(d.opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "openedAt"`,
  );
  expect(asExcluded(DRAWER.changed)).toBe(
    'content = excluded.content, opened_at = excluded.opened_at, room_number = excluded.room_number',
  );
  expect(() => some(DRAWER, 'width' as 'label')).toThrow('drawer has no column for width');
});

test('a row is found among the members of another', () => {
  const row = { label: 'x', otherLabel: 'a', otherOpenedAt: 'now', otherRoomNumber: null };
  expect(rowAmong('other', DRAWER, row)).toMatchObject({ label: 'a', openedAt: 'now', roomNumber: null });
});

test('a new row has what is written once and always, a change what is written always and later', () => {
  const row: Drawer = {
    payeeId: OURS,
    label: 'a',
    roomNumber: 7,
    content: { things: 2 },
    openedAt: '2026-01-02T03:04:05.678Z',
    owner: 'me',
    sealed: Buffer.from([1]),
  };
  const columns = ({ statement }: GuardedCall) => /insert into drawer \((.*?)\)|set (.*)/.exec(statement.text);
  expect(columns(insertRows('test-insert-drawers', DRAWER)([row]))?.[1]).toBe(
    'payee_id, label, owned_by, sealed, content, opened_at',
  );
  const update = updateChanges('test-update-drawers', DRAWER, 'roomNumber')([{ before: row, after: row }]);
  expect(columns(update)?.[2]).toBe('content = v.content, opened_at = v.opened_at, room_number = v.room_number');
  expect(update.statement.text).toContain('drawer.room_number = v.room_number_seen');
});

test('rows are added, and changed where all of them are as they were seen', async () => {
  await database.asAdmin(
    'create table shelf (payee_id uuid, label text, height bigint, primary key (payee_id, label)); grant all on shelf to kontor_app',
  );
  interface Shelf {
    readonly payeeId: string;
    readonly label: string;
    readonly height: number;
  }
  const shelf = tableOf<Shelf, Pick<Shelf, 'payeeId' | 'label'>>('shelf', {
    key: { payeeId: 'uuid', label: 'text' },
    always: { height: 'bigint' },
  });
  const insert = insertRows('test-insert', shelf);
  const update = updateRows({
    name: 'test-update',
    table: shelf,
    seen: 'height',
    from: ({ before }: Shelf & { readonly before: number }) => before,
  });
  const counted = ({ statement, values }: GuardedCall) =>
    database.transact(async ({ run }) => (await run(statement, values)).count);
  const added = insert([
    { payeeId: OURS, label: 'a', height: 1 },
    { payeeId: OURS, label: 'b', height: 2 },
  ]);
  expect(added).toMatchObject({ expected: 2, isSure: true });
  expect(await counted(added)).toBe(2);
  const right = { payeeId: OURS, label: 'a', height: 10, before: 1 };
  const stale = { payeeId: OURS, label: 'b', height: 20, before: 1 };
  expect([update([]), update([right, stale])]).toMatchObject([{ expected: 0 }, { expected: 1, isSure: true }]);
  for (const changes of [[right, stale], [stale], [{ ...right, label: 'c' }], [{ ...right, payeeId: THEIRS }]]) {
    await expect(counted(update(changes)), 'division by zero').rejects.toMatchObject({ code: '22012' });
  }
  expect(await counted(update([right]))).toBe(1);
  expect(await database.asAdmin('select label, height from shelf order by label')).toEqual([
    { label: 'a', height: 10 },
    { label: 'b', height: 2 },
  ]);
});

test('what a row has not, or has of another type, does not compile', () => {
  // @ts-expect-error: a text is no bigint
  tableOf<Drawer>('drawer', { key: { label: 'bigint' } });
  // @ts-expect-error: there is no such member
  tableOf<Drawer>('drawer', { key: { label: 'text' }, once: { lable: 'text' } });
  // @ts-expect-error: it may be empty
  tableOf<Drawer>('drawer', { key: { label: 'text' }, once: { roomNumber: 'bigint' } });
  // @ts-expect-error: an object is JSON
  tableOf<Drawer>('drawer', { key: { label: 'text' }, once: { content: orNull('text') } });
  // @ts-expect-error: the key has another member
  tableOf<Drawer, Pick<Drawer, 'label' | 'owner'>>('drawer', { key: { label: 'text' } });
  // @ts-expect-error: there is no such member
  expect(() => columnsOf(DRAWER, 'lable')).toThrow();
});
