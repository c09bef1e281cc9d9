import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { connect } from '../src/db/server/connection.ts';
import { migrateOnly, openService } from '../src/wiring/service.ts';
import { onDatabase } from './support/addresses.ts';
import { type TestDatabase, testDatabase } from './support/database/database.ts';
import { freePort, isListening } from './support/ports.ts';
import { until } from './support/until.ts';

// What an operator reads when the database is not as it should be: the cause by its name, what to do, and no stack.

const folder = await mkdtemp(join(tmpdir(), 'kontor-surroundings-'));
const database = await testDatabase();
const other = await testDatabase({ of: 'empty' });
afterAll(async () => {
  await Promise.all([database.drop(), other.drop()]);
  await rm(folder, { recursive: true, force: true });
});

const settings = (environment: Readonly<Record<string, string>> = {}, of: TestDatabase = database) =>
  readConfig({
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: of.appUrl,
    KONTOR_DATABASE_OWNER_URL: of.ownerUrl,
    KONTOR_DATA_DIR: folder,
    KONTOR_KEY_FILE: join(folder, 'keys.json'),
    ...environment,
  });

/** What a start says, after it has refused. */
async function start(environment: Readonly<Record<string, string>> = {}, of: TestDatabase = database): Promise<string> {
  const opened = await openService({
    config: settings(environment, of),
    as: 'serve',
    keys: 'required',
    tell: () => undefined,
  }).catch((error: unknown) => error);
  if (!(opened instanceof Error)) {
    await (opened as { close(): Promise<void> }).close();
    return 'It starts.';
  }
  expect(['Trouble', 'DatabaseRefused'], opened.stack).toContain(opened.name);
  return opened.message;
}

/** The same address for another role, which does not exist. */
const ofUnknownRole = (url: string) => url.replace(/\/\/[^:@/]*/, '//kontor_unknown');

/** A database of its own, which a test changes as an operator may have. */
async function changed(sql: (name: string) => string): Promise<TestDatabase> {
  const made = await testDatabase();
  onTestFinished(() => made.drop());
  await made.asAdmin(sql(made.name));
  return made;
}

test('the surroundings of these tests are right', async () => {
  expect(await start()).toBe('It starts.');
});

test.each<readonly [cause: string, environment: Readonly<Record<string, string>>, words: RegExp]>([
  [
    'nothing listens',
    { KONTOR_DATABASE_URL: 'postgres://kontor_app@127.0.0.1:1/kontor' },
    /^Nothing listens at the host and port.*ECONNREFUSED/,
  ],
  [
    'the host is unknown',
    { KONTOR_DATABASE_URL: 'postgres://kontor_app@nowhere.invalid/kontor' },
    /^The host in the address is unknown here/,
  ],
  [
    'there is no socket',
    { KONTOR_DATABASE_URL: `postgres://kontor_app@/kontor?host=${folder}` },
    /^There is no socket in the folder/,
  ],
  [
    'there is no such database',
    { KONTOR_DATABASE_URL: onDatabase(database.appUrl, 'kontor_nowhere') },
    /^There is no database of this name.*template0/,
  ],
  [
    'a file of TLS is not there',
    { KONTOR_DATABASE_URL: 'postgres://a@db.example.com/b?sslmode=verify-full&sslrootcert=/none.pem' },
    /^KONTOR_DATABASE_URL names a file .* cannot be read \(ENOENT\)/,
  ],
  [
    'the role is unknown',
    {
      KONTOR_DATABASE_URL: ofUnknownRole(database.appUrl),
    },
    /^PostgreSQL (refuses the user or the password|does not let this user in)/,
  ],
])('%s', async (_cause, environment, words) => {
  expect(await start(environment)).toMatch(words);
});

