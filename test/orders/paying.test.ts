import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { TestDirectory } from '../../sandbox/three-ds/test-directory.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { orderPayer } from '../support/payer/order-payer.ts';
import { type OrderWalks, orderWalks } from '../support/payer/order-walks.ts';
import { readSandbox } from '../support/sandbox-file.ts';
import { type TestService, testService } from '../support/service.ts';
import { VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { hrefOf, type Members, relsOf } from '../support/shop/orders-shop.ts';
import { rightSignatures, startReceiver } from '../support/shop/receiver.ts';
import { until } from '../support/until.ts';

// Orders over HTTP: the payee's requests, and the payer's at the page as its script sends them.

let kontor: TestService;
let shop: OrderWalks['shop'];
let walks: OrderWalks;
beforeAll(async () => {
  kontor = await testService();
  walks = orderWalks(kontor);
  shop = walks.shop;
});
const walk: OrderWalks['walk'] = (...given) => walks.walk(...given);
const orderOf: OrderWalks['orderOf'] = (...given) => walks.orderOf(...given);
const historyOf: OrderWalks['historyOf'] = (...given) => walks.historyOf(...given);
const change: OrderWalks['change'] = (...given) => walks.change(...given);
const follow: OrderWalks['follow'] = (...given) => walks.follow(...given);
const availableOn: OrderWalks['availableOn'] = (...given) => walks.availableOn(...given);

afterAll(() => kontor.stop());
afterEach(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
});

/** The sandbox's acquirer declines this amount. */
const DECLINED_AMOUNT = 900_351;
/** Frictionless at the test directory server. */
const FRICTIONLESS = testCard('02');
const SCREEN = { java: 'false', depth: '24', height: '900', width: '1440', tz: '-60' };

const statusOf = async (id: string) => (await orderOf(id)).status;

describe('the page', () => {
  const hostUrls = { urls: { completeUrl: 'https://shop.example/ok', hostUrls: ['https://shop.example'] } };

  test('says how it was opened first, by itself or inside of a page of the payee, and that once', async () => {
    for (const [below, integration] of [
      ['', 'Redirect'],
      ['/frame', 'HostedView'],
    ] as const) {
      const made = await shop.create(hostUrls, { version: '3.1' });
      const { id } = made.body.paymentOrder;
      expect(made.body.paymentOrder.integration).toBeUndefined();
      const { page } = orderPayer(kontor, hrefOf(made, 'redirect-checkout'));
      await Promise.all([page.open({ below }), page.open({ below }), page.open({ below })]);
      await page.open({ below: '' });
      expect((await orderOf(id)).integration).toBe(integration);
      expect(await historyOf(id)).toEqual(['PaymentCreated Payee', 'PaymentLoaded Payer']);
    }
    const over = await shop.create({}, { version: '3.1' });
    await change(over.body.paymentOrder.id, 'Abort', { abortReason: 'NoMore' });
    await orderPayer(kontor, hrefOf(over, 'redirect-checkout')).open();
    expect((await orderOf(over.body.paymentOrder.id)).integration).toBeUndefined();
  });

  test('notes what its payer looks at, as long as it can be paid, and twenty times at most', async () => {
    const { id, payer } = await walk();
    const headers = { accept: 'application/json' };
    const select = (means: string) => payer.page.post('/selected', { means }, { headers });
    expect((await select('GiftCard')).body).toEqual({ outcome: 'ok' });
    await select('Cheque');
    await Promise.all(Array.from({ length: 25 }, () => select('CreditCard')));
    for (let count = 0; count < 20; count++) await select('CreditCard');
    const { historyList } = (await orderOf(id, 'history')).history;
    const selected = historyList.filter(({ name }: { name: string }) => name === 'PaymentInstrumentSelected');
    expect(selected).toHaveLength(20);
    expect(selected[0]).toMatchObject({ instrument: 'GiftCard', initiatedBy: 'Payer' });
    const { id: other, payer: leaving } = await walk();
    await change(other, 'Abort', { abortReason: 'NoMore' });
    await leaving.page.post('/selected', { means: 'CreditCard' }, { headers });
    expect(await historyOf(other)).not.toContain('PaymentInstrumentSelected Payer');
  });
});

