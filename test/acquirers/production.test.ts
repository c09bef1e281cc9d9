import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Acquiring,
  acquiring,
  acquiringShop,
  agreed,
  href,
  type ShopAnswer,
  simulated,
} from '../support/issuer/acquiring.ts';
import type { Started } from '../support/kontor.ts';
import { orderBody } from '../support/shop/orders-shop.ts';
import { until } from '../support/until.ts';

let kontor: Acquiring;
let baseUrl: string;
let service: Started;
let port: number;
let journal: string;
/** A payment that is authorized, and not captured. */
let held: ShopAnswer;
beforeAll(async () => {
  kontor = await acquiring();
  journal = join(kontor.installation.folder, 'acquirer.ndjson');
  ({ port } = await kontor.simulate('--answer-ms', '2000', '--journal', journal));
  const acquirer = simulated(port, { operations: ['Authorize', 'Capture', 'Cancel', 'Reversal'] });
  kontor.configure({ acquirers: [acquirer], agreements: [agreed(kontor.payeeId)] });
  ({ baseUrl, started: service } = await kontor.serve());
}, 120_000);
afterAll(() => kontor.remove());

const shop = acquiringShop(() => ({ baseUrl, accessToken: kontor.accessToken, journal }));
const { send, create, authorize, books } = shop;

describe('a production service with acquirers.json', () => {
  test('charges a card at the acquirer that it names: authorized, captured in parts, cancelled, given back', async () => {
    await shop.walk();
  });

  test('tells what the acquirer declines', async () => {
    const { tried } = await authorize(900_361);
    expect(tried.body.authorization.transaction).toMatchObject({ state: 'Failed' });
    expect(JSON.stringify(tried.body)).toContain('acquirerinsufficientfunds');
  });

  test('takes back what no answer came to', async () => {
    const { tried } = await authorize(900_304);
    expect(tried.body.authorization.transaction).toMatchObject({ state: 'Failed' });
    await until(() => readFileSync(journal, 'utf8').includes('"change":"TakeBack"'));
    expect(books()).toEqual([0, 0, 0]);
  });

  test('refuses before there is a page what the acquirer lacks: another currency, another operation', async () => {
    const verification = { operation: 'Verify', prices: undefined, intent: undefined };
    for (const [currency, others] of [['SEK', { currency: 'SEK' }] as const, ['NOK', verification] as const]) {
      const description = `No acquirer is agreed for ${currency}. The operator adds one.`;
      expect(await create(100, others)).toMatchObject({
        status: 422,
        body: { problems: [{ name: 'payment.currency', description }] },
      });
    }
  });

  test('refuses mail and telephone orders where no agreement has a terminal for them', async () => {
    const payment = { operation: 'Purchase', currency: 'NOK', prices: [{ type: 'CreditCard', amount: 100 }] };
    const refused = await shop.send('/psp/creditcard/payments', { payment, creditCard: { orderedBy: 'Phone' } });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        problems: [{ name: 'creditCard.orderedBy', description: expect.stringContaining('The operator adds one') }],
      },
    });
  });

  test('lists the brands of a payment order that an agreement is for', async () => {
    const paymentorder = orderBody('brands');
    const { body } = await shop.send('/psp/paymentorders', { paymentorder });
    expect(body.paymentOrder.items).toEqual([{ creditCard: { cardBrands: ['Visa'] } }]);
  });

  test('fails a card of a brand without agreement, and does not ask', async () => {
    const { tried } = await authorize(100, '5226600159865967');
    expect(tried.body.authorization.transaction).toMatchObject({ state: 'Failed' });
    expect(JSON.stringify(tried.body)).toContain('acquirererror');
    expect(readFileSync(journal, 'utf8')).not.toContain('522660');
  });
});

describe('a start is refused', () => {
  beforeAll(async () => {
    ({ made: held } = await authorize(500));
    service.process.kill('SIGTERM');
    await service.ended;
  });

  test.each([
    ['without an agreement that open payments name', [], 'lacks the agreement demo-nok'],
    [
      'with another merchant number in its place',
      [{ merchantId: '1' }],
      'had another payee, acquirer or merchant number',
    ],
  ])('%s', async (_name, agreements, complaint) => {
    const all = agreements.map((others) => agreed(kontor.payeeId, others));
    kontor.configure({ acquirers: [simulated(port)], agreements: all });
    const refused = await kontor.installation.refusedStart();
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(complaint) });
  });

  test('with a file that says what is not known, and names the place', async () => {
    kontor.configure({ acquirers: [simulated(port, { colour: 'blue' })], agreements: [] });
    const refused = await kontor.installation.refusedStart();
    expect(refused.stderr).toMatch(/acquirers\.json: acquirers\[0\]\.colour is not known here/);
  });
});

test('a closed agreement takes no new payment, and what follows the old ones goes on', async () => {
  const closed = agreed(kontor.payeeId, { closed: true });
  const another = agreed(kontor.payeeId, { id: 'demo-sek', acquirer: 'south', currencies: ['SEK'] });
  kontor.configure({
    acquirers: [simulated(port), simulated(port, { id: 'south', testHost: false })],
    agreements: [closed, another],
  });
  ({ baseUrl, started: service } = await kontor.serve());
  expect((await create(100)).status).toBe(422);
  const transaction = { amount: 500, vatAmount: 0, description: 'all', payeeReference: 'closed' };
  const captured = await send(href(await send(held.body.payment.id), 'create-capture'), { transaction });
  expect(captured.status).toBe(200);
  expect(books()).toEqual([0, 500, 0]);
});

// Goes on where the test before it has left the service.
test('a test host that is not marked as one is asked nothing', async () => {
  const before = readFileSync(journal, 'utf8').match(/"type":"1100"/g)?.length;
  const { tried } = await authorize(700, undefined, { currency: 'SEK' });
  expect(JSON.stringify(tried.body)).toContain('acquirergatewayerror');
  expect(readFileSync(journal, 'utf8').match(/"type":"1100"/g)?.length).toBe(before);
});
