import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
// @ts-expect-error A part of the benchmarks, without types.
import { liveADay } from '../../bench/live-a-day.mjs';
// @ts-expect-error The same.
import { addYears } from '../../bench/years.mjs';
import { brokenInvariants } from '../support/crash/books.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { accountsShop } from '../support/shop/accounts-shop.ts';

/** 12 copies, and 24: three quarters of them are the payee's own. */
const HALF = 0.001;

let kontor: TestService;
let client: pg.Client;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  client = new pg.Client({ connectionString: kontor.database.adminUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await kontor.stop();
});

test('years are copies of a day: nothing of the books is wrong with them, and twice the scale is twice as many', async () => {
  const shop = accountsShop(kontor);
  const accounts = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { paymentAccountId, accountKey } = await shop.open(100_000);
      return { accountId: paymentAccountId, number: accountKey };
    }),
  );
  await liveADay({ grouped: kontor, accounts });
  const options = { payeeId: kontor.payeeId };
  const half = await addYears(client, { ...options, scale: HALF });
  const all = await addYears(client, { ...options, scale: 2 * HALF, from: HALF });
  expect(all - half).toBe(12 * (await movementsOfCopy()));
  expect(await brokenInvariants(kontor)).toEqual({});
  const [{ payees } = {}] = await kontor.database.asAdmin(
    'select count(distinct payee_id)::int as payees from order_part',
  );
  expect(payees, 'the payee itself, four middle ones and two small ones').toBe(7);
}, 120_000);

/** Of a payee with one copy alone. */
async function movementsOfCopy(): Promise<number> {
  const [row] = await kontor.database.asAdmin(
    'select count(*)::int as movements from movement group by payee_id order by 1 limit 1',
  );
  return Number(row?.['movements']);
}
