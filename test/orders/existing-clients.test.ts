import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderPayer } from '../support/payer/order-payer.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { type CollectionVariant, collectionOrder, ITEMS, MEANS, type Means } from '../support/shop/existing-clients.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { hrefOf, type OrdersShop, ordersShop } from '../support/shop/orders-shop.ts';

/**
 * Requests as existing clients of such an API send them, byte for byte: members that we do not have, empty ones and nulls, either
 * spelling of the root, versions or none. Between making and capturing an order its page is paid.
 */

let kontor: TestService;
let shop: OrdersShop;
beforeAll(async () => {
  kontor = await testService();
  shop = ordersShop(kontor);
});
afterAll(() => kontor.stop());

const collection = (ref: string, variant?: CollectionVariant): string => collectionOrder(kontor.payeeId, ref, variant);

const create = (body: string, options = {}): Promise<Answer> => shop.send('POST', '/psp/paymentorders', body, options);

/** Pays an order on its page, as its payer does in between. */
async function pay(made: Answer, { giftCard }: Pick<Means, 'giftCard'>): Promise<void> {
  const payer = orderPayer(kontor, hrefOf(made, 'redirect-'));
  await payer.open();
  if (giftCard > 0) expect((await payer.add(await cardSeller(kontor).issue(giftCard))).body.outcome).toBe('ok');
  const paid = payer.isCovered() ? await payer.payByGiftCards() : await payer.payByCard();
  expect(paid.body.outcome).toBe('Go');
}

describe('A. a collection, in 2.0', () => {
  test('makes, reads, changes and aborts an order', async () => {
    const made = await create(collection(shop.reference()));
    expect(made.status, made.text).toBe(200);
    expect(made.headers.get('content-type')).toContain('version=2.0');
    const { id } = made.body.paymentOrder;
    for (const expand of [undefined, 'currentPayment', 'currentpayment/transactions/activities']) {
      expect((await shop.get(id, expand === undefined ? {} : { expand })).status).toBe(200);
    }
    for (const instrument of ['CreditCard', 'Invoice']) {
      const set = `{"paymentorder":{"operation":"SetInstrument","instrument":"${instrument}"}}`;
      expect((await shop.send('PATCH', id, set)).status).toBe(instrument === 'CreditCard' ? 403 : 400);
    }
    const abort = '{"paymentorder":{"operation":"Abort","abortReason":"CancelledByCustomer"}}';
    const aborted = await shop.send('PATCH', hrefOf(made, 'update-paymentorder-abort'), abort);
    expect(aborted.status, aborted.text).toBe(200);
    expect(aborted.body.paymentOrder.state).toBe('Aborted');
  });

  test.each<[string, CollectionVariant]>([
    ['a payer by a reference of elsewhere', { payer: `{"consumerProfileRef":"${'0a'.repeat(32)}"}` }],
    [
      'instrument mode and a token',
      {
        more: '"instrument":"CreditCard","generatePaymentToken":true,',
        payer: '{"payerReference":"5adc265f-f87f-4313-577e-08d3dca1a26c"}',
      },
    ],
    ['a Verify with amount and lines', { operation: 'Verify' }],
  ])('makes an order with %s', async (_, variant) => {
    const made = await create(collection(shop.reference(), variant));
    expect(made.status, made.text).toBe(200);
  });

  test('makes an order that a stored card is filled in for', async () => {
    const payer = '{"payerReference":"5adc265f-f87f-4313-577e-08d3dca1a26d"}';
    const first = await create(collection(shop.reference(), { more: '"generatePaymentToken":true,', payer }));
    await shop.pay(first);
    const { paymentToken } = (await shop.get(first.body.paymentOrder.id)).body.paymentOrder;
    expect(paymentToken).toEqual(expect.any(String));
    const made = await create(collection(shop.reference(), { more: `"PaymentToken":"${paymentToken}",`, payer }));
    expect(made.status, made.text).toBe(200);
    expect((await orderPayer(kontor, hrefOf(made, 'redirect-')).open()).text).toContain('•••• 0004');
  });

  test('changes the instrument of an order in instrument mode', async () => {
    const made = await create(collection(shop.reference(), { more: '"instrument":"CreditCard",' }));
    const set = '{"paymentorder":{"operation":"SetInstrument","instrument":"CreditCard"}}';
    const { status, text } = await shop.send('PATCH', hrefOf(made, 'update-paymentorder-setinstrument'), set);
    expect(status, text).toBe(200);
  });

  test.each(MEANS)(
    'captures, gives back and cancels what $by paid, the first with the reference of the order',
    async ({ lead, ...means }) => {
      const ref = shop.reference();
      const made = await create(collection(ref));
      await pay(made, means);
      const framed = await orderPayer(kontor, hrefOf(made, 'redirect-')).page.open({ below: '/frame' });
      const told = lead === 'creditcard' ? 'CreditCard' : 'GiftCard';
      expect(framed.text, 'what its view tells').toContain(`&quot;paidBy&quot;:&quot;${told}&quot;`);
      const paid = await shop.get(made.body.paymentOrder.id);
      const capture = `{"transaction":{"amount":10000,"vatAmount":0,"bonusAmount":0,"payeeReference":"${ref}","description":"description for transaction","orderItems":${ITEMS}}}`;
      const captured = await shop.send('POST', hrefOf(paid, 'create-paymentorder-capture'), capture);
      expect(captured.status, captured.text).toBe(200);
      expect(captured.body).toMatchObject({
        payment: expect.stringContaining(`/psp/${lead}/payments/`),
        capture: { transaction: { amount: 10_000, state: 'Completed', type: 'Capture', isOperational: false } },
      });
      const reversal = `{"transaction":{"amount":5000,"vatAmount":0,"bonusAmount":0,"payeeReference":"${shop.reference()}","description":"back","orderItems":${ITEMS}}}`;
      const now = await shop.get(made.body.paymentOrder.id);
      const reversed = await shop.send('POST', hrefOf(now, 'create-paymentorder-reversal'), reversal);
      expect(reversed.status, reversed.text).toBe(200);

      const other = await create(collection(shop.reference()));
      await pay(other, means);
      const cancel = `{"transaction":{"description":"Test Cancellation","payeeReference":"${shop.reference()}"}}`;
      const toCancel = await shop.get(other.body.paymentOrder.id);
      const cancelled = await shop.send('POST', hrefOf(toCancel, 'create-paymentorder-cancel'), cancel);
      expect(cancelled.status, cancelled.text).toBe(200);
    },
  );
});

