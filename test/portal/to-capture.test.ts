import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type PayeeId, parsePayeeId } from '../../src/kit/ids.ts';
import { showStatistics } from '../../src/portal/home/show-statistics.ts';
import { exportOrders } from '../../src/portal/orders/export-orders.ts';
import { type AskedOrders, withRemaining } from '../../src/portal/orders/orders.rules.ts';
import { orderStory, searchOrders } from '../../src/portal/orders/search-orders.ts';
import { exportPayments } from '../../src/portal/payments/export-payments.ts';
import { selectPayment } from '../../src/portal/payments/payments.store.ts';
import { countSearched, searchPayments, showPayment } from '../../src/portal/payments/search-payments.ts';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { accountsShop, paid } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop, relsOf } from '../support/shop/card-payments-shop.ts';
import { orderShop } from '../support/shop/order-shop.ts';

// What is to be captured, over midnight where the payee is and over the end of each authorization: lists, their count and
// files, the first screen and what the API offers. No job runs: what is over is not released yet.

const ZONE = 'Europe/Oslo';
const HOLD_SECONDS = 3 * 86_400;
const AMOUNT = 1000;

let kontor: TestService;
let issuer: ScriptedIssuer;
let payeeId: PayeeId;
/** The next midnight where the payee is, in milliseconds. */
let midnight: number;
/** What was authorized just before it, by its family. */
let ids: Record<'card' | 'account' | 'order', string>;
let accountAt: string;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  payeeId = parsePayeeId(kontor.payeeId) as PayeeId;
  issuer = await scriptedIssuer(kontor, { termsOf: () => ({ holdSeconds: HOLD_SECONDS }) });
  await kontor.database.asAdmin(`update payee set time_zone = '${ZONE}' where payee_id = '${payeeId}'`);
  const [row] = await kontor.database.asAdmin(`
    select extract(epoch from (date_trunc('day', kontor_now() at time zone '${ZONE}') + interval '1 day') at time zone '${ZONE}') * 1000 as at`);
  midnight = Number(row?.['at']);
  vi.useFakeTimers({ toFake: ['Date'] });
  await becomes(midnight - 1000);
  const cards = cardPaymentsShop(issuer.kontor);
  const card = await cards.purchase(AMOUNT);
  await cards.authorize(card);
  const accounts = accountsShop(kontor);
  const account = paid(accounts.nok, await accounts.pay('authorize', accounts.nok, { amount: AMOUNT }));
  accountAt = `/api/payments/payment-account/${account.paymentAccountId}/payment/${account.paymentId}`;
  const orders = orderShop(kontor);
  const { order } = await orders.create(AMOUNT);
  await orders.payByCard(order.orderId);
  const uuidOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  ids = { card: uuidOf(card), account: account.paymentId, order: order.orderId };
});
afterAll(async () => {
  vi.useRealTimers();
  await issuer?.stop();
  await kontor?.stop();
});

/** Sets the clocks of the service and of its database. */
async function becomes(at: number): Promise<void> {
  vi.setSystemTime(at);
  await kontor.database.asAdmin(`
    create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
    return timestamptz '${new Date(at).toISOString()}'`);
}

const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE });
/** The days before and after that midnight, as the portal's page asks for them. */
const daysAsked = () =>
  [midnight - 1, midnight].map((at, index) => ({
    from: new Date(index === 0 ? midnight - 86_400_000 : midnight).toISOString(),
    to: new Date(index === 0 ? midnight : midnight + 86_400_000).toISOString(),
    day: DAY.format(new Date(at)),
  }));

async function linesOf(table: AsyncIterable<string>): Promise<Record<string, string>[]> {
  let text = '';
  for await (const some of table) text += some;
  const [heading = [], ...lines] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(heading.map((name, index) => [name, line[index] ?? ''])));
}

/** What each place says is left to capture, by family; a place that does not name it says nothing. */
async function told(period: { readonly from?: string; readonly to?: string } = {}) {
  const { read } = kontor.database;
  const asked = { state: 'ToCapture', ...period } as const;
  const askedOrders: AskedOrders = { status: 'ToCapture', ...period };
  const payments = (await searchPayments(read, payeeId, asked)).rows.map(showPayment);
  const orders = (await searchOrders(read, payeeId, askedOrders)).rows;
  expect((await countSearched(read, payeeId, asked)).count).toBe(payments.length);
  const list = Object.fromEntries([
    ...payments.map(({ family, remaining }) => [family, remaining.capture]),
    ...orders.map((order) => ['order', withRemaining(order).remaining.capture]),
  ]);
  const file = Object.fromEntries([
    ...(await linesOf(exportPayments(read, payeeId, asked))).map((line) => [
      line['family'],
      Number(line['remainingMinor']),
    ]),
    ...(await linesOf(exportOrders(read, payeeId, askedOrders))).map((line) => [
      'order',
      Number(line['remainingMinor']),
    ]),
  ]);
  expect(file).toEqual(list);
  return list;
}

