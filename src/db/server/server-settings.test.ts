import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import type { Transaction } from '../transaction.types.ts';
import { connect } from './connection.ts';
import { requireDatabase, serverAdvice, serverComplaints } from './server-settings.ts';

const database = await testDatabase();
afterAll(() => database.drop());

const reader: Transaction = { run: database.read };

/** A server that says so; there is no real one of each kind here. */
function serverThatSays(answer: Record<string, unknown>): Transaction {
  const good = { version: 180_004, versionName: '18.4', fsync: 'on', fullPageWrites: 'on', dataChecksums: 'on' };
  const shape = { encoding: 'UTF8', mayUseSchema: true };
  const quiet = { logStatement: 'none', logMinDurationMs: -1, logParameterBytes: -1, logParameterBytesOnError: 0 };
  const role = { isSuperuser: false, ownsTables: false };
  const texts = { builtCollation: '2.36', actualCollation: '2.36', databaseName: 'kontor' };
  const rows = { ...good, ...shape, ...quiet, ...role, ...texts };
  const row = { ...rows, logErrorVerbosity: 'terse', synchronousCommit: 'on', ...answer };
  return { run: async <Row>() => ({ rows: [row as Row], count: 1 }) };
}

test('the embedded server holds on to what it has confirmed', async () => {
  expect(await serverComplaints(reader)).toEqual([]);
  await requireDatabase(reader);
});

test('a role that does not wait for the disk is found out', async () => {
  await database.asAdmin(`alter role kontor_app in database ${database.name} set synchronous_commit = off`);
  const fresh = database.background.read;
  expect(await serverComplaints({ run: fresh })).toEqual([expect.stringMatching(/^synchronous_commit is off: .*Set /)]);
});

test('a database whose sessions look at no trigger is found out', async () => {
  const other = await testDatabase();
  try {
    await other.asAdmin(`alter database ${other.name} set session_replication_role = replica`);
    expect(await serverComplaints({ run: other.read })).toEqual([
      expect.stringMatching(/^session_replication_role is replica: .* reset session_replication_role/),
    ]);
  } finally {
    await other.drop();
  }
});

test.each([
  [{ fsync: 'off' }, 'fsync is off'],
  [{ fullPageWrites: 'off' }, 'full_page_writes is off'],
  [{ synchronousCommit: 'local' }, 'synchronous_commit is local'],
  [{ synchronousCommit: 'remote_write' }, 'synchronous_commit is remote_write'],
  [{ isSuperuser: true, ownsTables: true }, 'is a superuser'],
  [{ ownsTables: true }, 'owns its tables'],
  [{ logStatement: 'all' }, 'log_statement is all'],
  [{ logStatement: 'mod' }, 'log_statement is mod'],
  [{ actualCollation: '2.41' }, 'version 2.41 of its rules'],
])('%j brings a complaint', async (answer, complaint) => {
  expect(await serverComplaints(serverThatSays(answer))).toEqual([expect.stringContaining(complaint)]);
});

test('other rules for sorting texts than at the time of the indexes are found out', async () => {
  const said = (version: string) =>
    database.asAdmin(`update pg_database set datcollversion = '${version}' where datname = '${database.name}'`);
  const [{ datcollversion }] = (await database.asAdmin(
    `select datcollversion from pg_database where datname = '${database.name}'`,
  )) as [{ datcollversion: string }];
  await said('of another system');
  expect(await serverComplaints(reader)).toEqual([
    expect.stringMatching(`built with version of another system: .*\`reindex database "${database.name}"\``),
  ]);
  await said(datcollversion);
  expect(await serverComplaints(reader)).toEqual([]);
  expect(await serverComplaints(serverThatSays({ builtCollation: null }))).toEqual([]);
});

test('checksums are advised, not demanded', async () => {
  const unchecked = serverThatSays({ dataChecksums: 'off' });
  expect(await serverComplaints(unchecked)).toEqual([]);
  expect(await serverAdvice(unchecked)).toEqual([expect.stringContaining('Data checksums are off')]);
  expect(await serverAdvice(reader)).toEqual([]);
});

test.each([
  [{ logMinDurationMs: 100 }, 'log_parameter_max_length = 0'],
  [{ logParameterBytesOnError: -1 }, 'log_parameter_max_length_on_error = 0'],
  [{ logErrorVerbosity: 'default' }, 'log_error_verbosity = terse'],
])('%j brings advice, and no complaint', async (answer, advice) => {
  expect(await serverComplaints(serverThatSays(answer))).toEqual([]);
  expect(await serverAdvice(serverThatSays(answer))).toEqual([expect.stringContaining(advice)]);
});

test('a log of statements without their values is not complained of', async () => {
  const cut = { logStatement: 'all', logMinDurationMs: 0, logParameterBytes: 0 };
  expect(await serverComplaints(serverThatSays(cut))).toEqual([]);
  expect(await serverAdvice(serverThatSays(cut))).toEqual([]);
});

test.each(['adminUrl', 'ownerUrl'] as const)('the role of %s may not be that of the service', async (address) => {
  const connection = await connect(database[address]);
  try {
    expect(await serverComplaints({ run: (statement, values) => connection.run(statement, values) })).toHaveLength(1);
  } finally {
    await connection.end();
  }
});

test('waiting for the standby to apply is good as well', async () => {
  expect(await serverComplaints(serverThatSays({ synchronousCommit: 'remote_apply' }))).toEqual([]);
});

test('PostgreSQL 14 is refused, 15 is not', async () => {
  await expect(requireDatabase(serverThatSays({ version: 140_020, versionName: '14.20' }))).rejects.toThrow(
    'PostgreSQL 14.20. Kontor needs 15',
  );
  await requireDatabase(serverThatSays({ version: 150_000, versionName: '15.0' }));
});
