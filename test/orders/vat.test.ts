import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amountMinor } from '../../src/kit/money.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { newReference } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { DECLINED, orderShop } from '../support/shop/order-shop.ts';

let kontor: TestService;
let shop: ReturnType<typeof orderShop>;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  shop = orderShop(kontor);
});
afterAll(() => kontor.stop());

/** An order of 500 with 100 of VAT that a card pays, and a gift card so much of. */
async function paid(byGiftCard = 0): Promise<string> {
  const { order } = await shop.create(500, { vatAmount: amountMinor(100) });
  if (byGiftCard > 0) await shop.add(order.orderId, (await shop.giftCard(byGiftCard)).number);
  await shop.payByCard(order.orderId);
  return order.orderId;
}
const capture = (orderId: string, amount: number, vatAmount: number) =>
  shop.followUp(orderId, { type: 'Capture', amount, vatAmount });
/** Of each transaction that was carried out after the order was paid. */
async function vats(orderId: string) {
  const { transactions } = await shop.view(orderId);
  return transactions
    .filter(({ type, state }) => type !== 'Authorization' && state === 'Completed')
    .map(({ type, vatAmount }) => [type, vatAmount]);
}

describe('the VAT of an order', () => {
  test.each([0, 200])(
    'is captured once at most, and the rest is cancelled with the rest (gift card: %i)',
    async (gift) => {
      const orderId = await paid(gift);
      await capture(orderId, 200, 60);
      await expect(capture(orderId, 100, 41)).rejects.toMatchObject({
        code: 'forbidden',
        problems: [{ name: 'Capture' }],
      });
      await capture(orderId, 100, 30);
      await shop.followUp(orderId, { type: 'Cancellation' });
      expect(await vats(orderId)).toEqual([
        ['Capture', 60],
        ['Capture', 30],
        ['Cancellation', 10],
      ]);
    },
  );

  test('that a declined capture asked for is left', async () => {
    const orderId = await paid();
    shop.answerNext(DECLINED);
    await capture(orderId, 500, 100);
    await capture(orderId, 500, 100);
    expect(await vats(orderId)).toEqual([['Capture', 100]]);
  });
});

describe('the VAT of a card payment', () => {
  /** A payment of 500 with 100 of VAT. */
  async function authorized() {
    const cards = cardPaymentsShop(kontor);
    const id = await cards.purchase(500, { prices: [{ type: 'CreditCard', amount: 500, vatAmount: 100 }] });
    expect((await cards.authorize(id)).status).toBe(200);
    const follow = (what: 'captures' | 'cancellations', transaction: object, payeeReference = newReference()) =>
      cards.follow(id, what, { description: 'Sent', payeeReference, ...transaction });
    return { id, follow };
  }

  test('is captured once at most, and the rest is cancelled with the rest, also when that is asked for twice', async () => {
    const { follow } = await authorized();
    expect((await follow('captures', { amount: 200, vatAmount: 60 })).status).toBe(200);
    const tooMuch = await follow('captures', { amount: 100, vatAmount: 41 });
    expect([tooMuch.status, tooMuch.body.problems?.[0]?.name]).toEqual([403, 'Capture']);
    expect((await follow('captures', { amount: 100, vatAmount: 30 })).status).toBe(200);
    const reference = newReference();
    for (let times = 0; times < 2; times++) {
      const { status, body } = await follow('cancellations', {}, reference);
      expect([status, body.cancellation.transaction.vatAmount]).toEqual([200, 10]);
    }
  });

  test('is captured once at most by captures at the same moment', async () => {
    const { follow } = await authorized();
    const answers = await Promise.all([1, 2, 3].map(() => follow('captures', { amount: 100, vatAmount: 50 })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403]);
  });
});
