import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readSandbox } from '../support/sandbox-file.ts';
import { type TestService, testService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { type Received, type Receiver, rightSignatures, startReceiver } from '../support/shop/receiver.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let shop: CardPaymentsShop;
let to: Receiver;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());
beforeEach(async () => {
  to = await startReceiver();
  const { stop } = to;
  onTestFinished(() => stop());
});

interface Told {
  readonly payment: { readonly id: string; readonly number: number };
  readonly transaction: { readonly id: string; readonly number: number };
}

const told = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body) as Told);
const urls = () => ({ urls: { callbackUrl: to.url } });

/** The kinds of the transactions that were told of, in the order in which they were. */
const kinds = () => told(to.taken).map(({ transaction }) => transaction.id.split('/').at(-2));

test('each outcome is posted to the callback URL: which payment and which transaction, signed, in order', async () => {
  const id = await shop.purchase(1500, urls());
  await shop.authorize(id);
  await shop.follow(id, 'captures', { amount: 500, vatAmount: 0, description: 'Part' });
  await shop.follow(id, 'reversals', { amount: 200, vatAmount: 0, description: 'Back' });
  await shop.follow(id, 'cancellations', { description: 'Rest' });
  await until(() => to.taken.length === 4);
  expect(kinds()).toEqual(['authorizations', 'captures', 'reversals', 'cancellations']);
  const { payment } = (await shop.get(id)).body;
  const sandbox = readSandbox(kontor.config.dataDir);
  for (const [index, received] of to.taken.entries()) {
    const [body] = told([received]) as [Told];
    const { transaction } = (await kontor.send('GET', body.transaction.id)).body[
      ['authorization', 'capture', 'reversal', 'cancellation'][index] as string
    ];
    expect(body).toEqual({
      payment: { id, number: payment.number },
      transaction: { id: body.transaction.id, number: transaction.number },
    });
    expect(rightSignatures(received, sandbox.callbackSecret)).toBe(1);
    expect(received.headers['content-type']).toBe('application/json');
  }
  expect(new Set(to.taken.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
});

test('a decline is told as well, and so is a verification', async () => {
  const declined = await shop.purchase(900_351, urls());
  await shop.authorize(declined);
  const { body } = await shop.create({ operation: 'Verify', prices: undefined, intent: undefined, ...urls() });
  await shop.verify(body.payment.id);
  await until(() => to.taken.length === 2);
  expect(kinds().sort()).toEqual(['authorizations', 'verifications']);
  const transaction = told(to.taken).find(({ payment }) => payment.id === declined)?.transaction;
  expect((await kontor.send('GET', transaction?.id ?? '')).body.authorization.transaction.state).toBe('Failed');
});

test('an automatic capture is told after its authorization', async () => {
  const id = await shop.purchase(1500, { intent: 'AutoCapture', ...urls() });
  await shop.authorize(id);
  await until(() => to.taken.length === 2);
  expect(kinds()).toEqual(['authorizations', 'captures']);
});

test('an authentication that its payer leaves for another card is told as a failure', async () => {
  const id = await shop.purchase(1500, urls());
  const { body } = await shop.authorize(id, { cardNumber: VISA_WITH_3D_SECURE });
  expect(body.authorization.transaction.state).toBe('AwaitingActivity');
  const { body: second } = await shop.authorize(id);
  await until(() => to.taken.length === 2);
  expect(told(to.taken).map(({ transaction }) => transaction.id)).toEqual([
    body.authorization.id,
    second.authorization.id,
  ]);
});

test('an authorization with a token is told by its answer alone; its capture is told', async () => {
  const id = await shop.purchase(1500, { generateRecurrenceToken: true, payerReference: 'anna' });
  const { recurrenceToken } = (await shop.authorize(id)).body.authorization;
  const { body } = await shop.create({
    operation: 'Recur',
    recurrenceToken,
    amount: 700,
    vatAmount: 0,
    prices: undefined,
    ...urls(),
  });
  expect(body.payment.amount).toBe(700);
  await shop.follow(body.payment.id, 'captures', { amount: 700, vatAmount: 0, description: 'All' });
  await until(() => to.taken.length === 1);
  expect(kinds()).toEqual(['captures']);
  expect(to.all).toHaveLength(1);
});

test('the log shows each with its tries, sends it once more, and belongs to its payee', async () => {
  to.behave(() => 503);
  const id = await shop.purchase(1500, urls());
  await shop.authorize(id);
  const list = async (accessToken = kontor.accessToken) =>
    (await kontor.send('GET', '/webhooks/callbacks/deliveries?state=Waiting', { accessToken })).body.deliveries
      .deliveryList;
  await until(async () => (await list()).length === 1);
  const [delivery] = await list();
  expect(delivery).toMatchObject({
    id: expect.stringMatching(/^[/]webhooks[/]callbacks[/]deliveries[/][0-9]+$/),
    url: to.url,
    state: 'Waiting',
    event: { type: 'card-payment.authorized' },
  });
  const read = async () => (await kontor.send('GET', delivery.id)).body.delivery;
  await until(async () => (await read()).tryList.length === 1);
  const shown = await read();
  expect(shown.tryList).toMatchObject([{ status: 503, failure: 'status' }]);
  expect(JSON.parse(shown.body).payment.id).toBe(id);
  to.behave(() => 204);
  const again = await kontor.send('POST', `${delivery.id}/redeliveries`);
  expect(again).toMatchObject({ status: 200 });
  await until(() => to.taken.length === 1);
  const other = await kontor.addPayee();
  expect(await list(other.accessToken)).toEqual([]);
  const { accessToken } = other;
  expect(await kontor.send('GET', delivery.id, { accessToken })).toMatchObject({ status: 404 });
  const { webhooks } = (await kontor.send('GET', '/webhooks')).body;
  expect(webhooks.webhookList, 'who is called back is no webhook').toEqual([]);
});
