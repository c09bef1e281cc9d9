import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTestAcquirer, startTestAcquirer } from '../../sandbox/acquirer/start-test-acquirer.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import { businessDayOf } from '../../src/issuers/acquirers/business-day.rules.ts';
import { addDays } from '../../src/kit/instants.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, simulated } from '../support/issuer/acquiring.ts';
import { FAR_CUT_OVER } from '../support/issuer/cut-over.ts';
import type { Started } from '../support/kontor.ts';
import { until } from '../support/until.ts';

// An acquirer tells one of two instances that its next day has begun, and later ones that cannot be.

let kontor: Acquiring;
let host: RunningTestAcquirer;
let baseUrls: string[];
let second: Started;
beforeAll(async () => {
  kontor = await acquiring();
  host = await startTestAcquirer({ dialect: ISO93, port: 0, answerMs: 2_000, cutOver: FAR_CUT_OVER });
  kontor.configure({ acquirers: [simulated(host.port)], agreements: [agreed(kontor.payeeId)] });
  const first = await kontor.serve();
  const other = await kontor.serve();
  baseUrls = [first.baseUrl, other.baseUrl];
  second = other.started;
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  await host.close();
});

const shops = [0, 1].map((instance) =>
  acquiringShop(() => ({ baseUrl: baseUrls[instance] ?? '', accessToken: kontor.accessToken, journal: '' })),
);

/** Pays at an instance. @returns the business day that is stored with the answer */
async function dayOfPayment(instance: number, amount: number): Promise<unknown> {
  const tried = await shops[instance]?.authorize(amount);
  expect(tried?.tried.body.authorization.transaction.state).toBe('Completed');
  const [row] = await kontor.database.asAdmin(
    'select business_day::text as day from acquirer_exchange order by answered_at desc limit 1',
  );
  return row?.['day'];
}

const told = () => kontor.database.asAdmin('select acquirer, day::text as day from acquirer_day');
const tomorrow = () => addDays(businessDayOf(Date.now(), { cutOver: FAR_CUT_OVER, timeZone: 'Europe/Oslo' }), 1);

test('a day that cannot be is refused, and payments go on', async () => {
  for (const amount of [900344, 900345]) {
    expect(await dayOfPayment(0, amount)).toBeNull();
    expect(await dayOfPayment(0, 100)).toBeNull();
  }
  expect(await told()).toEqual([]);
});

test('a day that has begun is that of the answers at all instances, also after a restart', async () => {
  // Its own answer comes in the same piece as the cut-over, and may be stored after it.
  expect([null, tomorrow()]).toContain(await dayOfPayment(0, 900342));
  await until(async () => (await told()).length === 1);
  expect(await told()).toEqual([{ acquirer: 'north', day: tomorrow() }]);
  expect(await dayOfPayment(0, 100)).toBe(tomorrow());
  expect(await dayOfPayment(1, 100)).toBe(tomorrow());
  second.process.kill('SIGKILL');
  await second.ended;
  baseUrls[1] = (await kontor.serve()).baseUrl;
  expect(await dayOfPayment(1, 100)).toBe(tomorrow());
});

test('a day that cannot be does not change it', async () => {
  expect(await dayOfPayment(1, 900344)).toBe(tomorrow());
  expect(await dayOfPayment(1, 100)).toBe(tomorrow());
});

test('it ends at the next cut-over by the clock, though the host does not tell of that', async () => {
  await kontor.database.asAdmin("update acquirer_day set ends_at = kontor_now() - interval '1 second'");
  expect(await dayOfPayment(0, 100)).toBeNull();
  expect(await dayOfPayment(1, 100)).toBeNull();
});
