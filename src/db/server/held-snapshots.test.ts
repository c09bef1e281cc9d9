import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import type { Read } from '../transaction.types.ts';
import { connect } from './connection.ts';
import { findHeldSnapshots, heldSnapshotAdvice, measureHeldSnapshots } from './held-snapshots.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('a session that holds a snapshot is named, with how long it has done so', async () => {
  const holder = await connect(database.appUrl, { application_name: 'nightly-report' });
  try {
    expect((await findHeldSnapshots(database.read)).filter(({ holder }) => holder.includes('nightly-report'))).toEqual(
      [],
    );
    await holder.command('begin isolation level repeatable read');
    await holder.query('select 1 from payee');
    const [held] = (await findHeldSnapshots(database.read)).filter(({ holder }) => holder.includes('nightly-report'));
    expect(held).toMatchObject({ holder: expect.stringMatching(/^the session \d+ of \w+ \(nightly-report\)$/) });
    expect(await measureHeldSnapshots(database.read)).toBeGreaterThan(0);
  } finally {
    await holder.end();
  }
});

test('so is one that has changed something and then does nothing: it holds as much, without a snapshot', async () => {
  const holder = await connect(database.appUrl, { application_name: 'forgotten' });
  try {
    await holder.command('begin; select pg_current_xact_id()');
    const held = await findHeldSnapshots(database.read);
    expect(held).toContainEqual(expect.objectContaining({ holder: expect.stringContaining('(forgotten)') }));
  } finally {
    await holder.end();
  }
});

test('what holds one for long is told, in minutes or in transactions', async () => {
  const rows = [
    { holder: 'the session 1', seconds: 299, transactions: 9_000_000 },
    { holder: 'the session 2', seconds: 600, transactions: 1 },
    { holder: 'the replication slot old', seconds: null, transactions: 500_000 },
    { holder: 'the replication slot new', seconds: null, transactions: 10 },
  ];
  const read = (() => Promise.resolve({ rows, count: rows.length })) as unknown as Read;
  expect(await heldSnapshotAdvice(read)).toEqual([
    expect.stringMatching(/^A snapshot has been held for 10 minutes by the session 2:/),
    expect.stringMatching(/^A snapshot has been held for 500000 transactions by the replication slot old:/),
  ]);
});
