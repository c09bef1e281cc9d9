import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textsIn } from '../../src/payments/page/page-language.http.ts';
import { type OrderWalks, orderWalks } from '../support/payer/order-walks.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { type ListedOperation, relsOf } from '../support/shop/orders-shop.ts';

// What an order lists and what its parts say in each situation that it can be in, in each view: written out.

/** The sandbox's acquirer declines this amount. */
const DECLINED = 900_351;
const VERSIONS = ['2.0', '3.0', '3.1'] as const;
type Version = (typeof VERSIONS)[number];

let kontor: TestService;
let walks: OrderWalks;
beforeAll(async () => {
  kontor = await testService();
  walks = orderWalks(kontor);
});
afterAll(() => kontor.stop());

const urls = { completeUrl: 'https://shop.example/ok', hostUrls: ['https://shop.example'] };

/** An order that a gift card pays 4 000 of, and a card the rest. */
async function paid(): Promise<string> {
  const { id, payer } = await walks.walk({ urls });
  await payer.add(await cardSeller(kontor).issue(4_000));
  expect((await payer.payByCard()).body.outcome).toBe('Go');
  return id;
}

async function following(...steps: readonly (readonly ['captures' | 'cancellations' | 'reversals', number])[]) {
  const id = await paid();
  for (const [what, amount] of steps) {
    const members = what === 'cancellations' ? {} : { amount, vatAmount: 0 };
    expect((await walks.follow(id, what, members)).status).toBe(200);
  }
  return id;
}

/** How an order comes into a situation, what it lists then, and its status and state. */
interface Situation {
  readonly bring: () => Promise<string>;
  readonly rels: Readonly<Record<Version, readonly string[]>>;
  readonly is: readonly [status: string, state: string];
}

const same = (older: readonly string[], newer: readonly string[]) => ({ '2.0': older, '3.0': newer, '3.1': newer });
const PAGE = ['redirect-paymentorder', 'view-paymentorder'];
const NEWER_PAGE = ['redirect-checkout', 'view-checkout'];
const follows = (...what: readonly ('capture' | 'cancel' | 'reversal')[]) =>
  same([...what.map((one) => `create-paymentorder-${one}`), 'paid-paymentorder'], what);