describe('3-D Secure of an order', () => {
  test('is told of its payer, and of the part of the card alone', async () => {
    const asked = vi.spyOn(TestDirectory.prototype, 'take');
    onTestFinished(() => asked.mockRestore());
    const payer = {
      payerReference: 'carla',
      firstName: 'Carla',
      lastName: 'Berg',
      email: 'carla@shop.example',
      msisdn: '+47 45 61 23 45',
      billingAddress: {
        streetAddress: 'Storgata 1',
        coAddress: 'c/o Vik',
        zipCode: '0155',
        city: 'Oslo',
        countryCode: 'no',
      },
    };
    const card = await cardSeller(kontor).issue(12_000);
    const { id, payer: person } = await walk({
      amount: 50_000,
      vatAmount: 0,
      payer,
      riskIndicator: { shipIndicator: '01' },
    });
    expect((await person.add(card)).body.outcome).toBe('ok');
    expect((await person.payByCard({ number: FRICTIONLESS, name: '' })).body.outcome).toBe('Authenticate');
    expect(await availableOn(card)).toBe(0);
    await person.page.post(
      '/authenticate',
      { ...SCREEN, method: 'U', cvc: '123' },
      { headers: { accept: 'application/json' } },
    );
    expect((await orderOf(id)).status).toBe('Paid');
    const messages = asked.mock.calls.map(([, body]) => JSON.parse(body));
    const request = messages.find(({ messageType }) => messageType === 'AReq');
    expect(request).toMatchObject({
      purchaseAmount: '38000',
      cardholderName: 'Carla Berg',
      email: 'carla@shop.example',
      mobilePhone: { cc: '47', subscriber: '45612345' },
      billAddrLine1: 'Storgata 1',
      billAddrLine2: 'c/o Vik',
      billAddrPostCode: '0155',
      billAddrCity: 'Oslo',
      billAddrCountry: '578',
    });
    // What acquiring has no member for is not sent.
    expect(Object.keys(request ?? {}).filter((name) => /^(ship|merchantRisk|acctInfo)/.test(name))).toEqual([]);
  });

  test('can be ended by the payee, and the gift cards stay held for another card', async () => {
    const card = await cardSeller(kontor).issue(300);
    const { id, payer } = await walk({ amount: 1000, vatAmount: 0 });
    await payer.add(card);
    expect((await change(id, 'PaymentAttemptAborted', { abortReason: 'Slow' })).body.problems).toMatchObject([
      { name: 'AbortPaymentAttempt' },
    ]);
    await payer.payByCard({ number: VISA_WITH_3D_SECURE });
    const waiting = await shop.get(id, { version: '3.1' });
    expect(relsOf(waiting)).toContain('abort-paymentattempt');
    expect(relsOf(waiting).indexOf('abort')).toBeLessThan(relsOf(waiting).indexOf('abort-paymentattempt'));
    const ended = await change(id, 'PaymentAttemptAborted', { abortReason: 'Slow' });
    expect(ended.status, ended.text).toBe(200);
    expect(relsOf(ended)).not.toContain('abort-paymentattempt');
    expect(await historyOf(id)).toEqual([
      'PaymentCreated Payee',
      'PaymentLoaded Payer',
      'PaymentGiftCardAdded Payer',
      'PaymentAttemptStarted Payer',
      'PaymentAttemptAborted Payee',
    ]);
    const { failedAttemptList } = (await orderOf(id, 'failedattempts')).failedAttempts;
    expect(failedAttemptList).toMatchObject([{ status: 'Aborted', instrument: 'CreditCard' }]);
    expect(await availableOn(card)).toBe(0);
    await payer.open();
    await payer.payByCard();
    expect(await statusOf(id)).toBe('Paid');
  });

  test('of a browser that was closed half way keeps the try, and the gift cards, until it is over', async () => {
    const card = await cardSeller(kontor).issue(300);
    const { id, payer } = await walk({ amount: 1000, vatAmount: 0 });
    await payer.add(card);
    await payer.payByCard({ number: VISA_WITH_3D_SECURE });
    // Another tab: a try is under way, so nothing changes, and an update of the payee ends it.
    const other = orderPayer(kontor, hrefOf(await shop.get(id, { version: '3.1' }), 'redirect-checkout'));
    await other.open();
    expect((await other.add(await cardSeller(kontor).issue(5))).body.outcome).toBe('Go');
    expect((await orderOf(id)).legs).toHaveLength(1);
    expect(await availableOn(card)).toBe(0);
    const updated = await change(id, 'UpdateOrder', { amount: 200, vatAmount: 0 });
    expect(updated.status, updated.text).toBe(200);
    expect(await availableOn(card)).toBe(100);
    expect((await historyOf(id)).slice(-2)).toEqual(['PaymentAttemptAborted Payee', 'PaymentUpdated Payee']);
    await other.open();
    expect((await other.payByGiftCards()).body.outcome).toBe('Go');
    expect(await statusOf(id)).toBe('Paid');
  });
});

