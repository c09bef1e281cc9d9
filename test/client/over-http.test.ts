import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import type { ClientOptions, KontorClient } from '../../client/client.types.ts';
import type {
  AccountPayment,
  CardPaymentAnswer,
  CreateCardPayment,
  EventFeed,
  Event as KontorEvent,
} from '../../client/kontor.generated.ts';
import { KontorNoSuchOperation, KontorProblem } from '../../client/problems.ts';
import { KontorWrongSignature, verifyWebhook } from '../../client/webhooks.ts';
import { readSandbox } from '../support/sandbox-file.ts';
import { type TestService, testService } from '../support/service.ts';
import { startReceiver } from '../support/shop/receiver.ts';
import { until } from '../support/until.ts';

let service: TestService;
let kontor: KontorClient;
beforeAll(async () => {
  service = await testService();
  kontor = client();
});
afterAll(() => service.stop());

/** What a newcomer finds. */
const sandbox = () => readSandbox(service.config.dataDir);

function client(options: Partial<ClientOptions> = {}): KontorClient {
  const { baseUrl, accessToken, hmac } = service;
  return createClient({ baseUrl, credentials: { accessToken }, hmac, ...options });
}

const PURCHASE = {
  operation: 'Purchase',
  intent: 'Authorization',
  currency: 'NOK',
  prices: [{ type: 'CreditCard', amount: 1500, vatAmount: 300 }],
  description: 'A book',
  userAgent: 'Mozilla/5.0',
  language: 'nb-NO',
} satisfies CreateCardPayment['payment'];

const CARD = {
  transaction: {
    cardNumber: '4925000000000004',
    cardExpiryMonth: '12',
    cardExpiryYear: '2039',
    cardVerificationCode: '123',
  },
};

async function paid(): Promise<CardPaymentAnswer> {
  const made = await kontor.call('POST /psp/creditcard/payments', { body: { payment: PURCHASE } });
  await kontor.follow(made, 'direct-authorization', CARD);
  return kontor.get<CardPaymentAnswer>(made.payment.id);
}

describe('a card payment', () => {
  test('is made, paid, captured and given back by following what it offers', async () => {
    const payment = await paid();
    const { capture } = await kontor.follow(payment, 'create-capture', {
      transaction: { amount: 1500, vatAmount: 300, description: 'All of it' },
    });
    expect(capture.transaction).toMatchObject({ type: 'Capture', state: 'Completed', amount: 1500 });
    const captured = await kontor.get<CardPaymentAnswer>(payment.payment.id, { expand: ['captures', 'prices'] });
    expect(captured.payment).toMatchObject({
      prices: { priceList: [{ amount: 1500 }] },
      captures: { captureList: [{ transaction: { amount: 1500 } }] },
    });
    expect(kontor.offers(captured, 'create-capture')).toBe(false);
    expect(kontor.linkTo(captured, 'paid-payment')).toBe(`${service.baseUrl}${payment.payment.id}/paid`);
    expect(() => kontor.linkTo(captured, 'redirect-authorization')).toThrow(KontorNoSuchOperation);
    const refused = kontor.follow(captured, 'create-capture', { transaction: { amount: 1 } });
    await expect(refused).rejects.toThrow(KontorNoSuchOperation);
    await expect(refused).rejects.toMatchObject({
      rel: 'create-capture',
      offered: ['create-reversal', 'paid-payment'],
    });
    const { reversal } = await kontor.follow(captured, 'create-reversal', { transaction: { amount: 1500 } });
    expect(reversal.transaction.state).toBe('Completed');
    expect((await kontor.follow(captured, 'paid-payment')).paid.amount).toBe(1500);
  });

  test('is made once for one key, however often it is asked for', async () => {
    const idempotencyKey = crypto.randomUUID();
    const ask = () => kontor.call('POST /psp/creditcard/payments', { body: { payment: PURCHASE }, idempotencyKey });
    const [first, again] = [await ask(), await ask()];
    expect(again.payment.id).toBe(first.payment.id);
    expect((await kontor.call('POST /psp/creditcard/payments', { body: { payment: PURCHASE } })).payment.id).not.toBe(
      first.payment.id,
    );
  });
});