const unpaid = (older: readonly string[], newer: readonly string[]) => ({
  ...same(older, newer),
  '3.1': [...newer, 'view-paymentsession'],
});

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'with a declined try': {
    bring: async () => {
      const { id, payer } = await walks.walk({ urls, amount: DECLINED, vatAmount: 0 });
      expect((await payer.payByCard()).body.outcome).toBe('Declined');
      return id;
    },
    rels: unpaid(
      ['update-paymentorder-updateorder', 'update-paymentorder-abort', ...PAGE, 'update-paymentorder-expandinstrument'],
      ['update-order', 'abort', ...NEWER_PAGE, 'expand-instrument'],
    ),
    is: ['Initialized', 'Ready'],
  },
  'whose payer authenticates': {
    bring: async () => {
      const { id, payer } = await walks.walk({ urls });
      await payer.payByCard({ number: VISA_WITH_3D_SECURE });
      return id;
    },
    rels: unpaid(
      ['update-paymentorder-updateorder', 'update-paymentorder-abort', ...PAGE, 'update-paymentorder-expandinstrument'],
      ['update-order', 'abort', 'abort-paymentattempt', ...NEWER_PAGE, 'expand-instrument'],
    ),
    is: ['Initialized', 'Ready'],
  },
  'in instrument mode': {
    bring: async () => (await walks.walk({ urls, instrument: 'GiftCard' })).id,
    rels: unpaid(
      ['update-paymentorder-updateorder', 'update-paymentorder-abort', ...PAGE, 'update-paymentorder-setinstrument'],
      ['update-order', 'abort', ...NEWER_PAGE, 'set-instrument'],
    ),
    is: ['Initialized', 'Ready'],
  },
  'of a Verify': {
    bring: async () => (await walks.walk({ urls, operation: 'Verify' })).id,
    rels: unpaid(
      ['update-paymentorder-abort', ...PAGE, 'update-paymentorder-expandinstrument'],
      ['abort', ...NEWER_PAGE, 'expand-instrument'],
    ),
    is: ['Initialized', 'Ready'],
  },
  'whose outcome is unknown': {
    bring: async () => {
      const { id } = await walks.walk({ urls });
      const orderId = id.split('/').at(-1);
      await kontor.database.asAdmin(`
        update payment_order set unsettled = 1 where order_id = '${orderId}';
        update card_payment set unsettled = 1 where order_id = '${orderId}'`);
      return id;
    },
    rels: same(PAGE, NEWER_PAGE),
    is: ['Initialized', 'Pending'],
  },
  'that failed': {
    bring: async () => {
      const { id, payer } = await walks.walk({ urls, amount: DECLINED, vatAmount: 0 });
      for (const _try of [1, 2, 3]) {
        await payer.open();
        await payer.payByCard();
      }
      return id;
    },
    rels: same([...PAGE, 'failed-paymentorder'], NEWER_PAGE),
    is: ['Failed', 'Failed'],
  },
  'that was aborted': {
    bring: async () => {
      const { id } = await walks.walk({ urls });
      await walks.change(id, 'Abort', { abortReason: 'SoldOut' });
      return id;
    },
    rels: same([...PAGE, 'aborted-paymentorder'], NEWER_PAGE),
    is: ['Aborted', 'Aborted'],
  },
  'that is paid': { bring: paid, rels: follows('capture', 'cancel'), is: ['Paid', 'Ready'] },
  'that is captured in part': {
    bring: () => following(['captures', 5_000]),
    rels: follows('capture', 'cancel', 'reversal'),
    is: ['Paid', 'Ready'],
  },
  'that is captured': {
    bring: () => following(['captures', 10_000]),
    rels: follows('reversal'),
    is: ['Paid', 'Ready'],
  },
  'that is cancelled': {
    bring: () => following(['cancellations', 0]),
    rels: follows(),
    is: ['Cancelled', 'Ready'],
  },
  'that is given back': {
    bring: () => following(['captures', 10_000], ['reversals', 10_000]),
    rels: follows(),
    is: ['Reversed', 'Ready'],
  },
};

/** What can be asked of an order by its rel in 3.1, and what a refusal is named. */
const ASKED: Readonly<Record<string, readonly [refusal: string, ask: (id: string) => Promise<Answer>]>> = {
  'update-order': ['UpdateOrder', (id) => walks.change(id, 'UpdateOrder', { amount: 7, vatAmount: 0 })],
  abort: ['Abort', (id) => walks.change(id, 'Abort', { abortReason: 'NoMore' })],
  'abort-paymentattempt': [
    'AbortPaymentAttempt',
    (id) => walks.change(id, 'PaymentAttemptAborted', { abortReason: 'Slow' }),
  ],
  'set-instrument': ['SetInstrument', (id) => walks.change(id, 'SetInstrument', { instrument: 'CreditCard' })],
  'expand-instrument': ['ExpandInstrument', (id) => walks.change(id, 'ExpandInstrument', { instrument: 'CreditCard' })],
  capture: ['Capture', (id) => walks.follow(id, 'captures', { amount: 1, vatAmount: 0 })],
  cancel: ['Cancellation', (id) => walks.follow(id, 'cancellations')],
  reversal: ['Reversal', (id) => walks.follow(id, 'reversals', { amount: 1, vatAmount: 0 })],
};

