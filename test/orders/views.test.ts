import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type TestService, testService } from '../support/service.ts';
import {
  hrefOf,
  type ListedOperation,
  type OrdersShop,
  orderBody,
  ordersShop,
  relsOf,
  type SendAs,
} from '../support/shop/orders-shop.ts';

let kontor: TestService;
let shop: OrdersShop;
beforeAll(async () => {
  kontor = await testService();
  shop = ordersShop(kontor);
});
afterAll(() => kontor.stop());

const VERSIONS = ['2.0', '3.0', '3.1'] as const;
type Version = (typeof VERSIONS)[number];

/** The members of a fresh order in each view, written out: what the service derives from its own table is held to this. */
const OWN = [
  'id',
  'number',
  'created',
  'updated',
  'operation',
  'currency',
  'amount',
  'vatAmount',
  'description',
  'initiatingSystemUserAgent',
  'language',
  'availableInstruments',
  'implementation',
  'instrumentMode',
  'guestMode',
];
const LINKS = [
  'orderItems',
  'urls',
  'payeeInfo',
  'payer',
  'history',
  'failed',
  'aborted',
  'paid',
  'cancelled',
  'financialTransactions',
  'failedAttempts',
  'metadata',
];
const FRESH: Readonly<Record<Version, readonly string[]>> = {
  '2.0': [...OWN, 'state', 'userAgent', 'items', ...LINKS, 'payments', 'currentPayment'],
  '3.0': [...OWN, 'status', ...LINKS],
  '3.1': [...OWN, 'status', ...LINKS, 'reversed', 'postPurchaseFailedAttempts'],
};
/** Where the parts are. */
const PATHS: Readonly<Record<string, string>> = { payer: 'payers' };

/** The rels of a fresh order that may be framed. */
const RELS: Readonly<Record<Version, readonly string[]>> = {
  '2.0': [
    'update-paymentorder-updateorder',
    'update-paymentorder-abort',
    'redirect-paymentorder',
    'view-paymentorder',
    'update-paymentorder-expandinstrument',
  ],
  '3.0': ['update-order', 'abort', 'redirect-checkout', 'view-checkout', 'expand-instrument'],
  '3.1': ['update-order', 'abort', 'redirect-checkout', 'view-checkout', 'expand-instrument', 'view-paymentsession'],
};

const FRAMED = {
  userAgent: 'Mozilla/5.0',
  urls: { completeUrl: 'https://shop.example/ok', hostUrls: ['https://shop.example'] },
};

describe.each(VERSIONS)('the view %s', (version) => {
  let made: Answer;
  beforeAll(async () => {
    made = await shop.create(FRAMED, { version });
  });

  test('has its members and no others, when it is made and when it is read', async () => {
    const read = await shop.get(made.body.paymentOrder.id, { version });
    for (const answer of [made, read]) {
      expect(answer.status, answer.text).toBe(200);
      expect(Object.keys(answer.body.paymentOrder).sort()).toEqual([...FRESH[version]].sort());
      expect(answer.headers.get('content-type')).toBe(`application/json; charset=utf-8; version=${version}`);
    }
  });

  test('links to its parts by id, and each can be read before there is anything to tell', async () => {
    const { id, ...members } = made.body.paymentOrder;
    const links = FRESH[version].filter((name) => !OWN.includes(name) && typeof members[name]?.id === 'string');
    expect(links.length).toBeGreaterThanOrEqual(LINKS.length);
    for (const name of links) {
      expect(members[name]).toEqual({ id: `${id}/${PATHS[name] ?? name.toLowerCase()}` });
      const part = await shop.get(members[name].id, { version });
      expect([name, part.status, part.body.paymentOrder]).toEqual([name, 200, id]);
    }
  });

  test('lists its operations, each once, with hrefs that take a query', async () => {
    expect(relsOf(made)).toEqual(RELS[version]);
    for (const { method, href } of made.body.operations as readonly ListedOperation[]) {
      if (method !== 'GET') expect(href).not.toContain('?');
    }
  });

  test('can be asked for all of its parts at once', async () => {
    const names = [...LINKS, 'reversed', 'postpurchasefailedattempts', 'payments', 'CURRENTPAYMENT/transactions'];
    const { paymentOrder } = (await shop.get(made.body.paymentOrder.id, { version, expand: names.join(',') })).body;
    expect(Object.keys(paymentOrder).sort()).toEqual([...FRESH[version]].sort());
    expect(paymentOrder).toMatchObject({
      orderItems: { orderItemList: [] },
      urls: { completeUrl: 'https://shop.example/ok' },
      history: { historyList: [{ name: 'PaymentCreated', initiatedBy: 'Payee' }] },
      financialTransactions: { financialTransactionsList: [] },
      failedAttempts: { failedAttemptList: [] },
    });
    expect(Object.keys(paymentOrder.paid)).toEqual(['id']);
  });
});

