import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { orNull, type Table, type TableColumn, tableOf } from '../../src/db/rows/tables.ts';
import { testDatabase } from '../support/database/database.ts';
import { ROOT } from '../tidy/files.ts';

type AnyTable = Pick<Table<object>, 'name' | 'all' | 'apart'>;

const database = await testDatabase();
afterAll(() => database.drop());

/** What the sources tell of tables. What they export beside, they are made of. */
async function toldTables(): Promise<AnyTable[]> {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const modules = await Promise.all(
    paths
      .filter((path) => path.endsWith('.tables.ts'))
      .map((path) => import(join(ROOT, 'src', path)) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module) => Object.values(module)).filter((found) => typeof found === 'object') as AnyTable[];
}

const SCHEMA = `
  select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type, not a.attnotnull as nullable
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`;

/** As PostgreSQL writes types that have a shorter name. */
const LONG_NAMES: Readonly<Record<string, string>> = {
  timestamptz: 'timestamp with time zone',
  float8: 'double precision',
};

/** What tables are told to have and do not, and what they have and are not told to. */
async function differences(tables: readonly AnyTable[]): Promise<string[]> {
  const rows = await database.asAdmin(SCHEMA);
  const names = new Set(tables.map(({ name }) => name));
  const there = rows
    .filter(({ table }) => names.has(table as string))
    .map(({ table, column, type, nullable }) => lineOf(table, { column, type, isNullable: nullable } as TableColumn));
  const told = tables.flatMap(({ name, all, apart }) => [...all, ...apart].map((column) => lineOf(name, column)));
  return [
    ...told.filter((line) => !there.includes(line)).map((line) => `told: ${line}`),
    ...there.filter((line) => !told.includes(line)).map((line) => `there: ${line}`),
  ].sort();
}

const lineOf = (table: unknown, { column, type, isNullable }: TableColumn) =>
  `${table}.${column} ${LONG_NAMES[type] ?? type}${isNullable ? ' null' : ''}`;

test('each table is told as it is', async () => {
  const tables = await toldTables();
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['account', 'payment']));
  expect(await differences(tables)).toEqual([]);
});

test('a column that is missing, of another name, of another type or that may be empty is found', async () => {
  await database.asAdmin('create table drawer (label text primary key, height bigint not null, room text, extra text)');
  interface Drawer {
    readonly label: string;
    readonly height: number;
    readonly room: string;
    readonly width: number;
  }
  const told = tableOf<Drawer>('drawer', {
    key: { label: 'text' },
    once: { height: 'integer', room: 'text' },
    apart: { width: orNull('bigint') },
  });
  expect(await differences([told])).toEqual([
    'there: drawer.extra text null',
    'there: drawer.height bigint',
    'there: drawer.room text null',
    'told: drawer.height integer',
    'told: drawer.room text',
    'told: drawer.width bigint null',
  ]);
  const right = tableOf<Drawer>('drawer', {
    key: { label: 'text' },
    once: { height: 'bigint', room: orNull('text') },
    apart: { extra: orNull('text') },
  });
  expect(await differences([right])).toEqual([]);
});
