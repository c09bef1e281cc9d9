import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pendingOf, readMigrations, statementsOf } from './migration-files.ts';

function folder(files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-migrations-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

test('the migrations of this version begin with the payees and have numbers that rise', () => {
  const migrations = readMigrations();
  expect(migrations[0]?.name).toBe('000001-payees');
  const numbers = migrations.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

test('a migration is read with its number, name and checksum; other line ends change nothing', () => {
  const [unix] = readMigrations(folder({ '000007-a-b.sql': 'select 1;\nselect 2;\n', 'README.md': '' }));
  const [windows] = readMigrations(folder({ '000007-a-b.sql': 'select 1;\r\nselect 2;\r\n' }));
  expect(unix).toMatchObject({ number: 7, name: '000007-a-b', inTransaction: true });
  expect(unix?.checksum).toMatch(/^[0-9a-f]{64}$/);
  expect(windows).toEqual(unix);
});

test('the first line says whether it runs without a transaction', () => {
  const read = (sql: string) => readMigrations(folder({ '000001-a.sql': sql }))[0]?.inTransaction;
  expect(read('-- no transaction\nselect 1;')).toBe(false);
  expect(read('-- no transaction at all\nselect 1;')).toBe(true);
  expect(read('select 1;\n-- no transaction\n')).toBe(true);
});

test.each([
  ['a name that is none', { '1-a.sql': '' }, '1-a.sql is not named like a migration'],
  ['one number twice', { '000001-a.sql': '', '000001-b.sql': '' }, '000001-a and 000001-b have the same number'],
])('%s is refused', (_, files, message) => {
  expect(() => readMigrations(folder(files))).toThrow(message);
});

test('what is pending follows from what was applied, and history does not change', () => {
  const migrations = readMigrations(folder({ '000001-a.sql': 'a', '000002-b.sql': 'b', '000004-d.sql': 'd' }));
  const [a, b, d] = migrations;
  if (a === undefined || b === undefined || d === undefined) return expect.unreachable();
  expect(pendingOf(migrations, [])).toEqual([a, b, d]);
  expect(pendingOf(migrations, [a])).toEqual([b, d]);
  expect(pendingOf(migrations, [a, b, d])).toEqual([]);
  expect(() => pendingOf(migrations, [a, { ...b, checksum: 'other' }])).toThrow('000002-b has changed');
  expect(() => pendingOf(migrations, [{ ...a, name: '000001-foundation' }, b])).toThrow(
    /it has 000001-foundation, where this one has 000001-a.*kontor sandbox --reset/,
  );
  expect(() => pendingOf(migrations, [a, { ...d, number: 5, name: '000005-e' }])).toThrow('newer than this version');
  expect(() => pendingOf(migrations, [a, d])).toThrow('000002-b comes before');
});

test('a file without a transaction falls into its statements', () => {
  const sql = `-- no transaction
-- Why; and what for;
drop index concurrently if exists a;

create index concurrently a
  on b (c) -- not the end; this either
  where d <> ';' ;
`;
  expect(statementsOf(sql)).toEqual([
    'drop index concurrently if exists a',
    "create index concurrently a\n  on b (c) -- not the end; this either\n  where d <> ';'",
  ]);
});
