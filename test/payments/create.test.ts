import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCardPayment } from '../../src/payments/find-payment.ts';
import { cardholderIn } from '../../src/payments/payers/sealed-payers.ts';
import { expire } from '../support/payer/payer.ts';
import { type TestService, testService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop, PAYMENTS, relsOf } from '../support/shop/card-payments-shop.ts';

let kontor: TestService;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());

const EXAMPLE = {
  payment: {
    operation: 'Purchase',
    intent: 'Authorization',
    currency: 'SEK',
    prices: [{ type: 'CreditCard', amount: 1500, vatAmount: 0 }],
    description: 'Test purchase',
    generatePaymentToken: false,
    generateRecurrenceToken: false,
    userAgent: 'Mozilla/5.0…',
    language: 'sv-SE',
  },
};

describe('a new payment', () => {
  it('is made of the least that can be asked for, and found again', async () => {
    const answer = await kontor.send('POST', PAYMENTS, { body: EXAMPLE, headers: { 'user-agent': 'shop/1.0' } });
    expect(answer.status).toBe(200);
    const { payment } = answer.body;
    expect(payment).toEqual({
      id: expect.stringMatching(/^\/psp\/creditcard\/payments\/[0-9a-f-]{36}$/),
      number: expect.any(Number),
      created: expect.any(String),
      updated: payment.created,
      instrument: 'CreditCard',
      operation: 'Purchase',
      intent: 'Authorization',
      state: 'Ready',
      currency: 'SEK',
      amount: 0,
      description: 'Test purchase',
      initiatingSystemUserAgent: 'shop/1.0',
      userAgent: 'Mozilla/5.0…',
      language: 'sv-SE',
      prices: { id: `${payment.id}/prices` },
      urls: { id: `${payment.id}/urls` },
      payeeInfo: { id: `${payment.id}/payeeinfo` },
      metadata: { id: `${payment.id}/metadata` },
    });
    expect(String(payment.number)).toMatch(/^\d{11}$/);
    expect(answer.headers.get('location')).toBe(`${kontor.baseUrl}${payment.id}`);
    expect(relsOf(answer)).toEqual(['update-payment-abort', 'redirect-authorization', 'direct-authorization']);
    expect((await shop.get(payment.id)).body).toEqual(answer.body);
  });

  it('lists what the caller may do only', async () => {
    const accessToken = await kontor.addAccessToken(['payments']);
    const answer = await shop.create({}, { accessToken });
    expect(relsOf(answer)).toEqual(['update-payment-abort', 'redirect-authorization']);
    const { id } = answer.body.payment;
    expect(await shop.authorize(id, {}, { accessToken })).toMatchObject({ status: 403 });
  });

  it.each(['?$expand=prices,urls,unknown', '?$expand=PRICES&$expand=urls'])(
    'inlines the sub-resources that are asked for: %s',
    async (query) => {
      const urls = { hostUrls: ['https://shop.example/'], completeUrl: 'https://shop.example/done' };
      const made = await shop.create({ urls }, { query });
      const { id } = made.body.payment;
      const expanded = {
        prices: { id: `${id}/prices`, priceList: [{ type: 'CreditCard', amount: 1500, vatAmount: 0 }] },
        urls: { id: `${id}/urls`, ...urls },
        metadata: { id: `${id}/metadata` },
      };
      expect(made.body.payment).toMatchObject(expanded);
      expect((await kontor.send('GET', `${id}${query}`)).body.payment).toMatchObject(expanded);
      const body = { payment: { operation: 'Abort', abortReason: 'Done' } };
      expect((await kontor.send('PATCH', `${id}${query}`, { body })).body.payment).toMatchObject(expanded);
      expect((await kontor.send('GET', `${id}/urls`)).body).toEqual({
        payment: id,
        urls: expanded.urls,
        operations: [expect.objectContaining({ rel: 'aborted-payment' })],
      });
    },
  );

  it('keeps metadata and what the payee says of itself', async () => {
    const metadata = { order: 'A-17', weight: 12, share: 0.125, change: -3.5, gift: true };
    const payeeInfo = { payeeId: kontor.payeeId, payeeReference: 'order-with-metadata', payeeName: 'The kiosk' };
    const { body } = await shop.create({ metadata, payeeInfo });
    const { id } = body.payment;
    expect((await kontor.send('GET', `${id}/metadata`)).body.metadata).toEqual({ id: `${id}/metadata`, ...metadata });
    expect((await kontor.send('GET', `${id}/payeeinfo`)).body.payeeInfo).toEqual({
      id: `${id}/payeeinfo`,
      ...payeeInfo,
    });
  });

  it('keeps of the holder texts and the objects that are known, and ignores the rest', async () => {
    const address = { addressee: 'Olivia Nyhuus', coAddress: 'Solveig', zipCode: '1642', countryCode: 'NO' };
    const known = {
      firstName: 'Olivia',
      shippingAddress: address,
      billingAddress: { city: 'Saltnes' },
      accountInfo: { accountAgeIndicator: '04' },
    };
    const others = { age: 42, isMember: true, tags: ['a'], employer: { name: 'b' }, msisdn: null, email: '' };
    const cardholder = { ...known, ...others, shippingAddress: { ...address, floor: 3, door: {}, city: '' } };
    const { status, body } = await shop.create({ cardholder });
    expect(status).toBe(200);
    const { payeeId } = kontor;
    const paymentId = body.payment.id.split('/').at(-1);
    const { payment } = await findCardPayment(kontor.service.database, { payeeId, paymentId });
    expect(cardholderIn(kontor.service.keyRing, payment)).toEqual(known);
    expect(payment.terms.cardholder).toBeUndefined();
  });

  it('of a Verify has no intent and takes a verification', async () => {
    const answer = await shop.create({ operation: 'Verify', prices: undefined });
    expect(answer.body.payment.intent).toBeUndefined();
    expect(relsOf(answer)).toEqual(['update-payment-abort', 'redirect-verification', 'direct-verification']);
  });
});

