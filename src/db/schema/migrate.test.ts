import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { until } from '../../../test/support/until.ts';
import { connect } from '../server/connection.ts';
import { StatementFailed } from '../server/failures.ts';
import type { Statement } from '../transaction.types.ts';
import { migrate, pendingMigrations } from './migrate.ts';

const migrated = await testDatabase();
afterAll(() => migrated.drop());

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase({ of: 'empty' });
  onTestFinished(() => database.drop());
  return database;
}

/** A folder of migrations that a test may add to and change. */
function folder(files: Record<string, string>): { directory: string; write: (name: string, sql: string) => void } {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-migrations-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const write = (name: string, sql: string) => writeFileSync(join(directory, name), sql);
  for (const [name, sql] of Object.entries(files)) write(name, sql);
  return { directory, write };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable('it fails'),
    (error: unknown) => error,
  );
}

/** Runs one statement as the owner or the service and returns its rows. */
async function query(url: string, text: string): Promise<readonly unknown[]> {
  const connection = await connect(url);
  try {
    return (await connection.run({ name: 'query', text }, [])).rows;
  } finally {
    await connection.end();
  }
}

const TABLE_A = { '000001-a.sql': 'create table a (id integer primary key);' };

describe('migrating', () => {
  test('an empty database applies all migrations in order, a second time none', async () => {
    const database = await emptyDatabase();
    expect((await pendingMigrations(database))[0]).toBe('000001-payees');
    const applied = await migrate(database);
    expect(applied[0]).toBe('000001-payees');
    expect(applied).toEqual([...applied].sort());
    expect(await migrate(database)).toEqual([]);
    expect(await pendingMigrations(database)).toEqual([]);
  });

  test('records what was applied', async () => {
    const [row] = await query(migrated.appUrl, 'select * from schema_migration order by number limit 1');
    expect(row).toEqual({
      number: 1,
      name: '000001-payees',
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      applied_at: expect.stringMatching(/Z$/),
    });
  });

  test('with a file that fails leaves nothing of it behind, and keeps those before it', async () => {
    const database = await emptyDatabase();
    const { directory, write } = folder({ ...TABLE_A, '000002-b.sql': 'create table b (id integer); select 1 / 0;' });
    expect(await failureOf(migrate({ ...database, directory }))).toMatchObject({ code: '22012' });
    expect(await pendingMigrations(database, directory)).toEqual(['000002-b']);
    write('000002-b.sql', 'create table b (id integer);');
    expect(await migrate({ ...database, directory })).toEqual(['000002-b']);
  });

  test('gives the service its rights with each file: a trigger of one writes beside those that come after it', async () => {
    const database = await emptyDatabase();
    const { directory, write } = folder(TABLE_A);
    await migrate({ ...database, directory });
    write(
      '000002-b.sql',
      `create table b (id integer);
      create function note() returns trigger language plpgsql as $$ begin insert into b values (new.id); return null; end $$;
      create trigger a_is_noted after insert on a for each row execute function note();`,
    );
    write('000003-c.sql', '-- no transaction\nselect pg_sleep(1);');
    const migrating = migrate({ ...database, directory });
    await until(async () => (await pendingMigrations(database, directory))[0] === '000003-c');
    await query(database.appUrl, 'insert into a values (1)');
    await migrating;
    expect(await query(database.appUrl, 'select id from b')).toEqual([{ id: 1 }]);
  });

  test('refuses an applied file that has changed, naming it', async () => {
    const database = await emptyDatabase();
    const { directory, write } = folder(TABLE_A);
    await migrate({ ...database, directory });
    write('000001-a.sql', 'create table a (id bigint primary key);');
    const message = '000001-a has changed since it was applied';
    await expect(migrate({ ...database, directory })).rejects.toThrow(message);
    await expect(pendingMigrations(database, directory)).rejects.toThrow(message);
  });

  test('refuses a database with another history, and says what to do', async () => {
    const database = await emptyDatabase();
    await migrate({ ...database, ...folder({ '000001-foundation.sql': 'create table payee (payee_id uuid);' }) });
    const message =
      /it has 000001-foundation, where this one has 000001-payees\..*run that version.*`kontor sandbox --reset`/;
    await expect(migrate(database)).rejects.toThrow(message);
    await expect(pendingMigrations(database)).rejects.toThrow(message);
    expect(await query(database.ownerUrl, 'select count(*)::int as n from schema_migration')).toEqual([{ n: 1 }]);
  });

  test('refuses a database that is newer than the code', async () => {
    const database = await emptyDatabase();
    const { directory } = folder(TABLE_A);
    await migrate({ ...database, ...folder({ ...TABLE_A, '000002-b.sql': 'create table b (id integer);' }) });
    const message = 'newer than this version of Kontor: it has 000002-b';
    await expect(migrate({ ...database, directory })).rejects.toThrow(message);
    await expect(pendingMigrations(database, directory)).rejects.toThrow(message);
  });

  test.each([
    ['', 'in a transaction'],
    ['-- no transaction\n', 'without one'],
  ])('waits for a lock in short turns, so that the service goes on meanwhile (%j, %s)', async (first) => {
    const database = await emptyDatabase();
    const { directory, write } = folder(TABLE_A);
    await migrate({ ...database, directory });
    write('000002-b.sql', `${first}alter table a add column b text;`);
    const use: Statement = { name: 'use-a', text: 'select from a' };
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let migrating: Promise<readonly string[]> | undefined;
    const told: string[] = [];
    await database.transact(async (transaction) => {
      const [holder] = (
        await transaction.run<{ pid: number }>({ name: 'who', text: 'select pg_backend_pid() as pid' }, [])
      ).rows;
      await transaction.run(use, []);
      migrating = migrate({ ...database, directory, tell: (line) => told.push(line) });
      await until(async () => (await database.asAdmin(waiting)).length > 0);
      // This write queues behind the migration, which must give way first.
      await pause(100);
      const queuedAt = performance.now();
      await database.asAdmin('insert into a values (1)');
      expect(performance.now() - queuedAt, 'milliseconds that a payment stops').toBeLessThan(1_000);
      await until(() => Promise.resolve(told.length > 0));
      expect(told[0]).toContain(`000002-b waits for a lock that session ${holder?.pid} of role kontor_app`);
    });
    expect(await migrating).toEqual(['000002-b']);
    expect(told, 'each holder is told once').toHaveLength(1);
  });
});