describe('B. a probe of a credential', () => {
  const probe = () => `{"paymentorder":{"operation":"Purchase","payeeInfo":{"payeeId":"${kontor.payeeId}"}}}`;

  test('is refused for its form', async () => {
    const answer = await create(probe());
    expect([answer.status, answer.body.type]).toEqual([400, expect.stringMatching(/\/inputerror$/)]);
  });

  test('is refused for its bearer first', async () => {
    const answer = await create(probe(), { headers: { authorization: `Bearer kt_test_${'0'.repeat(80)}` } });
    expect(answer.status).toBe(401);
  });
});

test.each(MEANS)('C. a plug-in of 3.0 that names no version is answered in 3.0, paid with $by', async (means) => {
  const more = '"productName":"Checkout3","implementation":null,"metadata":{"order_id":7},';
  const items = ITEMS.replaceAll('"vatAmount":0}', '"vatAmount":0,"restrictedToInstruments":null}');
  const made = await create(collection(shop.reference(), { more, items }));
  expect(made.status, made.text).toBe(200);
  const { id } = made.body.paymentOrder;
  const read = await shop.get(id);
  const update = `{"paymentorder":{"operation":"UpdateOrder","amount":10000,"vatAmount":0,"orderItems":${items}}}`;
  const updated = await shop.send('PATCH', hrefOf(read, 'update-order'), update);
  await pay(made, means);
  const body = `{"transaction":{"amount":10000,"vatAmount":0,"payeeReference":"${shop.reference()}","description":"all"}}`;
  const captured = await shop.send('POST', hrefOf(await shop.get(id), 'capture'), body);
  for (const answer of [made, read, updated, captured]) {
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toContain('version=3.0');
  }
  expect(captured.body.capture.transaction.state).toBe('Completed');
});

