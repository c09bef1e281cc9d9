import { afterAll, beforeAll, expect, test } from 'vitest';
import { STEPS_MOST } from '../../src/payments/changes/steps-most.rules.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { orderShop } from '../support/shop/order-shop.ts';

// Each capture reads those before it, so there is a largest number of them. The books are not looked at here: most captures are rows alone.

let kontor: TestService;
let shop: ReturnType<typeof orderShop>;
let cards: CardPaymentsShop;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  shop = orderShop(kontor);
  cards = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());

/** Puts as many rows beside the one capture of an order or payment as make so many, or the most. */
async function multiply(
  table: 'order_transaction' | 'card_transaction',
  column: string,
  id: string,
  rows = STEPS_MOST,
): Promise<void> {
  const [row] = await kontor.database.asAdmin(`
    select string_agg(column_name, ', ') as names from information_schema.columns
    where table_name = '${table}' and column_name not in ('transaction_id', 'attempt_id', 'number')`);
  await kontor.database.asAdmin(`
    insert into ${table} (transaction_id, number, ${row?.['names']})
    select gen_random_uuid(), 900000000 + n, ${row?.['names']}
    from ${table} cross join generate_series(2, ${rows}) n
    where ${column} = '${id}' and type = 'Capture'`);
}

test('of an order there are so many captures, and one more that takes all that is left', async () => {
  const { order } = await shop.create(500);
  const card = await shop.giftCard(200);
  expect((await shop.add(order.orderId, card.number)).outcome).toBe('ok');
  await shop.payByCard(order.orderId);
  await shop.followUp(order.orderId, { type: 'Capture', amount: 250 });
  const part = { type: 'Capture', amount: 100, payeeReference: 'part' } as const;
  await shop.followUp(order.orderId, part);
  await multiply('order_transaction', 'description is null and order_id', order.orderId);
  await expect(shop.followUp(order.orderId, { type: 'Capture', amount: 100 })).rejects.toMatchObject({
    code: 'forbidden',
    problems: [{ name: 'Capture', description: expect.stringContaining(`${STEPS_MOST} already`) }],
  });
  // Nothing was done, and a repeat is answered as before.
  const captures = async () =>
    (await shop.view(order.orderId)).transactions.filter(({ type }) => type === 'Capture').length;
  const before = await captures();
  expect(before).toBeGreaterThanOrEqual(STEPS_MOST);
  expect((await shop.followUp(order.orderId, part)).isReplay).toBe(true);
  await shop.followUp(order.orderId, { type: 'Capture', amount: 150 });
  expect(await captures()).toBe(before + 1);
});

test('of a card payment, too, and no more where many come at once', async () => {
  const id = await cards.purchase(1000);
  expect((await cards.authorize(id)).status).toBe(200);
  expect((await cards.follow(id, 'captures', { amount: 100, vatAmount: 0, description: 'a part' })).status).toBe(200);
  await multiply('card_transaction', 'payment_id', id.slice(id.lastIndexOf('/') + 1), STEPS_MOST - 1);
  const part = { amount: 10, vatAmount: 0, description: 'a part' };
  const many = await Promise.all(Array.from({ length: 20 }, () => cards.follow(id, 'captures', part)));
  const refused = many.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.problems])).toEqual(
    Array(19).fill([403, [{ name: 'Capture', description: expect.stringContaining(`${STEPS_MOST} already`) }]]),
  );
  const rest = await cards.follow(id, 'captures', { amount: 890, vatAmount: 0, description: 'the rest' });
  expect(rest.status).toBe(200);
});
