import { setTimeout as later } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { until } from '../../../test/support/until.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Statement } from '../transaction.types.ts';

const database = await testDatabase();
afterAll(() => database.drop());

const [LARGE, OTHER] = ['large', 'other'] as PayeeId[] as [PayeeId, PayeeId];
const SLOW: Statement = { name: 'slow', text: 'select pg_sleep(0.5)' };
const QUICK: Statement = { name: 'quick', text: 'select 1 as one' };

test('a payee with many slow reports keeps neither the reports of another one nor requests and jobs waiting', async () => {
  const { readFor } = database.reportReads;
  const large = Array.from({ length: 4 }, () => readFor(LARGE)(SLOW, []));
  await until(() => database.stats().reports.open - database.stats().reports.idle > 0);
  const begun = performance.now();
  await Promise.all([
    ...Array.from({ length: 10 }, () => readFor(OTHER)(QUICK, [])),
    ...Array.from({ length: 10 }, () => database.read(QUICK, [])),
    ...Array.from({ length: 10 }, () => database.background.read(QUICK, [])),
  ]);
  expect(performance.now() - begun).toBeLessThan(400);
  expect(database.stats().reports.open).toBe(2);
  expect(await Promise.race([Promise.all(large), later(0, 'they are still under way')])).toBe(
    'they are still under way',
  );
  await Promise.allSettled(large);
});

test('a report changes nothing', async () => {
  const { readFor } = database.reportReads;
  await expect(readFor(OTHER)({ name: 'change', text: 'create table t ()' }, [])).rejects.toThrow();
});
