import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../src/kit/errors.ts';
import type { OrderFollowUpRequest } from '../../src/orders/order-requests.types.ts';
import { type TestService, testService } from '../support/service.ts';
import { orderShop } from '../support/shop/order-shop.ts';

// The same request three times at the same moment: one of them has its effect, and each of the others is answered as it, or is
// 409 with a time to come again.

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

/** What three of the same come to, without those that are told to come again. */
async function threeTimes<Result>(act: () => Promise<Result>): Promise<Result[]> {
  const outcomes = await Promise.allSettled([act(), act(), act()]);
  return outcomes.flatMap((one) => {
    if (one.status === 'fulfilled') return [one.value];
    const { reason } = one;
    const isToComeAgain =
      reason instanceof Refusal && reason.code === 'conflict' && (reason.retryAfterSeconds ?? 0) > 0;
    if (!isToComeAgain) throw reason;
    return [];
  });
}

const BURSTS = [1, 2, 3, 4, 5, 6, 7, 8];

describe('of an order', () => {
  test('a renewal pays once, and all are told so', async () => {
    const shop = orderShop(kontor);
    const first = await shop.create(100, { terms: { generate: ['Recurrence'] } as never });
    await shop.payByCard(first.order.orderId);
    const token = (await shop.view(first.order.orderId)).card.transactions[0]?.tokens[0]?.token ?? '';
    for (const burst of BURSTS) {
      const before = shop.questions.length;
      const terms = { token, payeeInfo: { payeeReference: `twins${burst}` } } as never;
      const orders = await threeTimes(() => shop.create(70, { operation: 'Recur', terms }));
      expect(new Set(orders.map(({ order }) => `${order.orderId} ${order.status}`)).size).toBe(1);
      expect(orders[0]?.order.status).toBe('Paid');
      expect(shop.questions.length - before).toBe(1);
    }
  });

  test.each(['Capture', 'Cancellation', 'Reversal'] as const)(
    'a %s happens once, and all are told so',
    async (type) => {
      const shop = orderShop(kontor);
      for (const burst of BURSTS) {
        const { order } = await shop.create(100);
        await shop.payByCard(order.orderId);
        if (type === 'Reversal')
          await shop.followUp(order.orderId, { type: 'Capture', amount: 100, payeeReference: `all${burst}` } as never);
        const before = shop.questions.length;
        const request = { type, amount: type === 'Cancellation' ? undefined : 60, payeeReference: `${type}${burst}` };
        const changed = await threeTimes(() =>
          shop.followUp(order.orderId, request as Pick<OrderFollowUpRequest, 'type'>),
        );
        expect(changed.map(({ transaction }) => transaction?.state)).toEqual(changed.map(() => 'Completed'));
        expect(new Set(changed.map(({ transaction }) => transaction?.transactionId)).size).toBe(1);
        expect(changed.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
        expect(shop.questions.length - before).toBe(1);
      }
    },
  );
});
