import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { durabilityAdvice, durabilityComplaints, requireVersion } from './server-settings.ts';
import type { Transaction } from './transaction.types.ts';

const database = await testDatabase();
afterAll(() => database.drop());

const reader: Transaction = { run: database.read };

/** A server that says so; there is no real one of each kind here. */
function serverThatSays(answer: Record<string, unknown>): Transaction {
  const good = { version: 180_004, versionName: '18.4', fsync: 'on', fullPageWrites: 'on', dataChecksums: 'on' };
  const row = { ...good, synchronousCommit: 'on', ...answer };
  return { run: async <Row>() => ({ rows: [row as Row], count: 1 }) };
}

test('the embedded server holds on to what it has confirmed', async () => {
  expect(await durabilityComplaints(reader)).toEqual([]);
  await requireVersion(reader);
});

test('a role that does not wait for the disk is found out', async () => {
  await database.asAdmin(`alter role kontor_app in database ${database.name} set synchronous_commit = off`);
  const fresh = database.background.read;
  expect(await durabilityComplaints({ run: fresh })).toEqual([
    expect.stringMatching(/^synchronous_commit is off: .*Set /),
  ]);
});

test.each([
  [{ fsync: 'off' }, 'fsync is off'],
  [{ fullPageWrites: 'off' }, 'full_page_writes is off'],
  [{ synchronousCommit: 'local' }, 'synchronous_commit is local'],
  [{ synchronousCommit: 'remote_write' }, 'synchronous_commit is remote_write'],
])('%j brings a complaint', async (answer, complaint) => {
  expect(await durabilityComplaints(serverThatSays(answer))).toEqual([expect.stringContaining(complaint)]);
});

test('checksums are advised, not demanded', async () => {
  const unchecked = serverThatSays({ dataChecksums: 'off' });
  expect(await durabilityComplaints(unchecked)).toEqual([]);
  expect(await durabilityAdvice(unchecked)).toEqual([expect.stringContaining('Data checksums are off')]);
  expect(await durabilityAdvice(reader)).toEqual([]);
});

test('waiting for the standby to apply is good as well', async () => {
  expect(await durabilityComplaints(serverThatSays({ synchronousCommit: 'remote_apply' }))).toEqual([]);
});

test('PostgreSQL 14 is refused, 15 is not', async () => {
  await expect(requireVersion(serverThatSays({ version: 140_020, versionName: '14.20' }))).rejects.toThrow(
    'PostgreSQL 14.20. Kontor needs 15',
  );
  await requireVersion(serverThatSays({ version: 150_000, versionName: '15.0' }));
});