describe.each(Object.entries(SITUATIONS))('an order %s', (name, { bring, rels, is }) => {
  test('lists what can be done, in each view, and refuses all else by its name', async () => {
    const id = await bring();
    for (const version of VERSIONS) {
      const answer = await walks.shop.get(id, { version });
      const { status, state } = answer.body.paymentOrder;
      expect([version, relsOf(answer)]).toEqual([version, rels[version]]);
      expect([version, version === '2.0' ? state : status]).toEqual([version, version === '2.0' ? is[1] : is[0]]);
    }
    // Twice is as once.
    const isAnswered = (rel: string) => rels['3.1'].includes(rel) || (rel === 'abort' && name === 'that was aborted');
    for (const [rel, [refusal, ask]] of Object.entries(ASKED).filter(([one]) => !isAnswered(one))) {
      const { status, body } = await ask(id);
      expect([rel, status, body.problems?.[0]?.name]).toEqual([rel, 403, refusal]);
    }
  });
});

test('what pays a part of an order is changed by the order alone', async () => {
  const { legs } = await walks.orderOf(await paid());
  const transaction = { amount: 1, vatAmount: 0, description: 'A part', payeeReference: walks.shop.reference() };
  for (const { instrument, payment } of legs) {
    const read = await walks.shop.get(payment.id);
    const changing = (read.body.operations as readonly ListedOperation[]).filter(({ method }) => method !== 'GET');
    expect([instrument, read.status, changing]).toEqual([instrument, 200, []]);
  }
  const card = legs.find(({ instrument }: { readonly instrument: string }) => instrument === 'CreditCard');
  for (const what of ['captures', 'cancellations', 'reversals']) {
    const { status, body } = await walks.shop.send('POST', `${card.payment.id}/${what}`, { transaction });
    expect([what, status, body.problems[0].name]).toEqual([what, 403, 'PaymentOrder']);
  }
});

test('a change that the payee asks for ends the try of a payer who is at the bank', async () => {
  for (const [operation, members, status] of [
    ['UpdateOrder', { amount: 9_000, vatAmount: 0 }, 'Initialized'],
    ['Abort', { abortReason: 'SoldOut' }, 'Aborted'],
  ] as const) {
    const { id, payer } = await walks.walk();
    await payer.payByCard({ number: VISA_WITH_3D_SECURE });
    expect((await walks.change(id, operation, members)).status).toBe(200);
    const order = await walks.orderOf(id, 'failedattempts');
    expect([operation, order.status]).toEqual([operation, status]);
    expect(order.failedAttempts.failedAttemptList).toMatchObject([{ status: 'Aborted', problem: { status: 403 } }]);
  }
});

test('the page says why it takes no gift card: it is for other things, or there are as many as may be', async () => {
  const seller = cardSeller(kontor);
  const texts = textsIn('nb-NO');
  const tea = await seller.issue(300);
  await kontor.database.asAdmin(
    `update account set allowed_product_ids = '{tea}' where account_id = '${tea.paymentAccountId}'`,
  );
  const { id, payer } = await walks.walk();
  const refused = await payer.add(tea);
  expect(refused.body).toMatchObject({ outcome: 'notallowed', errors: { giftNumber: texts.giftNotAllowed } });
  for (let added = 0; added < 3; added++) {
    expect((await payer.add(await seller.issue(100))).body).toMatchObject({
      outcome: 'ok',
      menu: { takesMore: added < 2 },
    });
  }
  const fourth = await payer.add(await seller.issue(100));
  expect(fourth.body).toMatchObject({ outcome: 'toomany', message: texts.giftTooMany, menu: { takesMore: false } });
  expect((await payer.open()).text).toMatch(/<form id="gift"[^>]* hidden>/);
  expect((await walks.historyOf(id)).filter((name) => name === 'PaymentGiftCardAdded Payer')).toHaveLength(3);
});