describe('a database that was set up in another way', () => {
  test.each<readonly [cause: string, sql: (name: string) => string, words: RegExp]>([
    [
      'the role takes no changes',
      (name) => `alter role kontor_app in database ${name} set default_transaction_read_only = on`,
      /^The database takes no changes: default_transaction_read_only is on/,
    ],
    [
      'the role may not use the schema',
      () => 'revoke usage on schema public from public, kontor_app',
      /^The role in the address may not use the schema public.*grant usage on schema public/,
    ],
    [
      'the role has lost a table',
      () => 'revoke all on card_range from kontor_app',
      /^The role in the address may not do what is needed|^The role of the service may not .* card_range\. Give it its rights: kontor migrate/m,
    ],
    [
      'there is no connection left',
      (name) => `alter database ${name} connection limit 0`,
      /^PostgreSQL has no connection left/,
    ],
  ])('%s', async (_cause, sql, words) => {
    const made = await changed(sql);
    expect(await start({}, made)).toMatch(words);
  });

  test.each([
    ['dates in another form', "datestyle = 'German, DMY'"],
    ['another search path', 'search_path = pg_catalog'],
    ['intervals in another form', "intervalstyle = 'sql_standard'"],
  ])('%s: its sessions set what they need', async (_cause, setting) => {
    const made = await changed((name) => `alter role kontor_app in database ${name} set ${setting}`);
    expect(await start({}, made)).toBe('It starts.');
  });

  test.each(['SQL_ASCII', 'LATIN1'])('the encoding %s is refused by name', async (encoding) => {
    const name = `${database.name}_${encoding.toLowerCase()}`;
    await database.asAdmin(
      `create database ${name} encoding '${encoding}' locale 'C' template template0 owner kontor_owner`,
    );
    onTestFinished(async () => void (await database.asAdmin(`drop database ${name} with (force)`)));
    const [appUrl, ownerUrl] = [onDatabase(database.appUrl, name), onDatabase(database.ownerUrl, name)];
    const made = { ...database, appUrl, ownerUrl };
    expect(await start({}, made)).toMatch(
      new RegExp(`^The database is in ${encoding}, .*encoding 'UTF8' template template0`),
    );
    await expect(migrateOnly(settings({}, made), () => undefined)).rejects.toThrow(`The database is in ${encoding}`);
  });
});

describe('kontor migrate', () => {
  test('refuses an owner of another database', async () => {
    const config = settings({ KONTOR_DATABASE_OWNER_URL: other.ownerUrl });
    await expect(migrateOnly(config, () => undefined)).rejects.toThrow(/lead to two databases/);
  });

  test('names a role that does not exist', async () => {
    const config = settings({ KONTOR_DATABASE_URL: ofUnknownRole(other.appUrl) }, other);
    await expect(migrateOnly(config, () => undefined)).rejects.toThrow(/^A role in an address does not exist/);
  });

  test('gives the role back what it needs of the schema', async () => {
    const made = await changed(() => 'revoke usage on schema public from public, kontor_app');
    await migrateOnly(settings({}, made), () => undefined);
    expect(await start({}, made)).toBe('It starts.');
  });
});

describe.skipIf(spawnSync('pgbouncer', ['--version']).status !== 0)('behind PgBouncer', () => {
  test.each([
    [
      'transaction',
      /^A connection pooler such as PgBouncer gives each transaction another session.*pool_mode = session/,
    ],
    ['session', /^It starts\.$/],
  ])('in %s mode', async (mode, words) => {
    const [, password = '', at = ''] = /:([^:@]*)@([^/]*)/.exec(database.appUrl) ?? [];
    const [hostName, portOfHost = '5432'] = at.split(':');
    const parameter = (name: string) => new RegExp(`[?&]${name}=([^&]*)`).exec(database.appUrl)?.[1];
    const host = parameter('host') ?? hostName;
    const portNumber = parameter('port') ?? portOfHost;
    const port = await freePort();
    const inside = await mkdtemp(join(tmpdir(), 'kontor-pooler-'));
    onTestFinished(() => rm(inside, { recursive: true, force: true }));
    await chmod(inside, 0o755);
    await writeFile(join(inside, 'users.txt'), `"kontor_app" "${decodeURIComponent(password)}"\n`, {
      mode: 0o644,
    });
    await writeFile(
      join(inside, 'pgbouncer.ini'),
      `[databases]
      * = host=${decodeURIComponent(host ?? '')} port=${portNumber}
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = ${port}
      unix_socket_dir =
      auth_type = plain
      auth_file = ${inside}/users.txt
      pool_mode = ${mode}
      server_tls_sslmode = disable
      ignore_startup_parameters = extra_float_digits`,
      { mode: 0o644 },
    );
    // It refuses root; the user of PostgreSQL may reach the socket.
    const { uid } = await stat(decodeURIComponent(host ?? ''));
    const as = process.getuid?.() === 0 ? { uid } : {};
    const pooler = spawn('pgbouncer', [join(inside, 'pgbouncer.ini')], { stdio: 'ignore', ...as });
    onTestFinished(() => void pooler.kill('SIGTERM'));
    await until(() => isListening(port));
    const pooled = `postgres://kontor_app:${password}@127.0.0.1:${port}/${database.name}?sslmode=disable`;
    expect(await start({ KONTOR_DATABASE_URL: pooled })).toMatch(words);
  });
});

test('a session of ours reads dates whatever the server would write', async () => {
  const made = await changed((name) => `alter database ${name} set datestyle = 'SQL, DMY'`);
  const connection = await connect(made.appUrl);
  const { rows } = await connection.run<{ day: string }>(
    { name: 'test-day', text: `select date '2026-03-04'::text as day` },
    [],
  );
  await connection.end();
  expect(rows).toEqual([{ day: '2026-03-04' }]);
});
