import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';

// Reports read much, on the few connections that background work and other lists have too.

let kontor: TestService;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
});
afterAll(() => kontor.stop());

test('many reports at once leave connections to others', async () => {
  const report = () => kontor.send('GET', '/psp/sales?from=2026-03-01&to=2026-03-31');
  expect((await report()).status).toBe(200);
  const { reports, waited } = await kontor.database.transact(async (transaction) => {
    // What makes a report slow here: it waits for this table.
    await transaction.run({ name: 'test-hold', text: 'lock table settlement_line in access exclusive mode' }, []);
    const asked = Array.from({ length: 6 }, report);
    await pause(300);
    const begun = performance.now();
    await kontor.service.database.background.read({ name: 'test-beside', text: 'select 1' }, []);
    return { reports: asked, waited: performance.now() - begun };
  });
  expect(waited).toBeLessThan(1_000);
  expect((await Promise.all(reports)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
});