test('an order with a token that was archived is refused as such, and with one that there is not as not found', async () => {
  const payer = { payerReference: 'frida' };
  const first = await walks.walk({ generateUnscheduledToken: true, payer });
  await first.payer.payByCard();
  const [{ token }] = (await walks.orderOf(first.id, 'paid')).paid.tokens;
  const renewal = (unscheduledToken: string) =>
    walks.shop.create({ operation: 'UnscheduledPurchase', unscheduledToken, amount: 500, vatAmount: 0, urls: {} });
  await kontor.send('PATCH', `/online/payer/payees/${kontor.payeeId}/tokens/${token}/archives`, {
    body: { reason: 'No longer wanted', updatedBy: 'PAYEE' },
  });
  const archived = await renewal(token);
  expect([archived.status, archived.body.type]).toEqual([422, expect.stringMatching(/paymenttokeninactive$/)]);
  expect((await renewal('00000000-0000-4000-8000-000000000000')).status).toBe(404);
});

test('the parts of an order that was captured, cancelled and given back tell all of it', async () => {
  const id = await following(['captures', 6_000], ['cancellations', 0], ['reversals', 5_000]);
  const order = await walks.orderOf(id, 'paid,cancelled,reversed,financialtransactions,failed,aborted,failedattempts');
  const told = { instrument: 'CreditCard', submittedAmount: expect.any(Number), feeAmount: 0, discountAmount: 0 };
  const list = order.financialTransactions.financialTransactionsList;
  expect(list.map(({ type, amount }: Record<string, unknown>) => [type, amount])).toEqual([
    ['Authorization', 10_000],
    ['Capture', 6_000],
    ['Cancellation', 4_000],
    ['Reversal', 5_000],
  ]);
  const [authorization, , cancellation, reversal] = list;
  expect(order.paid).toMatchObject({
    ...told,
    number: authorization.number,
    transactionType: 'Authorization',
    amount: 10_000,
    tokens: [],
    paymentTokenGenerated: false,
    details: { transactionInitiator: 'CARDHOLDER', bin: '492500' },
    legs: [
      { instrument: 'GiftCard', paymentInstrumentType: 'giftcard', amount: 4_000, capturedAmount: 4_000 },
      { instrument: 'CreditCard', paymentInstrumentType: 'creditcard', amount: 6_000, capturedAmount: 2_000 },
    ],
  });
  expect(order.cancelled).toMatchObject({ number: cancellation.number, amount: 4_000, cancelReason: '' });
  expect(order.reversed).toMatchObject({ number: reversal.number, amount: 5_000 });
  for (const { id: at, amount, orderItems } of list) {
    expect((await walks.shop.get(at, { version: '3.1' })).body).toMatchObject({
      paymentOrder: id,
      financialTransaction: { id: at, amount },
    });
    expect((await walks.shop.get(orderItems.id, { version: '3.1' })).status).toBe(200);
  }
  expect([Object.keys(order.failed), Object.keys(order.aborted)]).toEqual([['id'], ['id']]);
  const older = await walks.shop.get(id, { version: '2.0', expand: 'payments,currentpayment' });
  expect(older.body.paymentOrder).toMatchObject({
    payments: { paymentList: [{ instrument: 'GiftCard' }, { instrument: 'CreditCard' }] },
    currentPayment: { menuElementName: 'creditcard' },
  });
});

test('what failed after paying is told of, and a try that was declined before', async () => {
  const { id, payer } = await walks.walk({ amount: 1_000_000, vatAmount: 0 });
  expect((await payer.payByCard()).body.outcome).toBe('Go');
  expect((await walks.follow(id, 'captures', { amount: DECLINED, vatAmount: 0 })).status).toBe(403);
  const after = await walks.orderOf(id, 'postpurchasefailedattempts');
  expect(after.postPurchaseFailedAttempts.postpurchaseFailedAttemptList).toMatchObject([
    { type: 'Capture', status: 'Failed', problem: { status: 403 } },
  ]);
  // By its other name too.
  expect((await walks.shop.get(`${id}/failedpostpurchaseattempts`, { version: '3.1' })).status).toBe(200);
});
