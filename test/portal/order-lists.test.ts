import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { exportOrders } from '../../src/portal/orders/export-orders.ts';
import { paymentOrderCommands } from '../../src/portal/orders/orders.cli.ts';
import type { AskedOrders } from '../../src/portal/orders/orders.rules.ts';
import type { ListedOrder } from '../../src/portal/orders/orders.types.ts';
import { previewSplit } from '../../src/portal/orders/preview-split.ts';
import { orderStory, searchOrders } from '../../src/portal/orders/search-orders.ts';
import { searchPayments } from '../../src/portal/payments/search-payments.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { runCommand, serviceOf } from '../support/run-command.ts';
import { addPortalOrders } from '../support/shop/portal-rows.ts';

const ORDERS = 300;
let database: TestDatabase;
let payeeId: PayeeId;
let all: readonly ListedOrder[];
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
  await addPortalOrders(database, { payeeId: await addPayee(database), orders: 20 });
  await addPortalOrders(database, { payeeId, orders: ORDERS });
  // Theirs were made long ago.
  await database.asAdmin(`update payment_order set authorized_until = authorized_until + interval '10 years'`);
  all = await everyPage({});
});
afterAll(() => database.drop());

/** The rows of all pages of a list. */
async function everyPage(asked: AskedOrders): Promise<readonly ListedOrder[]> {
  const rows: ListedOrder[] = [];
  let cursor: string | undefined;
  do {
    const page = await searchOrders(database.read, payeeId, { limit: '40', ...asked, cursor });
    rows.push(...page.rows);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

const idsOf = (orders: readonly ListedOrder[]) => orders.map(({ orderId }) => orderId);
const hasCard = ({ instruments }: ListedOrder) => instruments.some(({ type }) => type === 'creditcard');
const hasGiftCard = ({ instruments }: ListedOrder) => instruments.some(({ type }) => type === 'giftcard');

describe('the list of orders', () => {
  test('has all of a payee and none of another, the newest first, page by page', () => {
    expect(all).toHaveLength(ORDERS);
    expect(idsOf(all)).toEqual(idsOf(all).toSorted().reverse());
  });

  test('has what is to be captured by its end', async () => {
    const expected = all
      .filter(({ authorizedUntil }) => authorizedUntil !== null)
      .toSorted((one, other) =>
        `${one.authorizedUntil} ${one.orderId}` < `${other.authorizedUntil} ${other.orderId}` ? -1 : 1,
      );
    expect(expected.length).toBeGreaterThan(11);
    expect(idsOf(await everyPage({ status: 'ToCapture', limit: '10' }))).toEqual(idsOf(expected));
    const split = expected.filter(({ instruments }) => instruments.length > 1);
    expect(idsOf(await everyPage({ status: 'ToCapture', split: 'yes' }))).toEqual(idsOf(split));
    let text = '';
    for await (const part of exportOrders(database.read, payeeId, { status: 'ToCapture' })) text += part;
    const ends = text.trimEnd().split('\n').slice(1);
    expect(ends.map((line) => line.split(',').at(-1))).toEqual(expected.map(({ authorizedUntil }) => authorizedUntil));
  });

  test('names what is to be captured no more once its authorization is over, and tells that nothing is left', async () => {
    const { orderId, authorizedUntil } = all.find((order) => order.authorizedUntil !== null) as ListedOrder;
    const left = async () => (await orderStory(database.read, payeeId, orderId)).order.remaining.capture;
    const isListed = async () => idsOf(await everyPage({ status: 'ToCapture' })).includes(orderId);
    const ends = (at: string) =>
      database.asAdmin(`update payment_order set authorized_until = ${at} where order_id = '${orderId}'`);
    expect([(await left()) > 0, await isListed()]).toEqual([true, true]);
    await ends('kontor_now()');
    expect([await left(), await isListed()]).toEqual([0, false]);
    await ends(`'${authorizedUntil}'`);
  });

  const filters: readonly (readonly [string, AskedOrders, (order: ListedOrder) => boolean])[] = [
    ['paid ones', { status: 'Paid' }, ({ status }) => status === 'Paid'],
    ['those that were paid, whatever became of them', { status: 'Succeeded' }, ({ status }) => status === 'Paid'],
    ['declined ones', { status: 'Declined' }, ({ isDeclined }) => isDeclined],
    ['declined ones of another currency', { status: 'Declined', currency: 'NOK' }, () => false],
    ['a reason, of paid ones too', { problem: 'carddeclined' }, ({ number }) => number % 4 === 0],
    ['a reason that none has', { problem: 'paymentblocked' }, () => false],
    ['unpaid ones', { status: 'Initialized' }, ({ status }) => status === 'Initialized'],
    ['those that a card pays', { instrument: 'CreditCard' }, hasCard],
    ['those that a gift card pays', { instrument: 'GiftCard' }, hasGiftCard],
    ['split ones', { split: 'yes' }, ({ instruments }) => instruments.length > 1],
    ['others, paid', { split: 'no', status: 'Paid' }, ({ instruments }) => instruments.length === 1],
    [
      'amounts',
      { amountFrom: '10000', amountTo: '20000', currency: 'SEK' },
      ({ amount }) => amount >= 10_000 && amount <= 20_000,
    ],
    ['amounts of another currency', { amountFrom: '0', currency: 'NOK' }, () => false],
    [
      'a period',
      { from: '2026-01-01T00:01:00Z', to: '2026-01-01T00:02:00Z' },
      ({ createdAt }) => createdAt >= '2026-01-01T00:01' && createdAt < '2026-01-01T00:02',
    ],
  ];
  test.each(filters)('is cut down to %s', async (_, asked, matches) => {
    expect(idsOf(await everyPage(asked))).toEqual(idsOf(all.filter(matches)));
  });

  test('says of unpaid ones why the last attempt failed', () => {
    const declined = all.filter(({ isDeclined }) => isDeclined);
    expect(declined.length).toBeGreaterThan(10);
    expect(new Set(declined.map(({ problem }) => problem))).toEqual(new Set(['carddeclined']));
    expect(all.filter(({ status, problem }) => status === 'Paid' && problem !== null)).toEqual([]);
  });

  test.each([
    ['its number', '20000000007', 7],
    ['the number of a transaction', '30000000007', 7],
    ["the payee's reference", 'shop-ref-7', 7],
    ['the reference of the order', 'shop-7', 7],
    ['the last four digits of what pays it', '0007', 7],
  ])('finds an order by %s', async (_, search, n) => {
    const { rows } = await searchOrders(database.read, payeeId, { search });
    expect(rows.map(({ number }) => number)).toContain(20_000_000_000 + n);
  });

  test('finds an order by its id and by that of a payment that pays it', async () => {
    const [order] = all.filter(({ instruments }) => instruments.length > 1);
    const { legs } = await orderStory(database.read, payeeId, order?.orderId ?? '');
    for (const search of [order?.orderId, ...legs.map(({ paymentId }) => paymentId)]) {
      const { rows } = await searchOrders(database.read, payeeId, { search: search ?? '' });
      expect(idsOf(rows)).toEqual([order?.orderId]);
    }
  });
});

describe('a split order', () => {
  const split = () => all.find(({ instruments, captured }) => instruments.length > 1 && captured === 0) as ListedOrder;

  test('has legs whose amounts sum to its own', async () => {
    const { order, legs } = await orderStory(database.read, payeeId, split().orderId);
    const sum = (of: (leg: (typeof legs)[number]) => number) => legs.reduce((total, leg) => total + of(leg), 0);
    expect(sum(({ amount }) => amount)).toBe(order.amount);
    expect(sum(({ remaining }) => remaining.capture)).toBe(order.remaining.capture);
  });

  test('says how a capture would fall on its legs, and refuses one that is too large', async () => {
    const { orderId, amount } = split();
    const { legs } = await orderStory(database.read, payeeId, orderId);
    const [giftCard, card] = legs;
    const asked = { orderId, type: 'Capture', amount: String((giftCard?.amount ?? 0) + 1) } as const;
    const { parts } = await previewSplit(database.read, payeeId, asked);
    expect(parts).toEqual([
      { legId: giftCard?.legId, amount: giftCard?.amount },
      { legId: card?.legId, amount: 1 },
    ]);
    for (const wrong of [
      { ...asked, amount: String(amount + 1) },
      { ...asked, amount: '0' },
      { ...asked, type: 'Reversal' as const },
    ]) {
      await expect(previewSplit(database.read, payeeId, wrong)).rejects.toThrow();
    }
  });

  test('is hidden from the payments, unless legs are asked for', async () => {
    expect((await searchPayments(database.read, payeeId, {})).rows).toEqual([]);
    const { rows } = await searchPayments(database.read, payeeId, { legs: 'also' });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ orderId }) => orderId !== null)).toBe(true);
    const succeeded = await searchPayments(database.read, payeeId, { legs: 'also', state: 'Succeeded' });
    expect(succeeded.rows.length).toBeGreaterThan(0);
    expect((await searchPayments(database.read, payeeId, { state: 'Succeeded' })).rows).toEqual([]);
  });

  test('is shown by the command line', async () => {
    const lines: string[] = [];
    const runtime = serviceOf({ read: database.read, whichPayee: () => Promise.resolve(payeeId) });
    const kontor = async (...words: string[]) =>
      lines.push(...(await runCommand(paymentOrderCommands, runtime, words)));
    await kontor('show', String(split().number));
    expect(lines.join('\n')).toMatch(/giftcard 925500.*\n.*creditcard 476173.*\ntotal/);
    await kontor('list');
    expect(lines.at(-1)).toContain(String(all[0]?.number));
    await expect(kontor('show', '123')).rejects.toThrow();
    await expect(kontor('show', '99999999999')).rejects.toThrow();
  });
});
