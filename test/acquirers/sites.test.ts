import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTestAcquirer, startTestAcquirer } from '../../sandbox/acquirer/start-test-acquirer.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import { type Acquiring, acquiring, acquiringShop, agreed, href, simulated } from '../support/issuer/acquiring.ts';
import { until } from '../support/until.ts';

// One acquirer at two sites. They share no books here, so each believes what it is told of a payment of the other's.

let kontor: Acquiring;
let sites: readonly RunningTestAcquirer[];
let baseUrl: string;
beforeAll(async () => {
  kontor = await acquiring();
  const start = () => startTestAcquirer({ dialect: ISO93, port: 0, answerMs: 2_000, believes: true });
  sites = [await start(), await start()];
  const [first = 0, second = 0] = sites.map(({ port }) => port);
  const host = ['127.0.0.1', { host: '127.0.0.1', port: second }];
  kontor.configure({
    acquirers: [simulated(first, { host, connections: 1 })],
    agreements: [agreed(kontor.payeeId)],
  });
  ({ baseUrl } = await kontor.serve());
}, 120_000);
afterAll(async () => {
  await kontor.remove();
  await Promise.all(sites.map((site) => site.close()));
});

const { authorize, send } = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal: '' }));

test('both are looked at', async () => {
  const { stdout } = await kontor.installation.kontor(['acquirers', 'echo', 'north']);
  for (const { port } of sites) expect(stdout).toContain(`Acquirer north at 127.0.0.1:${port}: signed on`);
});

test('payments, and what follows those of a site that is gone, go to the other one', async () => {
  const paid: Awaited<ReturnType<typeof authorize>>[] = [];
  // A line may sign on later than the other, and payments that come one by one all go to the first.
  await until(async () => {
    paid.push(...(await Promise.all([1_000, 2_000, 3_000, 4_000].map((amount) => authorize(amount)))));
    return sites.every(({ acquirer }) => acquirer.books.bookings().length > 0);
  });
  expect(new Set(paid.map(({ tried }) => tried.body.authorization.transaction.state))).toEqual(new Set(['Completed']));
  await sites[0]?.close();
  for (const [index, { made }] of paid.entries()) {
    const transaction = { amount: 1_000, vatAmount: 0, description: 'all', payeeReference: `site-${index}` };
    const captured = await send(href(await send(made.body.payment.id), 'create-capture'), { transaction });
    expect(captured.status, JSON.stringify(captured.body)).toBe(200);
  }
  expect((await authorize(5_000)).tried.body.authorization.transaction.state).toBe('Completed');
});
