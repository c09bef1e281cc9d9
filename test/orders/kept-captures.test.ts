import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { IssuerAnswer } from '../../src/issuers/questions.types.ts';
import { amountMinor } from '../../src/kit/money.ts';
import { possibleWith } from '../../src/orders/answers/order-state.rules.ts';

import { refuteBooks } from '../support/crash/books.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { orderShop, SILENCE } from '../support/shop/order-shop.ts';

const KEPT: IssuerAnswer = {
  outcome: 'Kept',
  releasedAmount: amountMinor(0),
  sequence: { number: 1, isLast: false },
};
const APPROVED: IssuerAnswer = { outcome: 'Approved', responseCode: '000', references: { retrievalReference: '' } };

let kontor: TestService;
let shop: ReturnType<typeof orderShop>;

beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  shop = orderShop(kontor);
});

afterAll(() => kontor.stop());

afterEach(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
});

test('a capture keeps all apart while the acquirer of the card is away, and books it once that has acknowledged the capture', async () => {
  const { order } = await shop.create(500);
  const { orderId } = order;
  const card = await shop.giftCard(120);
  expect((await shop.add(orderId, card.number)).outcome).toBe('ok');
  await shop.payByCard(orderId);
  shop.answerNext(KEPT);
  const request = { type: 'Capture', amount: 300, payeeReference: 'K' } as const;
  const waiting = await shop.followUp(orderId, request);
  expect(waiting.transaction?.state).toBe('Initialized');
  expect(waiting.view.order).toMatchObject({ captured: 0, reservedHold: 300, unsettled: 1 });
  // A repeat is answered at once, and what would overtake it waits.
  expect(await shop.followUp(orderId, request)).toMatchObject({
    isReplay: true,
    transaction: { state: 'Initialized' },
  });
  const refund = shop.followUp(orderId, { type: 'Reversal', amount: 10 });
  await expect(refund).rejects.toMatchObject({ code: 'conflict', retryAfterSeconds: 60 });
  const transaction = waiting.view.card.transactions.at(-1);
  for (const _twice of [1, 2]) {
    await shop.payments.settler.settleForwarded({ ...transaction } as never, APPROVED);
    expect((await shop.view(orderId)).order).toMatchObject({ captured: 300, reservedHold: 0, unsettled: 0 });
  }
  const again = await shop.followUp(orderId, request);
  expect(again).toMatchObject({ isReplay: true, transaction: { state: 'Completed' } });
  expect((await shop.account(card.accountId))?.available).toBe(0);
});

test('captures behind one that is kept are kept too, as far as the sum allows, and so is the cancellation of the rest', async () => {
  const { order } = await shop.create(500);
  const { orderId } = order;
  const card = await shop.giftCard(120);
  expect((await shop.add(orderId, card.number)).outcome).toBe('ok');
  await shop.payByCard(orderId);
  const asked = shop.questions.length;
  shop.answerNext(KEPT);
  for (const [amount, payeeReference] of [
    [200, 'A'],
    [150, 'B'],
    [50, 'C'],
  ] as const) {
    const { transaction, isKept } = await shop.followUp(orderId, { type: 'Capture', amount, payeeReference });
    expect([transaction?.state, isKept]).toEqual(['Initialized', true]);
  }
  // What follows the first one is not asked for by itself: a job tells the acquirer one after the other.
  expect(shop.questions.length).toBe(asked + 1);
  await expect(shop.followUp(orderId, { type: 'Capture', amount: 101 })).rejects.toMatchObject({ code: 'forbidden' });
  const { view } = await shop.followUp(orderId, { type: 'Cancellation', payeeReference: 'rest' });
  expect(view.order).toMatchObject({ captured: 0, cancelled: 100, reservedHold: 400, unsettled: 3 });
  expect(possibleWith(view, () => true)).toEqual(new Set(['show-paid']));

  const [first, second, third] = view.card.transactions.filter(({ type }) => type === 'Capture');
  const settle = (transaction: typeof first, answer: IssuerAnswer) =>
    shop.payments.settler.settleForwarded({ ...transaction } as never, answer);
  await settle(first, APPROVED);
  const refused = { responseCode: '902', problem: 'acquirererror', retry: { advice: 'Never' } } as const;
  await settle(second, { outcome: 'Declined', ...refused });
  await settle(third, APPROVED);
  const after = await shop.view(orderId);
  expect(after.order).toMatchObject({ captured: 250, cancelled: 100, reservedHold: 0, unsettled: 0 });
  expect(possibleWith(after, () => true)).toEqual(new Set(['capture', 'cancel', 'reverse', 'show-paid']));
  expect((await shop.account(card.accountId))?.available).toBe(0);
});

test('what may follow a kept capture is listed, and nothing while an outcome is unknown', async () => {
  const { order } = await shop.create(500);
  await shop.payByCard(order.orderId);
  shop.answerNext(KEPT);
  const { view } = await shop.followUp(order.orderId, { type: 'Capture', amount: 100, payeeReference: 'listed' });
  expect(possibleWith(view, () => true)).toEqual(new Set(['capture', 'cancel', 'show-paid']));
  const [kept] = view.card.transactions.filter(({ type }) => type === 'Capture');
  await shop.payments.settler.settleForwarded({ ...kept } as never, { outcome: 'NoAnswer' });
  expect(possibleWith(await shop.view(order.orderId), () => true)).toEqual(new Set(['redirect', 'view']));
});

test('what follows an order waits while a step of it is being taken back, and is done once that is acknowledged', async () => {
  const { order } = await shop.create(500);
  const { orderId } = order;
  await shop.payByCard(orderId);
  await shop.followUp(orderId, { type: 'Capture', amount: 100, payeeReference: 'taken-first' });
  shop.answerNext(SILENCE);
  const lost = await shop.followUp(orderId, { type: 'Capture', amount: 50, payeeReference: 'taken-lost' });
  expect(lost.view.order).toMatchObject({ captured: 100, reservedHold: 0, unsettled: 1 });
  const asked = shop.questions.length;
  const requests = [
    { type: 'Capture', amount: 50, payeeReference: 'taken-again' },
    { type: 'Cancellation', payeeReference: 'taken-rest' },
    { type: 'Reversal', amount: 10, payeeReference: 'taken-back' },
  ] as const;
  for (const request of requests) {
    await expect(shop.followUp(orderId, request)).rejects.toMatchObject({ code: 'conflict', retryAfterSeconds: 5 });
  }
  expect(shop.questions.length).toBe(asked);
  const [failed] = lost.view.card.transactions.filter(({ takingBack }) => takingBack);
  await shop.payments.settler.noteTakenBack({ ...failed } as never);
  for (const request of requests) {
    expect((await shop.followUp(orderId, request)).transaction?.state).toBe('Completed');
  }
  expect((await shop.view(orderId)).order).toMatchObject({ captured: 150, cancelled: 350, reversed: 10, unsettled: 0 });
});