describe('the version of an answer', () => {
  test.each<{ readonly of: string; readonly as: SendAs; readonly members?: object; readonly served: Version }>([
    { of: 'Content-Type', as: { version: '3.1' }, served: '3.1' },
    { of: 'Content-Type before that of Accept', as: { version: '2.0', accepted: '3.1' }, served: '2.0' },
    { of: 'Accept', as: { accepted: '3.1' }, served: '3.1' },
    { of: 'the API of old where none is named', as: {}, served: '2.0' },
    { of: 'a plug-in of 3.0 that names none', as: {}, members: { productName: 'Checkout3' }, served: '3.0' },
  ])('is that of $of', async ({ as, members = {}, served }) => {
    const made = await shop.create({ ...members }, as);
    expect(made.headers.get('content-type')).toContain(`version=${served}`);
    // Later requests that name none get the view that it was made in.
    const read = await shop.get(made.body.paymentOrder.id);
    expect(read.headers.get('content-type')).toContain(`version=${served}`);
    const other = await shop.get(made.body.paymentOrder.id, { version: '3.1' });
    expect(other.body.paymentOrder.status).toBe('Initialized');
  });
});

describe('instrument mode', () => {
  test('has one means of payment, and can be given another', async () => {
    const made = await shop.create({ instrument: 'creditcard' }, { version: '2.0' });
    expect(made.body.paymentOrder).toMatchObject({
      instrument: 'CreditCard',
      instrumentMode: true,
      availableInstruments: ['CreditCard'],
    });
    const href = hrefOf(made, 'update-paymentorder-setinstrument');
    const set = await shop.send('PATCH', href, {
      paymentorder: { operation: 'SetInstrument', instrument: 'GiftCard' },
    });
    expect(set.status, set.text).toBe(200);
    expect(set.body.paymentOrder.instrument).toBe('GiftCard');
    const expanding = { paymentorder: { operation: 'ExpandInstrument', instrument: 'GiftCard' } };
    const expanded = await shop.send('PATCH', href, expanding);
    expect([expanded.status, expanded.body.problems[0].name]).toEqual([403, 'ExpandInstrument']);
    const { historyList } = (await shop.get(`${made.body.paymentOrder.id}/history`)).body.history;
    expect(historyList.map(({ name }: { name: string }) => name)).toEqual(['PaymentCreated', 'PaymentInstrumentSet']);
  });

  test('is not what an order with a menu has, whose menu opens what it is told', async () => {
    const made = await shop.create();
    const { id } = made.body.paymentOrder;
    const change = (operation: string, instrument: string) =>
      shop.send('PATCH', id, { paymentorder: { operation, instrument } });
    const set = await change('SetInstrument', 'CreditCard');
    expect([set.status, set.body.problems[0].name]).toEqual([403, 'SetInstrument']);
    expect((await change('ExpandInstrument', 'giftcard')).status).toBe(200);
    expect((await change('ExpandInstrument', 'Swish')).status).toBe(400);
    const only = await shop.create({ restrictedToInstruments: ['CreditCard'] });
    const other = await shop.send('PATCH', only.body.paymentOrder.id, {
      paymentorder: { operation: 'ExpandInstrument', instrument: 'GiftCard' },
    });
    expect(other.status).toBe(403);
  });
});

