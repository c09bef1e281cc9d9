import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { Connection } from './connection.ts';
import { ConnectionLost } from './failures.ts';

const database = await testDatabase();
afterAll(() => database.drop());

const SLEEP = { name: 'sleep', text: 'select pg_sleep(60)' };
const ONE = { name: 'one', text: 'select 1 as one' };

test('an answer that is overdue ends its connection, with all that waits behind it', async () => {
  const connection = new Connection({ connectionString: database.appUrl }, 100);
  await connection.connect();
  const ended = await Promise.allSettled([
    connection.run(SLEEP, []),
    connection.run(ONE, []),
    connection.command('select 1'),
  ]);
  for (const one of ended) {
    const reason: unknown = one.status === 'rejected' ? one.reason : undefined;
    expect(reason).toBeInstanceOf(ConnectionLost);
    expect(String(reason)).toContain('no answer in time');
  }
  expect(connection.lost).toBe(true);
});