describe('what makes no sense is refused', () => {
  it.each([
    ['payment.currency', { currency: 'XXX' }],
    ['payment.prices', { prices: [] }],
    ['payment.prices', { prices: undefined }],
    ['payment.prices[0].type', { prices: [{ type: 'Shells', amount: 1 }] }],
    [
      'payment.prices[1].type',
      {
        prices: [
          { type: 'visa', amount: 1 },
          { type: 'Visa', amount: 2 },
        ],
      },
    ],
    ['payment.prices[0].amount', { prices: [{ type: 'Visa', amount: 1e2 - 100 }] }],
    ['payment.prices[0].vatAmount', { prices: [{ type: 'Visa', amount: 10, vatAmount: 11 }] }],
    ['payment.description', { description: 'x'.repeat(41) }],
    ['payment.operation', { operation: 'Gamble' }],
    ['payment.recurrenceToken', { operation: 'Recur', amount: 10 }],
    ['payment.unscheduledToken', { operation: 'UnscheduledPurchase', amount: 10, paymentToken: '' }],
    ['payment.urls.completeUrl', { urls: { completeUrl: '/done' } }],
    ['payment.urls.completeUrl', { urls: { completeUrl: 'javascript:alert(1)' } }],
    ['payment.urls.callbackUrl', { urls: { callbackUrl: 'https://shop.example/#a' } }],
    ['payment.urls.logoUrl', { urls: { logoUrl: 'https://me:secret@shop.example/' } }],
    ['payment.urls.hostUrls[0]', { urls: { hostUrls: ['shop.example'] } }],
    ['payment.payeeInfo.payeeReference', { payeeInfo: { payeeReference: 'a b' } }],
    ['payment.language', { language: 'no such' }],
    ['payment.tokenConsent', { tokenConsent: 'Maybe' }],
    ['payment.recurring.until', { recurring: { until: '2030-02-30', everyDays: 30 } }],
    ['payment.recurring.until', { recurring: { until: '2020-02-29', everyDays: 30 } }],
    ['payment.recurring.everyDays', { recurring: { until: '2999-12-31', everyDays: 0 } }],
    ['payment.recurring.everyDays', { recurring: { until: '2999-12-31' } }],
    ['payment.description', { description: 'card 4925 0000 0000 0004' }],
    ['payment.metadata.card', { metadata: { card: '4925000000000004' } }],
    ['payment.metadata.card', { metadata: { card: 4925000000000004 } }],
    ['payment.metadata.card', { metadata: { card: 377601000.001008 } }],
    ['payment.metadata.nested', { metadata: { nested: {} } }],
    ['payment.metadata', { metadata: { 'no name': '4925000000000004' } }],
    ['payment.metadata', { metadata: { 'no name': { a: 'b' } } }],
    ['payment.cardholder.note', { cardholder: { note: '4925 0000 0000 0004' } }],
    ['payment.cardholder.billingAddress.city', { cardholder: { billingAddress: { city: '4925000000000004' } } }],
    ['payment.cardholder', { cardholder: { 'no name': 'a' } }],
  ])('%s of %j', async (name, members) => {
    const answer = await shop.create(members);
    expect(answer.status).toBe(400);
    expect(answer.body.problems).toEqual(expect.arrayContaining([expect.objectContaining({ name })]));
  });

  it('another payee', async () => {
    const payeeInfo = { payeeId: '00000000-0000-4000-8000-000000000001' };
    expect(await shop.create({ payeeInfo })).toMatchObject({ status: 404 });
  });

  it('a token that is none', async () => {
    const token = '00000000-0000-4000-8000-000000000001';
    expect(await shop.create({ operation: 'Recur', amount: 10, recurrenceToken: token })).toMatchObject({
      status: 404,
    });
    expect(await shop.create({ paymentToken: token })).toMatchObject({ status: 404 });
    expect(await shop.create({ paymentToken: '' })).toMatchObject({ status: 200 });
  });
});

