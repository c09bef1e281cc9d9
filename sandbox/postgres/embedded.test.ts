import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  isAlive,
  makeDataDir,
  query,
  replaceFile,
  serverProcessId,
  sharedDataDir,
  start,
  startChild,
  until,
} from '../../test/support/database/embedded.ts';
import { IS_LONG_RUN } from '../../test/support/long-run.ts';

// A first start takes under a second, on a busy machine several.
vi.setConfig({ testTimeout: 60_000 });

const usedDataDir = sharedDataDir();

test('the first start makes the database and its roles', async () => {
  const dataDir = await makeDataDir();
  const { adminUrl, ownerUrl, appUrl, log } = await start(dataDir);
  const whoAndWhere = 'select current_user as role, current_database() as database';
  expect(await query(adminUrl, whoAndWhere)).toEqual([{ role: 'postgres', database: 'kontor' }]);
  expect(await query(ownerUrl, whoAndWhere)).toEqual([{ role: 'kontor_owner', database: 'kontor' }]);
  expect(await query(appUrl, whoAndWhere)).toEqual([{ role: 'kontor_app', database: 'kontor' }]);
  await query(ownerUrl, 'create table thing ()');
  await expect(query(appUrl, 'create table mine ()')).rejects.toThrow('permission denied');
  await expect(query(appUrl, 'select from thing')).rejects.toThrow('permission denied');
  await expect(query(appUrl.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
    'password authentication failed',
  );
  // For root a line about the directory's permissions comes first.
  expect(log.slice(-2)).toEqual([`Making a new database in ${dataDir}/postgres.`, 'PostgreSQL has started.']);
});

test('the settings are the safe ones', async () => {
  const { adminUrl } = await start(await usedDataDir());
  const rows = await query<{ name: string; setting: string }>(adminUrl, 'select name, setting from pg_settings');
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  expect(settings).toMatchObject({
    data_checksums: 'on',
    server_encoding: 'UTF8',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    listen_addresses: '',
    password_encryption: 'scram-sha-256',
    client_connection_check_interval: '500',
    max_wal_size: '2048',
    min_wal_size: '80',
    wal_buffers: '1024',
    wal_segment_size: String(1024 * 1024),
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_min_error_statement: 'panic',
    log_min_duration_statement: '1000',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    TimeZone: 'UTC',
  });
});

test('secrets are in a private file only', async () => {
  const dataDir = await usedDataDir();
  const { adminUrl } = await start(dataDir);
  const file = join(dataDir, 'postgres/passwords.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'postgres/data'))).mode & 0o777).toBe(0o700);
  const passwords = Object.values(JSON.parse(await readFile(file, 'utf8')) as Record<string, string>);
  expect(new Set(passwords).size).toBe(3);
  await query(adminUrl, 'select 1');
  const commandLine = await readFile(`/proc/${await serverProcessId(dataDir)}/cmdline`, 'utf8');
  const log = await readFile(join(dataDir, 'postgres/postgres.log'), 'utf8');
  for (const password of passwords) {
    expect(commandLine).not.toContain(password);
    expect(log).not.toContain(password);
  }
});

test('the data is there again after a restart, and stop may be called twice', async () => {
  const dataDir = await usedDataDir();
  const first = await start(dataDir);
  await query(first.ownerUrl, 'drop table if exists kept; create table kept as select 42 as value');
  const processId = (await serverProcessId(dataDir)) ?? 0;
  expect(await isAlive(processId)).toBe(true);
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  // A process that ends has no command line any more, a moment before the system calls it ended.
  await until(async () => !(await isAlive(processId)));
  expect(await serverProcessId(dataDir)).toBeUndefined();
  const second = await start(dataDir);
  expect(await query(second.ownerUrl, 'select value from kept')).toEqual([{ value: 42 }]);
});

test('a second service on the same directory is refused, and the first one is not disturbed', async () => {
  const dataDir = await usedDataDir();
  const first = await start(dataDir);
  await expect(start(dataDir)).rejects.toThrow(
    new RegExp(
      `Another Kontor \\(kontor serve, process ${process.pid}\\) already serves from ${dataDir}. Stop it first`,
    ),
  );
  expect(await query(first.appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(IS_LONG_RUN)('of two first starts at once one serves and the other is refused', async () => {
  const dataDir = await makeDataDir();
  const children = await Promise.all([startChild(dataDir), startChild(dataDir), startChild(dataDir)]);
  const winners = children.filter(({ failure }) => failure === undefined);
  expect(winners).toHaveLength(1);
  for (const { failure } of children.filter((child) => !winners.includes(child))) {
    expect(failure).toContain('EmbeddedFailure: Another Kontor');
  }
  expect(await query(winners[0]?.adminUrl ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
  await winners[0]?.end('SIGTERM');
  expect(await serverProcessId(dataDir)).toBeUndefined();
  expect((await readdir(dataDir)).sort()).toEqual(['lib', 'postgres']);
});

test('a command works beside a service, and the last one to leave stops the server', async () => {
  const dataDir = await usedDataDir();
  const service = await start(dataDir);
  const command = await start(dataDir, 'command');
  const another = await start(dataDir, 'command');
  expect(command.log).toEqual(['PostgreSQL runs already; joined it.']);
  await another.stop();
  expect(await query(service.appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  await service.stop();
  expect(await query(command.appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  const next = await start(dataDir);
  await command.stop();
  expect(await query(next.appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  await next.stop();
  expect(await serverProcessId(dataDir)).toBeUndefined();
});

test('a command alone starts the server and stops it', async () => {
  const dataDir = await usedDataDir();
  const command = await start(dataDir, 'command');
  expect(await query(command.appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  await command.stop();
  expect(await serverProcessId(dataDir)).toBeUndefined();
});

test.runIf(IS_LONG_RUN)('commands that come and go at once never fail', async () => {
  const dataDir = await makeDataDir();
  const runs = Array.from({ length: 6 }, async () => {
    const command = await start(dataDir, 'command');
    expect(await query(command.appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await command.stop();
  });
  await Promise.all(runs);
  expect(await serverProcessId(dataDir)).toBeUndefined();
});

test('of users that leave in the same moment one stops the server', async () => {
  const dataDir = await usedDataDir();
  const users = [await start(dataDir), await start(dataDir, 'command'), await start(dataDir, 'command')];
  await Promise.all(users.map((user) => user.stop()));
  expect(await serverProcessId(dataDir)).toBeUndefined();
});

test('a path that is too long for a socket is served on the loopback address', async () => {
  const dataDir = join(await makeDataDir(), 'a'.repeat(100));
  // For root the directory above, which the test made, must be passable.
  await chmod(join(dataDir, '..'), 0o711);
  const { appUrl, ownerUrl } = await start(dataDir);
  const [row] = await query<{ address: string }>(appUrl, 'select inet_server_addr()::text as address');
  expect(row?.address).toBe('127.0.0.1/32');
  const again = await start(dataDir, 'command');
  expect(again.ownerUrl).toBe(ownerUrl);
  await expect(query(appUrl.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
    'password authentication failed',
  );
});

test.runIf(IS_LONG_RUN)('a path with blanks, quotes and letters beyond ASCII works', async () => {
  const dataDir = join(await makeDataDir(), 'it\'s "søt", 100 %');
  await chmod(join(dataDir, '..'), 0o711);
  const { appUrl } = await start(dataDir);
  expect(await query(appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(IS_LONG_RUN)('a first start that was killed half-way leaves nothing in the way', async () => {
  const dataDir = await makeDataDir();
  await mkdir(join(dataDir, 'postgres.new-half/data/base'), { recursive: true });
  await writeFile(join(dataDir, 'postgres.new-half/data/PG_VERSION'), '18\n');
  const { appUrl } = await start(dataDir);
  expect(await query(appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect((await readdir(dataDir)).sort()).toEqual(['lib', 'postgres']);
});

test('files of another major version are refused with the ways out', async () => {
  const dataDir = await usedDataDir();
  await replaceFile(join(dataDir, 'postgres/data/PG_VERSION'), '17\n');
  const refusal = expect(start(dataDir)).rejects;
  await refusal.toThrow(/is of PostgreSQL 17; this Kontor brings PostgreSQL 18.*pg_dump.*KONTOR_DATABASE_URL/s);
});

test('a foreign folder in the place of the database is refused and left alone', async () => {
  const dataDir = await makeDataDir();
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres/precious'), '');
  await expect(start(dataDir)).rejects.toThrow(/postgres is in the way/);
  expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['postgres']));
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['precious']);
});

test('a data directory that cannot be made is named', async () => {
  const file = join(await makeDataDir(), 'file');
  await writeFile(file, '');
  await expect(start(join(file, 'data'))).rejects.toThrow(`The data directory ${file}/data cannot be made or written.`);
});

test('lost passwords are named, not quoted', async () => {
  const dataDir = await usedDataDir();
  await replaceFile(join(dataDir, 'postgres/passwords.json'), '{"postgres": "half-a-secr');
  const failure = await start(dataDir).catch((error: unknown) => String(error));
  expect(failure).toMatch(/passwords.json is missing, damaged or not yours. Restore the file/);
  expect(failure).not.toContain('half-a-secr');
});

test('passwords of another database are refused', async () => {
  const dataDir = await usedDataDir();
  const file = join(dataDir, 'postgres/passwords.json');
  const passwords = Object.entries(JSON.parse(await readFile(file, 'utf8')) as Record<string, string>);
  const others = passwords.map(([role, password]) => [role, [...password].reverse().join('')]);
  await replaceFile(file, JSON.stringify(Object.fromEntries(others)));
  await expect(start(dataDir)).rejects.toThrow(/SQLSTATE 28P01.*the same backup/);
  // The start had spawned the server.
  expect(await serverProcessId(dataDir)).toBeUndefined();
});

test('a server that cannot start says why', async () => {
  const dataDir = await usedDataDir();
  await replaceFile(join(dataDir, 'postgres/data/postgresql.auto.conf'), "wal_level = 'nonsense'\n");
  await expect(start(dataDir)).rejects.toThrow(/PostgreSQL does not start.*postgres.log.*wal_level/s);
});