test('two tabs that pay one order at once charge it once, whatever they pay with', async () => {
  const cards = await Promise.all([cardSeller(kontor).issue(600), cardSeller(kontor).issue(400)]);
  const both = await walk({ amount: 1000, vatAmount: 0 });
  for (const card of cards) await both.payer.add(card);
  const split = await walk({ amount: 1000, vatAmount: 0 });
  const third = await cardSeller(kontor).issue(250);
  await split.payer.add(third);
  for (const { id, payer, made } of [both, split]) {
    const tab = orderPayer(kontor, hrefOf(made, 'redirect-checkout'));
    await Promise.all([payer.open(), tab.open()]);
    const pay = (one: typeof tab) => (id === both.id ? one.payByGiftCards() : one.payByCard());
    await Promise.all([pay(payer), pay(tab), pay(payer)]);
    await until(async () => (await statusOf(id)) === 'Paid');
    const { financialTransactionsList } = (await orderOf(id, 'financialtransactions')).financialTransactions;
    expect(financialTransactionsList).toMatchObject([{ type: 'Authorization', amount: 1000 }]);
    expect((await orderOf(id)).remainingCaptureAmount).toBe(1000);
  }
  expect(await Promise.all([...cards, third].map(availableOn))).toEqual([0, 0, 0]);
});

test('a card that is declined leaves the gift cards held, and each ending gives them back', async () => {
  const card = await cardSeller(kontor).issue(300);
  const { id, payer } = await walk({ amount: DECLINED_AMOUNT + 300, vatAmount: 0 });
  await payer.add(card);
  const declined = await payer.payByCard();
  expect(declined.body.outcome).toBe('Declined');
  expect(await availableOn(card)).toBe(0);
  expect((await orderOf(id)).legs).toMatchObject([{ state: 'Held', amount: 300, paymentInstrumentType: 'giftcard' }]);
  expect((await payer.open()).text).toContain('data-state="declined"');
  expect((await payer.remove(0)).body.outcome).toBe('ok');
  expect(await availableOn(card)).toBe(300);
  await payer.add(card);
  await payer.payByCard();
  expect(await availableOn(card)).toBe(0);
  const aborted = await change(id, 'Abort', { abortReason: 'SoldOut' });
  expect(aborted.body.paymentOrder.status).toBe('Aborted');
  expect(await availableOn(card)).toBe(300);
  expect((await historyOf(id)).slice(2)).toEqual([
    'PaymentGiftCardAdded Payer',
    'PaymentAttemptStarted Payer',
    'PaymentAttemptFailed PaymentGateway',
    'PaymentGiftCardRemoved Payer',
    'PaymentGiftCardAdded Payer',
    'PaymentAttemptStarted Payer',
    'PaymentAttemptFailed PaymentGateway',
    'PaymentAborted Payee',
  ]);
});

test('only what the order offers pays it, whatever form is sent', async () => {
  const card = await cardSeller(kontor).issue(300);
  const offers = [
    { instrument: 'CreditCard' },
    { restrictedToInstruments: ['CreditCard'] },
    { generateRecurrenceToken: true },
    { riskIndicator: { giftCardPurchase: true } },
  ];
  for (const members of offers) {
    const { id, payer } = await walk({ amount: 300, vatAmount: 0, ...members });
    expect([members, (await payer.add(card)).body.outcome]).toEqual([members, 'notusable']);
    expect(await historyOf(id)).not.toContain('PaymentGiftCardAdded Payer');
  }
  for (const members of [{ instrument: 'GiftCard' }, { restrictedToInstruments: ['GiftCard'] }]) {
    const { id, payer } = await walk({ amount: 400, vatAmount: 0, ...members });
    await payer.add(card);
    await payer.payByCard();
    expect((await orderOf(id)).status).toBe('Initialized');
    expect(await availableOn(card)).toBe(300);
  }
  const mandate = await shop.create({ instrument: 'GiftCard', generateUnscheduledToken: true });
  expect([mandate.status, mandate.body.problems[0].name]).toEqual([400, 'paymentorder.instrument']);
  const verify = await shop.create({ operation: 'Verify', instrument: 'CreditCard' });
  const set = await change(verify.body.paymentOrder.id, 'SetInstrument', { instrument: 'GiftCard' });
  expect([set.status, set.body.problems[0].name]).toEqual([403, 'SetInstrument']);
});

