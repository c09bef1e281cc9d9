import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectOverdue } from '../../src/settlements/reports/balance-sums.store.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { type Installation, install } from '../support/kontor.ts';

let database: TestDatabase;
let installation: Installation;
beforeAll(async () => {
  database = await testDatabase();
  installation = install({
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_KEY_FILE: 'ring.json',
  });
});
afterAll(async () => {
  await installation.remove();
  await database.drop();
});

const closedBefore = (interval: string) =>
  database.asAdmin(`
    insert into trial_balance_closing (payee_id, time_zone, closed_to, closing_to)
    select payee_id, time_zone, kontor_now() - interval '${interval}', kontor_now() - interval '${interval}' from payee
    on conflict (payee_id) do update set closed_to = excluded.closed_to, closing_to = excluded.closing_to`);

test('doctor says that sums of days are not closed any more, and since when', async () => {
  await addPayee(database);
  await installation.firstStart();
  const doctor = async () => (await installation.kontor(['doctor'])).stdout;
  await closedBefore('1 hour');
  expect(await selectOverdue(database.read)).toBe(0);
  expect(await doctor()).not.toContain('Sums for reports');
  await closedBefore('3 days 2 hours');
  expect(await selectOverdue(database.read)).toBeGreaterThan(3 * 86_400);
  expect(await doctor()).toContain('Sums for reports lack 3 days');
});