describe('a migration without a transaction', () => {
  const INDEX = `-- no transaction
-- A failed attempt leaves an invalid index behind; it goes first.
drop index concurrently if exists a_by_b;
create unique index concurrently a_by_b on a (b);
`;
  const files = {
    '000001-a.sql': 'create table a (b integer); insert into a values (1), (1);',
    '000002-index.sql': INDEX,
  };

  test('builds an index, and after a failure begins again', async () => {
    const database = await emptyDatabase();
    const { directory } = folder(files);
    expect(await failureOf(migrate({ ...database, directory }))).toMatchObject({ code: '23505' });
    expect(await pendingMigrations(database, directory)).toEqual(['000002-index']);
    await database.asAdmin('delete from a');
    expect(await migrate({ ...database, directory })).toEqual(['000002-index']);
    expect(
      await query(database.ownerUrl, `select indisvalid from pg_index where indexrelid = 'a_by_b'::regclass`),
    ).toEqual([{ indisvalid: true }]);
  });

  test('is not held up by other processes that want to migrate too', async () => {
    const database = await emptyDatabase();
    const { directory } = folder({ ...files, '000001-a.sql': 'create table a (b integer);' });
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate({ ...database, directory })));
    expect(results.flat().sort()).toEqual(['000001-a', '000002-index']);
  });
});

describe('privileges', () => {
  const refused = expect.objectContaining({ code: '42501' });

  test('let the service read and change rows, but not the schema', async () => {
    await query(
      migrated.appUrl,
      `insert into payee (payee_id, name) values ('00000000-0000-4000-8000-000000000001', 'A')`,
    );
    await query(migrated.appUrl, `update payee set name = 'B' where name = 'A'`);
    await query(migrated.appUrl, `delete from payee where name = 'B'`);
    for (const sql of ['create table x ()', 'drop table payee', 'truncate payee', 'alter table payee add x integer']) {
      expect(await failureOf(query(migrated.appUrl, sql)), sql).toEqual(refused);
    }
  });

  test('let it read and add to an append-only table, nothing else', async () => {
    await query(
      migrated.appUrl,
      `insert into audit (payee_id, audit_id, actor_kind, action, object_kind, object_id)
       values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'service', 'make', 'token', '1')`,
    );
    expect(await query(migrated.appUrl, 'select actor_kind as actor from audit')).toEqual([{ actor: 'service' }]);
    for (const sql of [`update audit set actor_kind = 'x'`, 'delete from audit', 'truncate audit']) {
      expect(await failureOf(query(migrated.appUrl, sql)), sql).toEqual(refused);
    }
  });

  test('let it only read which migrations were applied', async () => {
    for (const sql of ['update schema_migration set number = 0', 'delete from schema_migration']) {
      expect(await failureOf(query(migrated.appUrl, sql)), sql).toEqual(refused);
    }
  });

  test('are given for sequences and functions, and taken where a table becomes append-only', async () => {
    const database = await emptyDatabase();
    const { directory, write } = folder({
      '000001-a.sql': `
        create table a (id integer);
        create sequence s;
        create function f() returns integer language sql as 'select 1';
        revoke execute on function f() from public;`,
    });
    await migrate({ ...database, directory });
    await query(database.appUrl, `select nextval('s'), f()`);
    await query(database.appUrl, 'delete from a');
    write('000002-b.sql', `comment on table a is 'append-only: from now on'`);
    await migrate({ ...database, directory });
    expect(await failureOf(query(database.appUrl, 'delete from a'))).toEqual(refused);
    await query(database.appUrl, 'insert into a values (1)');
  });

  test('are not looked at where one role does both', async () => {
    const database = await emptyDatabase();
    const { directory } = folder(TABLE_A);
    await migrate({ ownerUrl: database.ownerUrl, appUrl: database.ownerUrl, directory });
    expect(await failureOf(query(database.appUrl, 'select from a'))).toEqual(refused);
  });
});

describe('the audit trail', () => {
  test.each([`update audit set actor_kind = 'x'`, 'delete from audit', 'truncate audit', 'truncate payee cascade'])(
    'refuses its owner too: %s',
    async (sql) => {
      const failure = await failureOf(query(migrated.ownerUrl, sql));
      expect(failure).toBeInstanceOf(StatementFailed);
      expect(failure).toMatchObject({ code: '23001' });
    },
  );
});