describe('an order that is no purchase by its payer', () => {
  test('of a Verify moves nothing, takes no gift card, and says that the card is verified', async () => {
    const { id, payer, made } = await walk({
      operation: 'Verify',
      amount: 700,
      generatePaymentToken: true,
      payer: { payerReference: 'dora' },
    });
    expect(made.body.paymentOrder).toMatchObject({ amount: 0, availableInstruments: ['CreditCard'] });
    expect(relsOf(made)).not.toContain('update-order');
    expect((await change(id, 'UpdateOrder', { amount: 100, vatAmount: 0 })).body.problems).toMatchObject([
      { name: 'UpdateOrder' },
    ]);
    const card = await cardSeller(kontor).issue(300);
    expect((await payer.add(card)).body.outcome).toBe('notusable');
    await payer.payByCard();
    const verified = await shop.get(id, { version: '3.1', expand: 'paid,financialtransactions,history' });
    const { paymentOrder } = verified.body;
    expect(paymentOrder).toMatchObject({
      status: 'Paid',
      paid: { transactionType: 'Verification', amount: 0, instrument: 'CreditCard', tokens: [{ type: 'payment' }] },
      financialTransactions: { financialTransactionsList: [] },
    });
    for (const name of ['remainingCaptureAmount', 'remainingCancellationAmount', 'remainingReversalAmount']) {
      expect(paymentOrder[name]).toBeUndefined();
    }
    expect(relsOf(verified).filter((rel) => /capture|cancel|reversal/.test(rel))).toEqual([]);
    for (const what of ['captures', 'cancellations', 'reversals'] as const) {
      expect((await follow(id, what, { amount: 1, vatAmount: 0 })).status).toBe(403);
    }
  });

  test('by an unscheduled token is paid at once and has no page; a decline is a problem, and the order has failed', async () => {
    const first = await walk({ generateUnscheduledToken: true, payer: { payerReference: 'emil' } });
    await first.payer.payByCard();
    const [{ token: unscheduledToken }] = (await orderOf(first.id, 'paid')).paid.tokens;
    const renewal = (amount: number, members: Members = {}) => ({
      operation: 'UnscheduledPurchase',
      unscheduledToken,
      amount,
      vatAmount: 0,
      urls: {},
      ...members,
    });
    const paid = await shop.create(renewal(500), { version: '3.1', expand: 'paid' });
    expect(paid.status, paid.text).toBe(200);
    expect(paid.body.paymentOrder).toMatchObject({
      status: 'Paid',
      paid: { amount: 500, details: { transactionInitiator: 'MERCHANT' } },
    });
    expect(relsOf(paid)).toEqual(['capture', 'cancel']);
    const sale = await shop.create(renewal(500, { intent: 'AutoCapture' }), { version: '3.1' });
    expect(sale.body.paymentOrder).toMatchObject({ status: 'Paid', remainingReversalAmount: 500 });
    const payeeInfo = { payeeReference: shop.reference() };
    const declined = await shop.create(renewal(DECLINED_AMOUNT, { payeeInfo }), { version: '3.1' });
    expect([declined.status, declined.body.type]).toEqual([403, expect.stringContaining('/errordetail/creditcard/')]);
    const at = declined.headers.get('location') ?? '';
    const failed = (await shop.get(at, { version: '3.1', expand: 'failed,failedattempts' })).body.paymentOrder;
    expect(failed).toMatchObject({ status: 'Failed', failed: { problem: { status: 403 } } });
    expect(failed.failedAttempts.failedAttemptList).toHaveLength(1);
    const again = await shop.create(renewal(DECLINED_AMOUNT, { payeeInfo }), { version: '3.1' });
    expect([again.status, again.body.type, again.headers.get('location')]).toEqual([403, declined.body.type, at]);
    const unknown = await shop.create(renewal(1, { unscheduledToken: '00000000-0000-4000-8000-000000000000' }));
    expect(unknown.status).toBe(404);
  });
});