describe('a repeated order', () => {
  test('is answered as it stands now, and says so', async () => {
    const members = { payeeInfo: { payeeReference: shop.reference() }, payer: { payerReference: 'anna' } };
    const made = await shop.create(members);
    const again = await shop.create({ ...members, userAgent: 'another' });
    expect(again.body.paymentOrder.id).toBe(made.body.paymentOrder.id);
    expect([made, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(again.headers.get('location')).toBe(`${kontor.baseUrl}${made.body.paymentOrder.id}`);
    const other = await shop.create({ ...members, amount: 9999, vatAmount: 0 });
    expect([other.status, other.body.type]).toEqual([422, expect.stringMatching(/\/referencereused$/)]);
  });

  test('that is sent while the first is under way is answered with the same order', async () => {
    const members = { payeeInfo: { payeeReference: shop.reference() } };
    const answers = await Promise.all(Array.from({ length: 5 }, () => shop.create(members)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.paymentOrder.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(4);
  });

  test('may be one by its key', async () => {
    const body = { paymentOrder: orderBody(shop.reference()) };
    const headers = { 'idempotency-key': 'a-key-of-an-order' };
    const [one, two] = [
      await shop.send('POST', '/psp/paymentorders', body, { headers }),
      await shop.send('POST', '/psp/paymentorders', body, { headers }),
    ];
    expect(two.body.paymentOrder.id).toBe(one.body.paymentOrder.id);
    expect(two.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('who pays', () => {
  const payer = {
    payerReference: 'bodil',
    firstName: 'Bodil',
    lastName: 'Vik',
    email: 'bodil@shop.example',
    msisdn: '+47 45 61 23 45',
  };

  test('is kept sealed, and shown where it is asked for', async () => {
    const made = await shop.create({ payer: { ...payer, billingAddress: { city: 'Oslo', countryCode: 'no' } } });
    const { id } = made.body.paymentOrder;
    expect((await shop.get(`${id}/payers`)).body.payer).toEqual({
      id: `${id}/payers`,
      reference: 'bodil',
      name: 'Bodil Vik',
      email: 'bodil@shop.example',
      msisdn: '+4745612345',
      billingAddress: { city: 'Oslo', countryCode: 'NO' },
    });
    const orderId = id.split('/').at(-1);
    const rows = await kontor.database.asAdmin(
      `select to_jsonb(p)::text || encode(p.sealed, 'escape') as text from order_payer p where order_id = '${orderId}'
       union all select to_jsonb(o)::text from payment_order o where order_id = '${orderId}'
       union all select to_jsonb(c)::text from card_payment c where order_id = '${orderId}'`,
    );
    expect(rows).toHaveLength(3);
    for (const { text } of rows) expect(text).not.toMatch(/Bodil|45612345/);
  });
});

test('what an order cannot be is said with the name of its member', async () => {
  const lines = Array.from({ length: 501 }, () => ({}));
  for (const [members, name] of [
    [{ urls: {} }, 'paymentorder.urls.completeUrl'],
    [{ amount: 'ten' }, 'paymentorder.amount'],
    [{ payeeInfo: {} }, 'paymentorder.payeeInfo.payeeReference'],
    [{ orderItems: lines }, 'paymentorder.orderItems'],
  ] as const) {
    const answer = await shop.create(members);
    expect([answer.status, answer.body.problems?.[0]?.name]).toEqual([400, name]);
  }
});

test('gift cards are on the menu from the first product on, before there is any card', async () => {
  const offered = async () => (await shop.create({ currency: 'DKK' })).body.paymentOrder.availableInstruments;
  expect(await offered()).toEqual(['CreditCard']);
  const add = `insert into gift_card_product (payee_id, product_id, name, currency, number_prefix, number_length,
    validity_months, smallest_amount, largest_amount, largest_balance) values ('${kontor.payeeId}', 'kroner', 'Kroner', 'DKK',
    '60001234', 19, 36, 1, 100000, 100000)`;
  await kontor.database.asAdmin(add);
  expect(await offered()).toEqual(['CreditCard', 'GiftCard']);
  await kontor.database.asAdmin(`update gift_card_product set retired_at = kontor_now() where product_id = 'kroner'`);
  expect(await offered()).toEqual(['CreditCard']);
});

test('an order that its menu leaves nothing to pay it with is refused', async () => {
  const inEuros = { currency: 'EUR', restrictedToInstruments: ['GiftCard'] };
  expect(await shop.create(inEuros)).toMatchObject({
    status: 422,
    body: { type: expect.stringMatching(/noacquirer$/) },
  });
  expect((await shop.create({ ...inEuros, restrictedToInstruments: ['GiftCard', 'CreditCard'] })).status).toBe(200);
});

test('a body of an order may have 256 KiB, and another one not', async () => {
  const filler = 'x'.repeat(200 * 1024);
  expect((await shop.create({ ignored: filler })).status).toBe(200);
  expect((await shop.create({ ignored: filler + filler })).status).toBe(413);
  const payment = { payment: { operation: 'Verify', currency: 'NOK' }, ignored: filler };
  expect((await shop.send('POST', '/psp/creditcard/payments', payment)).status).toBe(413);
});

test('what there is not, or belongs to another payee, is not found', async () => {
  const made = await shop.create();
  const { accessToken } = await kontor.addPayee();
  const headers = { authorization: `Bearer ${accessToken}` };
  const { id } = made.body.paymentOrder;
  for (const path of [id, `${id}/paid`, hrefOf(await shop.get(id, { version: '3.1' }), 'view-paymentsession')]) {
    expect((await shop.get(path, { headers })).status).toBe(404);
  }
  for (const path of [
    '/psp/paymentorders/none',
    `${id}/captures/none`,
    '/psp/paymentsessions/none',
    '/psp/giftcard/payments/none',
  ]) {
    expect((await shop.get(path)).status).toBe(404);
  }
});

test('what some clients spell otherwise is understood, and refused where it is there twice', async () => {
  const members = orderBody(shop.reference(), { items: [{ creditcard: { rejectCreditCards: true } }] });
  const made = await shop.send('POST', '/psp/paymentorders', { paymentOrder: members }, { version: '2.0' });
  expect(made.body.paymentOrder.items[0].creditCard.cardBrands).not.toContain('Amex');
  const twice = { ...members, paymentToken: 'a', PaymentToken: 'b' };
  const refused = await shop.send('POST', '/psp/paymentorders', { paymentorder: twice });
  expect([refused.status, refused.body.problems[0].name]).toEqual([400, 'paymentorder.PaymentToken']);
});