/** What the pages of all three, files of all and the API say is left to capture, where it is not 0; and what the API offers. */
async function offered() {
  const { read } = kontor.database;
  const answers = {
    card: await issuer.kontor.send('GET', `/psp/creditcard/payments/${ids.card}`),
    account: await kontor.send('GET', accountAt),
    order: await kontor.send('GET', `/psp/paymentorders/${ids.order}`, {
      headers: { accept: 'application/json;version=3.1' },
    }),
  };
  const { remaining } = (await orderStory(read, payeeId, ids.order)).order;
  const pages = { order: remaining.capture } as Record<string, number>;
  for (const family of ['card', 'account'] as const) {
    const payment = await selectPayment(read, payeeId, ids[family]);
    pages[family] = payment === undefined ? -1 : showPayment(payment).remaining.capture;
  }
  const unlessNone = (all: Record<string, number>) =>
    Object.fromEntries(Object.entries(all).filter(([, left]) => left > 0));
  const api = {
    card: answers.card.body.payment.remainingCaptureAmount ?? 0,
    account: answers.account.body.remainingCaptureAmount,
    order: answers.order.body.paymentOrder.remainingCaptureAmount ?? 0,
  };
  const isOffered = Object.entries(answers).filter(([, answer]) =>
    relsOf(answer).some((rel) => /^(create-)?capture$/.test(rel)),
  );
  expect(isOffered.map(([family]) => family).toSorted()).toEqual(Object.keys(unlessNone(api)).toSorted());
  expect(unlessNone(pages)).toEqual(unlessNone(api));
  const lines = [
    ...(await linesOf(exportPayments(read, payeeId, {}))),
    ...(await linesOf(exportOrders(read, payeeId, {}))),
  ];
  const files = lines.map((line) => [line['family'] ?? 'order', Number(line['remainingMinor'])]);
  expect(unlessNone(Object.fromEntries(files))).toEqual(unlessNone(api));
  return unlessNone(api);
}

/** Payments and orders that the first screen counts for a day. */
async function paidOn(day: string) {
  const { currencies } = await showStatistics(kontor.database.read, payeeId, { days: '1', to: day });
  const sum = (of: 'payments' | 'orders') => currencies.reduce((total, { paid }) => total + paid[of], 0);
  return [sum('payments'), sum('orders')];
}

const ALL = { card: AMOUNT, account: AMOUNT, order: AMOUNT };

test.each([
  ['before', -1000],
  ['at', 0],
  ['after', 1000],
])('%s midnight all places name the same, of the day on which it was authorized', async (_, ms) => {
  await becomes(midnight + ms);
  const [before, after] = daysAsked();
  expect(await told()).toEqual(ALL);
  expect(await offered()).toEqual(ALL);
  expect(await told({ from: before?.from ?? '', to: before?.to ?? '' })).toEqual(ALL);
  expect(await told({ from: after?.from ?? '', to: after?.to ?? '' })).toEqual({});
  expect(await paidOn(before?.day ?? '')).toEqual([2, 1]);
  if (ms >= 0) expect(await paidOn(after?.day ?? '')).toEqual([0, 0]);
});

test('before, at and after each end all places name the same, and nothing once it has come', async () => {
  await becomes(midnight + 1000);
  const part = { amount: 300, vatAmount: 0, description: 'A part' };
  await cardPaymentsShop(issuer.kontor).follow(`/psp/creditcard/payments/${ids.card}`, 'captures', part);
  const left: Record<string, number> = { ...ALL, card: AMOUNT - part.amount };
  const { read } = kontor.database;
  const payments = (await searchPayments(read, payeeId, { state: 'ToCapture' })).rows;
  const [order] = (await searchOrders(read, payeeId, { status: 'ToCapture' })).rows;
  const ends = [
    ...payments.map(({ family, authorizedUntil }) => [family, authorizedUntil]),
    ['order', order?.authorizedUntil],
  ];
  expect(ends.length).toBe(3);
  const moments = ends.flatMap(([, at]) => [-1, 0, 1].map((ms) => Date.parse(at ?? '') + ms));
  for (const now of [...new Set(moments)].toSorted((one, other) => one - other)) {
    await becomes(now);
    const open = ends.filter(([, at]) => Date.parse(at ?? '') > now).map(([family]) => [family, left[family ?? '']]);
    expect(await told()).toEqual(Object.fromEntries(open));
    expect(await offered()).toEqual(Object.fromEntries(open));
  }
  expect(await told()).toEqual({});
});