test('callbacks come over a socket, signed: one for the order, in the form of the view that it was made in', async () => {
  const to = await startReceiver();
  onTestFinished(() => to.stop());
  const sandbox = readSandbox(kontor.config.dataDir);
  const urls = { completeUrl: 'https://shop.example/ok', callbackUrl: to.url };
  const card = await cardSeller(kontor).issue(400);
  const made = await shop.create(
    { amount: 1000, vatAmount: 0, urls, payeeInfo: { payeeReference: shop.reference(), orderReference: '1042' } },
    { version: '3.1' },
  );
  const { id } = made.body.paymentOrder;
  const payer = orderPayer(kontor, hrefOf(made, 'redirect-checkout'));
  await payer.open();
  await payer.add(card);
  await payer.payByCard({ number: VISA_WITH_3D_SECURE });
  await change(id, 'PaymentAttemptAborted', { abortReason: 'Slow' });
  await payer.open();
  await payer.payByCard();
  await follow(id, 'captures', { amount: 1000, vatAmount: 0 });
  await follow(id, 'reversals', { amount: 700, vatAmount: 0 });
  await until(() => to.taken.length === 4);
  const { financialTransactionsList } = (await orderOf(id, 'financialtransactions')).financialTransactions;
  const told = to.taken.map(({ body }) => JSON.parse(body));
  expect(told).toEqual(
    told.map(() => ({
      orderReference: '1042',
      paymentOrder: { id, instrument: 'CreditCard', number: expect.any(Number) },
    })),
  );
  expect(told.slice(1).map(({ paymentOrder }) => paymentOrder.number)).toEqual(
    financialTransactionsList.map(({ number }: { number: number }) => number),
  );
  for (const received of to.taken) expect(rightSignatures(received, sandbox.callbackSecret)).toBe(1);
  const older = await shop.create({ amount: 400, vatAmount: 0, urls }, { version: '2.0' });
  const second = orderPayer(kontor, hrefOf(older, 'redirect-paymentorder'));
  const [left] = [await cardSeller(kontor).issue(400)];
  await second.open();
  await second.add(left);
  await second.payByGiftCards();
  await until(() => to.taken.length === 5);
  const last = JSON.parse(to.taken.at(-1)?.body ?? '{}');
  expect(last).toEqual({
    paymentOrder: { id: older.body.paymentOrder.id, instrument: 'GiftCard' },
    payment: { id: expect.stringContaining('/psp/giftcard/payments/'), number: older.body.paymentOrder.number },
    transaction: { id: expect.stringContaining('/psp/giftcard/payments/'), number: expect.any(Number) },
  });
  for (const { id: path } of [last.payment, last.transaction])
    expect((await kontor.send('GET', path)).status).toBe(200);
});

test('the history names what followed by what came of it, also where an issuer has declined it', async () => {
  const { id, payer } = await walk({ amount: 1_000_000, vatAmount: 0 });
  await payer.payByCard();
  expect((await follow(id, 'captures', { amount: DECLINED_AMOUNT, vatAmount: 0 })).status).toBe(403);
  expect((await orderOf(id)).remainingCaptureAmount).toBe(1_000_000);
  await follow(id, 'captures', { amount: 1_000_000 - DECLINED_AMOUNT, vatAmount: 0 });
  expect((await follow(id, 'captures', { amount: DECLINED_AMOUNT, vatAmount: 0 })).status).toBe(403);
  await follow(id, 'captures', { amount: DECLINED_AMOUNT - 1, vatAmount: 0 });
  await follow(id, 'captures', { amount: 1, vatAmount: 0 });
  await follow(id, 'reversals', { amount: 100, vatAmount: 0 });
  expect((await historyOf(id)).slice(-6)).toEqual([
    'PaymentPartiallyCapturedFailed Payee',
    'PaymentPartiallyCaptured Payee',
    'PaymentCapturedFailed Payee',
    'PaymentPartiallyCaptured Payee',
    'PaymentCaptured Payee',
    'PaymentPartiallyReversed Payee',
  ]);
});
