import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';

let kontor: TestService;
let browser: Browser;

const idOf = (number: number) => `ffffffff-ffff-7fff-8fff-${String(number).padStart(12, '0')}`;

/** The last instant of February, the first and the last of March, and the first of April, where the payee is (Europe/Oslo). */
const INSTANTS = [
  '2026-02-28T22:59:59.999Z',
  '2026-02-28T23:00:00Z',
  '2026-03-31T21:59:59.999Z',
  '2026-03-31T22:00:00Z',
];
const DAYS = ['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01'];

beforeAll(async () => {
  kontor = await testService();
  browser = await signedInAs(kontor, 'finance');
  await kontor.database.asAdmin(
    INSTANTS.map(
      (instant, index) => `
        insert into settlement_day (payee_id, settlement_id, acquirer, agreement, merchant_id, currency, day, state, sales_number,
          sales_amount, sale_reversals_number, sale_reversals_amount, refunds_number, refunds_amount, refund_reversals_number,
          refund_reversals_amount, net, closed_at, updated_at, event_sequence)
        values ('${kontor.payeeId}', '${idOf(index)}', 'north', 'a${index}', '1', 'NOK', '${DAYS[index]}', 'Closed', 0, 0, 0, 0, 0, 0,
          0, 0, 0, kontor_now(), kontor_now(), 0);
        insert into dispute (payee_id, dispute_id, acquirer, agreement, case_id, attempt_id, payment_id, stage, state, amount,
          currency, opened_at, updated_at, event_sequence)
        values ('${kontor.payeeId}', '${idOf(index)}', 'north', 'a${index}', 'C${index}', '${idOf(index)}', '${idOf(index)}', 'Chargeback',
          'Open', 900, 'NOK', '${instant}', '${instant}', 0);
        insert into settlement_difference (payee_id, difference_id, kind, acquirer, agreement, currency, theirs, opened_at)
        values ('${kontor.payeeId}', '${idOf(index)}', 'unknownToUs', 'north', 'a${index}', 'NOK', 1, '${instant}')`,
    ).join(';'),
  );
});
afterAll(() => kontor.stop());

/** The numbers of the rows that an answer has, in JSON or as a table. */
const rowsOf = (text: string) =>
  [...new Set(Array.from(text.matchAll(/\ba([0-3])\b/g), ([, number]) => Number(number)))].sort();
const here = () => `/portal/api/payees/${kontor.payeeId}`;

const LISTS: readonly [string, (query: string) => Promise<string>][] = [
  [
    'GET /psp/settlements',
    async (query) => JSON.stringify((await kontor.send('GET', `/psp/settlements${query}`)).body),
  ],
  ['GET /psp/disputes', async (query) => JSON.stringify((await kontor.send('GET', `/psp/disputes${query}`)).body)],
  ['differences of the portal', async (query) => (await browser.get(`${here()}/differences${query}`)).text],
  ['settlements.csv', async (query) => (await browser.get(`${here()}/settlements.csv${query}`)).text],
  ['differences.csv', async (query) => (await browser.get(`${here()}/differences.csv${query}`)).text],
  ['disputes.csv', async (query) => (await browser.get(`${here()}/disputes.csv${query}`)).text],
];

test.each(LISTS)('%s has the days of a period, both with, where the payee is', async (_, read) => {
  expect(rowsOf(await read(''))).toEqual([0, 1, 2, 3]);
  expect(rowsOf(await read('?from=2026-03-01&to=2026-03-31'))).toEqual([1, 2]);
  expect(rowsOf(await read('?from=2026-03-31'))).toEqual([2, 3]);
  expect(rowsOf(await read('?to=2026-03-01'))).toEqual([0, 1]);
  const refused = [await read('?from=2026-02-30'), await read('?from=2026-03-02&to=2026-03-01')];
  expect(refused.map((text) => /"name":"(\w+)"/.exec(text)?.[1])).toEqual(['from', 'to']);
});

test('the next page of a list has the same period', async () => {
  const first = await kontor.send('GET', '/psp/disputes?from=2026-03-01&to=2026-03-31&limit=1');
  const next = new URL(first.body.operations[0].href);
  expect(rowsOf(JSON.stringify(first.body.disputes.disputeList))).toEqual([2]);
  const second = await kontor.send('GET', next.pathname + next.search);
  expect(rowsOf(JSON.stringify(second.body.disputes))).toEqual([1]);
  expect(second.body.disputes.hasMore).toBe(false);
});
