import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import type { LegOrder } from '../../src/orders/orders.types.ts';
import { changeOrderSettings } from '../../src/orders/settings/order-settings.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { orderShop } from '../support/shop/order-shop.ts';

// An order of 1 000, of which gift cards pay 100, 150 and 80, and a card 670: what falls on which, computed by hand. Captured by
// 30 % twice, the rest cancelled, half of it given back, and the other half.

let kontor: TestService;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
});
afterAll(() => kontor.stop());
afterEach(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
});

const ON_CARDS = [100, 150, 80] as const;

/** A paid order, and what its parts are called here. */
async function paidOrder(captures: 'many' | 'one') {
  const shop = orderShop(kontor, { captures });
  const { order } = await shop.create(1_000);
  const cards = await Promise.all(ON_CARDS.map((amount) => shop.giftCard(amount)));
  for (const { number } of cards) expect((await shop.add(order.orderId, number)).outcome).toBe('ok');
  await shop.payByCard(order.orderId);
  const { legs } = await shop.view(order.orderId);
  const names = new Map(legs.map(({ legId, kind, position }) => [legId, kind === 'Card' ? 'card' : `gift${position}`]));
  const idOf = (name: string) => legs.find(({ legId }) => names.get(legId) === name)?.legId ?? '';
  const follow = async (
    type: 'Capture' | 'Cancellation' | 'Reversal',
    amount?: number,
    of?: Record<string, number>,
  ) => {
    const named = of && Object.entries(of).map(([name, part]) => ({ legId: idOf(name), amount: part }));
    const { transaction } = await shop.followUp(order.orderId, {
      type,
      ...(amount !== undefined && { amount }),
      ...(named !== undefined && { legs: named }),
    });
    const parts = transaction?.parts ?? [];
    expect(transaction?.state).toBe('Completed');
    expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(amount ?? transaction?.amount);
    return Object.fromEntries(parts.map((part) => [names.get(part.legId), part.amount]));
  };
  const available = () => Promise.all(cards.map(async ({ accountId }) => (await shop.account(accountId))?.available));
  return { shop, orderId: order.orderId, follow, available };
}

const settle = (captureOrder: LegOrder, reversalOrder: LegOrder) =>
  kontor.database.transact((transaction) =>
    changeOrderSettings(transaction, {
      payeeId: kontor.payeeId as PayeeId,
      actor: COMMAND_LINE,
      changes: [
        ['captureOrder', captureOrder],
        ['reversalOrder', reversalOrder],
      ],
    }),
  );

test.each<readonly [LegOrder, LegOrder, readonly Readonly<Record<string, number>>[]]>([
  [
    'GiftCardsFirst',
    'CardFirst',
    [
      { gift1: 100, gift2: 150, gift3: 50 },
      { gift3: 30, card: 270 },
      { card: 400 },
      { gift3: 30, card: 270 },
      { gift1: 100, gift2: 150, gift3: 50 },
    ],
  ],
  [
    'GiftCardsFirst',
    'GiftCardsFirst',
    [
      { gift1: 100, gift2: 150, gift3: 50 },
      { gift3: 30, card: 270 },
      { card: 400 },
      { gift1: 70, gift2: 150, gift3: 80 },
      { gift1: 30, card: 270 },
    ],
  ],
  [
    'CardFirst',
    'CardFirst',
    [{ card: 300 }, { card: 300 }, { gift1: 100, gift2: 150, gift3: 80, card: 70 }, { card: 300 }, { card: 300 }],
  ],
  [
    'CardFirst',
    'GiftCardsFirst',
    [{ card: 300 }, { card: 300 }, { gift1: 100, gift2: 150, gift3: 80, card: 70 }, { card: 300 }, { card: 300 }],
  ],
])('captured %s and given back %s', async (captureOrder, reversalOrder, expected) => {
  await settle(captureOrder, reversalOrder);
  const { shop, orderId, follow, available } = await paidOrder('many');
  const parts = [
    await follow('Capture', 300),
    await follow('Capture', 300),
    await follow('Cancellation'),
    await follow('Reversal', 300),
    await follow('Reversal', 300),
  ];
  expect(parts).toEqual(expected);
  expect((await shop.view(orderId)).order).toMatchObject({ status: 'Reversed', captured: 600, cancelled: 400 });
  expect(await available()).toEqual(ON_CARDS);
});

test('with legs that the requests name', async () => {
  await settle('GiftCardsFirst', 'CardFirst');
  const { follow, available } = await paidOrder('many');
  await follow('Capture', 300, { gift1: 50, gift3: 50, card: 200 });
  await follow('Capture', 300, { card: 300 });
  expect(await follow('Cancellation')).toEqual({ gift1: 50, gift2: 150, gift3: 30, card: 170 });
  expect(await available()).toEqual([50, 150, 30]);
  expect(await follow('Reversal', 300, { gift1: 50, card: 250 })).toEqual({ gift1: 50, card: 250 });
  expect(await follow('Reversal', 300)).toEqual({ gift3: 50, card: 250 });
  expect(await available()).toEqual(ON_CARDS);
});

test('at an acquirer that captures once', async () => {
  await settle('GiftCardsFirst', 'CardFirst');
  const { shop, orderId, follow, available } = await paidOrder('one');
  expect(await follow('Capture', 300)).toEqual({ gift1: 100, gift2: 150, gift3: 50 });
  expect(await follow('Capture', 300)).toEqual({ gift3: 30, card: 270 });
  // That was the only capture of the card: its rest is gone, and there is nothing left to cancel.
  expect((await shop.view(orderId)).remaining).toEqual({ capture: 0, cancel: 0, reversal: 600 });
  await expect(shop.followUp(orderId, { type: 'Cancellation' })).rejects.toThrow(/forbidden/);
  expect(await follow('Reversal', 300)).toEqual({ gift3: 30, card: 270 });
  expect(await follow('Reversal', 300)).toEqual({ gift1: 100, gift2: 150, gift3: 50 });
  expect(await available()).toEqual(ON_CARDS);
});