describe('the same request again', () => {
  it('with a payee reference answers the first payment; other content is refused', async () => {
    const payeeInfo = { payeeReference: 'order-1' };
    const first = await shop.create({ payeeInfo });
    const again = await shop.create({ payeeInfo });
    expect(again.body.payment).toEqual({ ...first.body.payment });
    expect(await shop.create({ payeeInfo, description: 'Something else' })).toMatchObject({
      status: 422,
      body: { type: expect.stringMatching(/referencereused$/) },
    });
    const other = await shop.create({ operation: 'Verify', prices: undefined, payeeInfo });
    expect(other.body.payment.id).not.toBe(first.body.payment.id);
  });

  it('with an Idempotency-Key answers the first payment, and says so', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const first = await shop.create({}, { headers });
    const again = await shop.create({}, { headers });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await shop.create({ language: 'nb-NO' }, { headers })).toMatchObject({ status: 422 });
  });

  it('at the same moment makes one payment', async () => {
    const payeeInfo = { payeeReference: 'order-at-once' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.create({ payeeInfo })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.payment.id)).size).toBe(1);
  });
});

describe('an abort', () => {
  it('ends a payment, and twice is as once', async () => {
    const id = await shop.purchase(100);
    const answer = await shop.abort(id, 'OutOfStock');
    expect(answer).toMatchObject({ status: 200, body: { payment: { state: 'Aborted' } } });
    expect(relsOf(answer)).toEqual(['aborted-payment']);
    expect((await kontor.send('GET', `${id}/aborted`)).body.aborted).toEqual({
      id: `${id}/aborted`,
      abortReason: 'OutOfStock',
    });
    expect(await shop.abort(id, 'Again')).toMatchObject({ status: 200 });
    expect((await kontor.send('GET', `${id}/aborted`)).body.aborted.abortReason).toBe('OutOfStock');
    expect(await shop.authorize(id)).toMatchObject({ status: 403, body: { problems: [{ name: 'Authorization' }] } });
  });

  it('says nothing where there is none', async () => {
    const id = await shop.purchase(100);
    for (const name of ['paid', 'failed', 'aborted']) {
      expect(await kontor.send('GET', `${id}/${name}`)).toMatchObject({ status: 404 });
    }
    expect((await kontor.send('GET', `${id}/captures`)).body.captures).toEqual({
      id: `${id}/captures`,
      captureList: [],
    });
  });
});

it('ends a payment that was not paid within 28 days', async () => {
  const id = await shop.purchase(100);
  const paymentId = id.slice(id.lastIndexOf('/') + 1);
  const before = await kontor.database.asAdmin(
    `select (expires_at - created_at)::text as open from card_payment where payment_id = '${paymentId}'`,
  );
  expect(before).toEqual([{ open: '28 days' }]);
  await expire(kontor, { id });
  const answer = await shop.get(id);
  expect(answer.body.payment.state).toBe('Aborted');
  expect(relsOf(answer)).toEqual(['aborted-payment']);
  expect(await shop.authorize(id)).toMatchObject({ status: 403 });
  expect((await kontor.send('GET', `${id}/aborted`)).body.aborted.abortReason).toBe('Expired');
});
