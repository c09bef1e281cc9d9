import { expect, it, onTestFinished } from 'vitest';
import { refuteBooks } from '../support/crash/books.ts';
import { SPENDS, spendTooOften } from '../support/crash/card-spends.ts';
import { insistent } from '../support/crash/insistent.ts';
import { twoInstances } from '../support/crash/two-instances.ts';
import { type OrderPayer, orderPayer } from '../support/payer/order-payer.ts';
import { type OrderWalks, orderWalks } from '../support/payer/order-walks.ts';
import type { TestService } from '../support/service.ts';
import { VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { cardSeller, type IssuedCard } from '../support/shop/gift-cards-seller.ts';
import { hrefOf, ordersShop } from '../support/shop/orders-shop.ts';

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

/** Rounds in which two orders want the same money. */
const RACES = 12;
/** What the page's script says of the browser. */
const SCREEN = { java: 'false', depth: '24', height: '900', width: '1440', tz: '-60' };
const JSON_PLEASE = { headers: { accept: 'application/json' } };

/** Both instances, to which a request comes again that they are too busy for. */
async function insistentInstances() {
  const { kontor, other, stop } = await twoInstances();
  onTestFinished(stop);
  const count = { busy: 0 };
  const note = () => {
    count.busy++;
  };
  return { instances: [insistent(kontor, note), insistent(other, note)] as const, count };
}

/** Orders of 10 in turn at both instances, each with this gift card on it. */
async function ordersWith(
  instances: readonly [TestService, TestService],
  card: IssuedCard,
  count: number,
): Promise<OrderPayer[]> {
  const payers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const at = instances[index % 2 === 0 ? 0 : 1];
      const made = await ordersShop(at).create({ amount: 10, vatAmount: 0 }, { version: '3.1' });
      return orderPayer(at, hrefOf(made, 'redirect-checkout'));
    }),
  );
  await Promise.all(payers.map((payer) => payer.open()));
  const added = await Promise.all(payers.map((payer) => payer.add(card)));
  expect(new Set(added.map(({ body }) => body.outcome))).toEqual(new Set(['ok']));
  return payers;
}

/** How often each came of it that all pay at once. */
async function payAtOnce(payers: readonly OrderPayer[]): Promise<Readonly<Record<string, number>>> {
  const outcomes = (await Promise.all(payers.map((payer) => payer.payByGiftCards()))).map(({ body }) => body.outcome);
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

it(`one gift card in ${ORDERS} orders at once, at two instances, pays ${PAID}, and tells all others that something has changed`, async () => {
  const { instances, count } = await insistentInstances();
  const card = await cardSeller(instances[0]).issue(PAID * 10);
  const payers = await ordersWith(instances, card, ORDERS);
  expect(await payAtOnce(payers)).toEqual({ Go: PAID, changed: ORDERS - PAID });
  process.stdout.write(`too busy ${count.busy} times, sent again\n`);
  expect(await refuteBooks(instances[0])).toEqual([]);
});

it(`in ${ROUNDS} rounds at two instances, one gift card in ${SPENDS} orders at once pays ${PAID} of them`, async () => {
  const { instances, count } = await insistentInstances();
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const card = await cardSeller(instances[0]).issue(PAID * 10);
        const payers = await ordersWith(instances, card, SPENDS);
        expect(await payAtOnce(payers), `round ${round}`).toEqual({ Go: PAID, changed: SPENDS - PAID });
      }),
    );
  }
  process.stdout.write(`too busy ${count.busy} times, sent again\n`);
  const [row] = await instances[0].database.asAdmin(`
    select count(*) filter (where status = 'Paid')::integer as paid, count(*)::integer as made from payment_order`);
  expect(row).toEqual({ paid: ROUNDS * PAID, made: ROUNDS * SPENDS });
  expect(await refuteBooks(instances[0])).toEqual([]);
});

it('of two orders that want all of one gift card, one with its card in a challenge, one has it and the other is told', async () => {
  const { instances } = await insistentInstances();
  const walks = instances.map((at) => orderWalks(at)) as [OrderWalks, OrderWalks];
  const won = { challenged: 0, covered: 0 };
  for (let round = 0; round < RACES; round++) {
    const card = await cardSeller(instances[0]).issue(50);
    const [challenged, covered] = await Promise.all([
      walks[round % 2 === 0 ? 0 : 1].walk({ amount: 500, vatAmount: 0 }),
      walks[round % 2 === 0 ? 1 : 0].walk({ amount: 50, vatAmount: 0 }),
    ]);
    for (const { payer } of [challenged, covered]) expect((await payer.add(card)).body.outcome).toBe('ok');
    const byCard = () => challenged.payer.payByCard({ number: VISA_WITH_3D_SECURE });
    const byGiftCard = () => covered.payer.payByGiftCards();
    // Each goes first in a third of the rounds, and neither in the last.
    const inTurn = [
      async () => [await byCard(), await byGiftCard()] as const,
      async () => {
        const paid = await byGiftCard();
        return [await byCard(), paid] as const;
      },
      () => Promise.all([byCard(), byGiftCard()]),
    ][round % 3];
    const [began, paid] = (await inTurn?.()) ?? [];
    const outcomes = [began?.body.outcome, paid?.body.outcome];
    expect([
      ['Authenticate', 'changed'],
      ['changed', 'Go'],
    ]).toContainEqual(outcomes);
    expect(await walks[0].availableOn(card)).toBe(0);
    const isChallenged = outcomes[1] === 'changed';
    won[isChallenged ? 'challenged' : 'covered']++;
    if (isChallenged) {
      // The one in the challenge keeps it, whatever the other one tries meanwhile, and has it when the bank has said yes.
      await covered.payer.open();
      expect(covered.payer.byCard()).toBe(50);
      await challenged.payer.page.post('/authenticate', { ...SCREEN, method: 'U', cvc: '123' }, JSON_PLEASE);
      await challenged.payer.page.confirm('Approved');
      expect((await walks[0].orderOf(challenged.id)).legs).toMatchObject([{ amount: 50 }, { amount: 450 }]);
    }
    const statuses = await Promise.all(
      [challenged, covered].map(async ({ id }) => (await walks[0].orderOf(id)).status),
    );
    expect(statuses).toEqual(isChallenged ? ['Paid', 'Initialized'] : ['Initialized', 'Paid']);
  }
  process.stdout.write(`who won: ${JSON.stringify(won)}\n`);
  expect(await refuteBooks(instances[0])).toEqual([]);
});
