import { expect, it, onTestFinished } from 'vitest';
import { refuteBooks } from '../support/books.ts';
import { SPENDS, spendTooOften } from '../support/card-spends.ts';
import { cardSeller } from '../support/gift-cards-seller.ts';
import { insistent } from '../support/insistent.ts';
import { orderPayer } from '../support/order-payer.ts';
import { hrefOf, ordersShop } from '../support/orders-shop.ts';
import { twoInstances } from '../support/two-instances.ts';

// The short runs are in test/gift-cards/life-races.test.ts, and of orders in test/orders/money.test.ts.

const ROUNDS = 500;
/** Cards that are spent at the same time. */
const AT_ONCE = 5;

it(`in ${ROUNDS} rounds at two instances, ${SPENDS} spends of 10 against a balance of 100 accept exactly 10`, async () => {
  const instances = await twoInstances();
  onTestFinished(() => instances.stop());
  let busy = 0;
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    const counts = await Promise.all(Array.from({ length: AT_ONCE }, () => spendTooOften(instances)));
    busy += counts.reduce((sum, count) => sum + count, 0);
  }
  process.stdout.write(`too busy for ${busy} of ${ROUNDS * SPENDS} spends, which were sent again\n`);
  expect(await refuteBooks(instances.kontor)).toEqual([]);
});

/** Orders that one gift card pays at the same time, of 10 each, and how many it has money for. */
const ORDERS = 1_000;
const PAID = 10;

it(`one gift card in ${ORDERS} orders at once, at two instances, pays ${PAID}, and tells all others that something has changed`, async () => {
  const { kontor, other, stop } = await twoInstances();
  onTestFinished(stop);
  let busy = 0;
  const instances = [kontor, other].map((one) => insistent(one, () => busy++)) as [typeof kontor, typeof other];
  const card = await cardSeller(kontor).issue(PAID * 10);
  const payers = await Promise.all(
    Array.from({ length: ORDERS }, async (_, index) => {
      const made = await ordersShop(instances[index % 2] ?? kontor).create(
        { amount: 10, vatAmount: 0 },
        { version: '3.1' },
      );
      return orderPayer(instances[index % 2] ?? kontor, hrefOf(made, 'redirect-checkout'));
    }),
  );
  await Promise.all(payers.map((payer) => payer.open()));
  const added = await Promise.all(payers.map((payer) => payer.add(card)));
  expect(new Set(added.map(({ body }) => body.outcome))).toEqual(new Set(['ok']));
  const outcomes = (await Promise.all(payers.map((payer) => payer.payByGiftCards()))).map(({ body }) => body.outcome);
  process.stdout.write(`too busy ${busy} times, sent again\n`);
  expect(outcomes.filter((outcome) => outcome === 'Go')).toHaveLength(PAID);
  expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(ORDERS - PAID);
  expect(await refuteBooks(kontor)).toEqual([]);
});