test.each(MEANS)(
  'D. a shop of 3.1, with the version on each request and nulls anywhere, paid with $by',
  async (means) => {
    const headers = {
      'content-type': 'application/json;version=3.1; charset=utf-8',
      forwarded: 'for=10.0.0.1; proto=https',
    };
    const payer =
      '{"payerReference":"5adc265f-f87f-4313-577e-08d3dca1a26c","firstName":"A","lastName":"B","email":"a@shop.example","msisdn":"+4745612345","countryCode":"NO","digitalProducts":true}';
    const more = '"productName":"Checkout3","implementation":"PaymentsOnly","instrument":null,"paymentToken":null,';
    const made = await create(collection(shop.reference(), { more, payer }), { headers });
    expect(made.status, made.text).toBe(200);
    const { id } = made.body.paymentOrder;
    expect(
      (await shop.send('GET', hrefOf(made, 'view-paymentsession'), undefined, { headers })).body.paymentSession,
    ).toEqual({
      id,
      status: 'Initialized',
      culture: 'nb-NO',
    });
    const lines = ITEMS.replaceAll('5000', '4500');
    const update = `{"paymentorder":{"operation":"UpdateOrder","amount":9000,"vatAmount":0,"orderItems":${lines},"payeeInfo":{"payeeId":"${kontor.payeeId}","payeeReference":"other","orderReference":"1042"}}}`;
    const updated = await shop.send('PATCH', hrefOf(made, 'update-order'), update, { headers });
    expect([updated.status, updated.body.paymentOrder?.amount], updated.text).toEqual([200, 9000]);
    await pay(made, means);
    for (const part of ['paid', 'financialtransactions']) {
      expect((await shop.send('GET', `${id}/${part}`, undefined, { headers })).status).toBe(200);
    }
    const cancel = `{"transaction":{"amount":9000,"vatAmount":0,"description":"Cancel Order #7","payeeReference":"${shop.reference()}","orderItems":${lines}}}`;
    const paid = await shop.get(id, { version: '3.1' });
    const cancelled = await shop.send('POST', `${hrefOf(paid, 'cancel')}?$expand=financialtransactions,paid`, cancel, {
      headers,
    });
    expect(cancelled.status, cancelled.text).toBe(200);
    expect(cancelled.body.paymentOrder).toMatchObject({
      status: 'Cancelled',
      financialTransactions: {
        financialTransactionsList: [{ type: 'Authorization' }, { type: 'Cancellation', amount: 9000 }],
      },
      paid: { amount: 9000, tokens: [] },
    });
  },
);

describe('E. a typed client of 3.1 that asks for every part on each call', () => {
  const options = {
    accepted: '3.1',
    expand:
      'orderitems,urls,payeeinfo,payer,history,failed,aborted,paid,cancelled,financialtransactions,failedattempts,postpurchasefailedattempts,reversed,metadata',
  };
  const names = options.expand.split(',');
  /** The parts of an answer that are more than links. */
  const whole = (answer: Answer) => {
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toContain('version=3.1');
    const parts = Object.entries(answer.body.paymentOrder).filter(([name]) => names.includes(name.toLowerCase()));
    expect(parts.map(([name]) => name.toLowerCase()).toSorted()).toEqual(names.toSorted());
    return parts.filter(([, part]) => Object.keys(part as object).length > 1).map(([name]) => name);
  };
  const ALWAYS = ['orderItems', 'history', 'financialTransactions', 'payeeInfo'];
  const follow = (answer: Answer, rel: string, amount: number) => {
    const transaction = { amount, vatAmount: 0, description: rel, payeeReference: shop.reference() };
    return shop.send('POST', hrefOf(answer, rel), { transaction }, options);
  };

  test('makes, reads, changes and aborts an order', async () => {
    const made = await shop.create({}, options);
    expect(whole(made)).toEqual(expect.arrayContaining(ALWAYS));
    const { id } = made.body.paymentOrder;
    expect(whole(await shop.get(id, options))).toEqual(whole(made));
    const update = { operation: 'UpdateOrder', amount: 9_000, vatAmount: 0 };
    const updated = await shop.send('PATCH', hrefOf(made, 'update-order'), { paymentorder: update }, options);
    expect(whole(updated)).toEqual(expect.arrayContaining(ALWAYS));
    const abort = { operation: 'Abort', abortReason: 'NoMore' };
    const aborted = await shop.send('PATCH', hrefOf(updated, 'abort'), { paymentorder: abort }, options);
    expect(whole(aborted)).toEqual(expect.arrayContaining([...ALWAYS, 'aborted']));
    expect(aborted.body.paymentOrder.aborted).toMatchObject({ abortReason: 'NoMore' });
  });

  test.each(MEANS)('captures, cancels and gives back what $by paid', async (means) => {
    const made = await shop.create({}, options);
    await pay(made, means);
    const paid = await shop.get(made.body.paymentOrder.id, options);
    expect(whole(paid)).toEqual(expect.arrayContaining([...ALWAYS, 'paid']));
    const captured = await follow(paid, 'capture', 6_000);
    expect(whole(captured)).toEqual(expect.arrayContaining([...ALWAYS, 'paid']));
    const cancelled = await follow(captured, 'cancel', 4_000);
    const reversed = await follow(cancelled, 'reversal', 6_000);
    expect(whole(reversed)).toEqual(expect.arrayContaining([...ALWAYS, 'paid', 'reversed']));
    const { status, financialTransactions } = reversed.body.paymentOrder;
    const list = financialTransactions.financialTransactionsList as readonly { type: string; amount: number }[];
    expect([status, ...list.map(({ type, amount }) => `${type} ${amount}`)]).toEqual([
      'Reversed',
      'Authorization 10000',
      'Capture 6000',
      'Cancellation 4000',
      'Reversal 6000',
    ]);
  });
});