describe('what lies below /api/payments', () => {
  test('is signed', async () => {
    const answer = await kontor.call('POST /api/payments/ping', { body: { description: 'Blåbær & co' } });
    expect(answer.state).toBe('OK');
    const wrong = client({ hmac: { user: service.hmac.user, secret: 'wrong' } });
    await expect(wrong.call('POST /api/payments/ping', { body: {} })).rejects.toMatchObject({
      code: 'unauthorized',
      diagnosis: { causes: expect.any(Array) },
    });
  });

  test('is followed from the balance to the capture', async () => {
    const { accounts } = sandbox();
    const [{ accountKey, cvc, expiryDate, currency }] = accounts;
    const accountIdentifier = { accountKey, cvc, expiryDate };
    const balance = await kontor.call('POST /api/payments/payment-account/balance', { body: { accountIdentifier } });
    const order = { paymentOrderRef: crypto.randomUUID(), amount: 700 };
    const merchant = { merchantName: 'Shop', terminalId: '1' };
    const payment = await kontor.follow(balance, 'create-authorization', {
      ...order,
      accountIdentifier,
      currency,
      merchant,
      paymentTransactionRef: crypto.randomUUID(),
    });
    expect(payment).toMatchObject({ state: 'OK', remainingCaptureAmount: 700 });
    const captured = await kontor.follow(payment, 'create-capture', {
      ...order,
      paymentTransactionRef: crypto.randomUUID(),
    });
    expect(captured).toMatchObject({ operation: 'Capture', remainingReversalAmount: 700 });
    const found: AccountPayment = await kontor.follow(captured, 'get-payment');
    expect(found.paymentId).toBe(payment.paymentId);
  });
});

describe('a problem', () => {
  test('tells its code, what is wrong where, and the session', async () => {
    const body = { payment: { ...PURCHASE, currency: 'XXX' } };
    const failed = await kontor.call('POST /psp/creditcard/payments', { body }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(KontorProblem);
    expect(failed).toMatchObject({
      code: 'inputerror',
      status: 400,
      isRetryable: false,
      mayHaveHadEffect: false,
      problems: [{ name: 'payment.currency' }],
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('of what is not there is one too', async () => {
    const missing = kontor.get(`/psp/creditcard/payments/${crypto.randomUUID()}`);
    await expect(missing).rejects.toMatchObject({ code: 'notfound', status: 404 });
  });

  test('of a wrong version says so', async () => {
    const old = client({ version: '1.0' }).call('POST /psp/creditcard/payments', { body: { payment: PURCHASE } });
    await expect(old).rejects.toMatchObject({ code: 'unsupportedmediatype' });
  });
});

test('client credentials get an access token, for a scope of their own', async () => {
  const { oauth } = sandbox();
  const { clientId, clientSecret } = oauth;
  const own = client({ credentials: { clientId, clientSecret, scope: 'webhooks' } });
  expect((await own.call('GET /webhooks')).webhooks.webhookList).toEqual([]);
  await expect(own.call('GET /events')).rejects.toMatchObject({ code: 'forbidden' });
  const wrong = client({ credentials: { clientId, clientSecret: 'wrong' } });
  await expect(wrong.call('GET /webhooks')).rejects.toMatchObject({ code: 'invalid_client', status: 401 });
});

test('the feed is followed from page to page', async () => {
  let page: EventFeed = await kontor.call('GET /events', { query: { after: 'latest' } });
  await paid();
  await until(async () => {
    page = await kontor.follow(page, 'next');
    return page.events.eventList.some(({ type }) => type === 'card-payment.authorized');
  });
});

test('links that lead elsewhere are not followed', async () => {
  const operations = [{ method: 'GET', href: 'https://elsewhere.example/', rel: 'next' }];
  await expect(kontor.followAs({ operations }, 'next')).rejects.toThrow('https://elsewhere.example');
  await expect(kontor.get('https://elsewhere.example/psp')).rejects.toThrow(TypeError);
});

test('events are known by their signature', async () => {
  const to = await startReceiver();
  onTestFinished(() => to.stop());
  const { webhook, secret, operations } = await kontor.call('POST /webhooks', {
    body: { url: to.url, eventTypes: ['webhook.*'] },
  });
  await kontor.follow({ operations }, 'test-webhook');
  await until(() => to.taken.length === 1);
  const [received] = to.taken;
  if (received === undefined) throw new Error('it came');
  const { headers, body } = received;
  const event = await verifyWebhook<KontorEvent>({ headers, body, secret });
  expect(event).toMatchObject({ type: 'webhook.test', resource: { id: webhook.webhookId } });
  const fromFetch = { headers: new Headers(headers as Record<string, string>), body: new TextEncoder().encode(body) };
  expect(await verifyWebhook({ ...fromFetch, secret })).toEqual(event);
  for (const changed of [
    { body: body.replace('webhook.test', 'webhook.best') },
    { secret: `whsec_${btoa('x'.repeat(32))}` },
    { headers: { ...headers, 'webhook-timestamp': '1' } },
    // No message is younger than this.
    { toleranceSeconds: -1 },
    { headers: { ...headers, 'webhook-signature': 'v1,no base64!' } },
    { headers: {} },
  ]) {
    await expect(verifyWebhook({ headers, body, secret, ...changed })).rejects.toThrow(KontorWrongSignature);
  }
});
