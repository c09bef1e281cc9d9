import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Acquiring, acquiring, acquiringShop, agreed, href, simulated } from '../support/issuer/acquiring.ts';
import { siteThreeDS } from '../support/issuer/site-three-ds.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { pageAt, stateIn } from '../support/payer/pay-page.ts';
import { type SendOptions, sendTo } from '../support/service.ts';

// The service is killed while payers are at their banks: what they choose meanwhile or afterwards counts.

let kontor: Acquiring;
let served: Awaited<ReturnType<Acquiring['serve']>>;
let journal: string;
beforeAll(async () => {
  kontor = await acquiring();
  journal = join(kontor.installation.folder, 'acquirer.ndjson');
  const acquirer = await kontor.simulate('--answer-ms', '2000', '--journal', journal);
  const threeDS = await siteThreeDS(kontor);
  kontor.configure({
    acquirers: [simulated(acquirer.port)],
    agreements: [agreed(kontor.payeeId, { threeDS: threeDS.merchant })],
    threeDS: threeDS.file,
  });
  served = await kontor.serve();
}, 120_000);
afterAll(() => kontor.remove());

async function killAndServe(): Promise<void> {
  served.started.process.kill('SIGKILL');
  await served.started.ended;
  served = await kontor.serve();
}

const shop = acquiringShop(() => ({ baseUrl: served.baseUrl, accessToken: kontor.accessToken, journal }));
const send = (method: string, path: string, options: SendOptions = {}) =>
  sendTo(served.baseUrl, own(), { method, path, hmac: null, ...options });
const own = () => ({ accessToken: kontor.accessToken, hmac: { user: '', secret: '' } });

test.each([
  ['Approved', 'paid'],
  ['Declined', 'declined'],
] as const)('a payer who chooses %s after the service was killed: %s', async (verdict, state) => {
  const made = await shop.create(12_500);
  const page = pageAt({ baseUrl: served.baseUrl, send }, href(made, 'redirect-authorization'));
  await page.pay({ number: testCard('07') });
  await killAndServe();
  expect(stateIn(await page.open())).toBe('authentication');
  await page.confirm(verdict);
  await killAndServe();
  expect(stateIn(await page.open())).toBe(state);
  // The first payer's, and nothing of the second one's.
  expect(shop.books()).toEqual([12_500, 0, 0]);
});
