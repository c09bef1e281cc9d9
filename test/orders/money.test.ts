import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { amountMinor } from '../../src/kit/money.ts';
import { possibleWith } from '../../src/orders/answers/order-state.rules.ts';
import { abortOrder, updateOrder } from '../../src/orders/changes/change-order.flow.ts';
import { endAuthorization, releaseGiftCards } from '../../src/orders/end-orders.flow.ts';
import { findHistory } from '../../src/orders/find-order.ts';
import { noteOpened, noteSelected } from '../../src/orders/page/note-visit.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { DECLINED, orderShop, overtaken, repeated, SILENCE } from '../support/shop/order-shop.ts';

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

/** An order that gift cards of these balances are added to. */
async function orderWith(amount: number, balances: readonly number[], more: Parameters<typeof shop.create>[1] = {}) {
  const { order } = await shop.create(amount, more);
  const cards = await Promise.all(balances.map((balance) => shop.giftCard(balance)));
  for (const { number } of cards) expect((await shop.add(order.orderId, number)).outcome).toBe('ok');
  return { orderId: order.orderId, cards };
}

const available = async (cards: readonly { readonly accountId: Parameters<typeof shop.account>[0] }[]) =>
  Promise.all(cards.map(async ({ accountId }) => (await shop.account(accountId))?.available));

describe('paying an order', () => {
  test('with gift cards alone is one step', async () => {
    const { orderId, cards } = await orderWith(500, [200, 400]);
    expect((await shop.pay(orderId)).outcome).toBe('ok');
    const view = await shop.view(orderId);
    expect(view.order).toMatchObject({ status: 'Paid', captured: 0, heldUntil: null });
    expect(view.legs.map(({ state, amounts }) => [state, amounts.amount])).toEqual([
      ['Authorized', 200],
      ['Authorized', 300],
    ]);
    expect(view.transactions).toMatchObject([{ type: 'Authorization', state: 'Completed', amount: 500 }]);
    expect(await available(cards)).toEqual([0, 100]);
  });

  test('with gift cards and a card asks the card for the rest alone', async () => {
    const { orderId, cards } = await orderWith(500, [120, 30]);
    await shop.payByCard(orderId);
    expect(shop.questions.at(-1)).toMatchObject({ amount: 350, operation: 'Authorize' });
    const { order, legs, remaining, transactions, card } = await shop.view(orderId);
    expect(order.status).toBe('Paid');
    expect(legs.map(({ kind, amounts }) => [kind, amounts.amount])).toEqual([
      ['Account', 120],
      ['Account', 30],
      ['Card', 350],
    ]);
    expect(remaining).toEqual({ capture: 500, cancel: 500, reversal: 0 });
    expect(transactions).toMatchObject([{ transactionId: card.payment.paidBy, amount: 500 }]);
    expect(await available(cards)).toEqual([0, 0]);
  });

  test('with AutoCapture captures all parts with the approval', async () => {
    const { orderId } = await orderWith(500, [120], { intent: 'AutoCapture' });
    await shop.payByCard(orderId);
    const { order, remaining, transactions } = await shop.view(orderId);
    expect(order).toMatchObject({ status: 'Paid', captured: 500, authorizedUntil: null });
    expect(remaining).toEqual({ capture: 0, cancel: 0, reversal: 500 });
    expect(transactions).toMatchObject([{ type: 'Sale', amount: 500 }]);
  });

  test('does nothing where the payer saw something else', async () => {
    const { orderId, cards } = await orderWith(500, [120]);
    const seen = { legs: [], card: 500 };
    await expect(shop.payByCard(orderId, seen)).rejects.toThrow(/conflict/);
    expect((await shop.pay(orderId, seen)).outcome).toBe('changed');
    expect(await available(cards)).toEqual([120]);
    expect((await shop.view(orderId)).order.heldUntil).toBeNull();
  });

  test('keeps gift cards for another card after a decline, and gives them back after the third', async () => {
    const { orderId, cards } = await orderWith(500, [120]);
    shop.answerNext(DECLINED, DECLINED, DECLINED);
    await shop.payByCard(orderId);
    expect(await available(cards)).toEqual([0]);
    const { order } = await shop.view(orderId);
    expect(order).toMatchObject({ status: 'Initialized', failedTries: 1 });
    expect(order.heldUntil).not.toBeNull();
    await shop.payByCard(orderId);
    await shop.payByCard(orderId);
    expect((await shop.view(orderId)).order).toMatchObject({ status: 'Failed', heldUntil: null });
    expect(await available(cards)).toEqual([120]);
  });

  test('keeps gift cards while an outcome is unknown', async () => {
    const { orderId, cards } = await orderWith(500, [120]);
    shop.answerNext(SILENCE);
    await shop.payByCard(orderId);
    expect((await shop.view(orderId)).order).toMatchObject({ status: 'Initialized', unsettled: 1 });
    expect(await available(cards)).toEqual([0]);
    await expect(abortOrder(shop.flows, { ...shop.asked(orderId), reason: 'x' })).rejects.toThrow(/forbidden/);
    const { card } = await shop.view(orderId);
    const [transaction] = card.transactions;
    await shop.payments.settler.noteTakenBack({ ...transaction, attemptId: transaction?.attemptId } as never);
    expect((await shop.view(orderId)).order).toMatchObject({ status: 'Initialized', unsettled: 0 });
    await shop.payByCard(orderId);
    expect((await shop.view(orderId)).order.status).toBe('Paid');
  });

  test('is busy while an issuer is being asked, and an approval counts all the same', async () => {
    const { orderId } = await orderWith(500, [120]);
    const other = await shop.giftCard(50);
    const outcomes: string[] = [];
    shop.meanwhile(async () => {
      outcomes.push((await shop.add(orderId, other.number)).outcome);
      const { legs } = await shop.view(orderId);
      outcomes.push((await shop.remove(orderId, legs[0]?.legId ?? '')).outcome);
      outcomes.push((await shop.pay(orderId)).outcome);
    });
    await shop.payByCard(orderId);
    expect(outcomes).toEqual(['busy', 'busy', 'busy']);
    expect((await shop.view(orderId)).order.status).toBe('Paid');
  });
});

describe('an unpaid order', () => {
  test('gives back what is held when it is aborted, when a card is removed, and when its time is over', async () => {
    const { orderId, cards } = await orderWith(500, [120, 30]);
    shop.answerNext(DECLINED);
    await shop.payByCard(orderId);
    expect(await available(cards)).toEqual([0, 0]);
    const { legs } = await shop.view(orderId);
    expect((await shop.remove(orderId, legs[0]?.legId ?? '')).outcome).toBe('ok');
    expect(await available(cards)).toEqual([120, 0]);
    await kontor.database.asAdmin(`update payment_order set held_until = kontor_now() where order_id = '${orderId}'`);
    await releaseGiftCards(shop.flows, { payeeId: kontor.payeeId, orderId });
    expect(await available(cards)).toEqual([120, 30]);
    const { order } = await abortOrder(shop.flows, { ...shop.asked(orderId), reason: 'Changed my mind' });
    expect(order).toMatchObject({ status: 'Aborted', abortReason: 'Changed my mind' });
  });

  test('is over for cards when it is over, whatever its card payment says', async () => {
    const { orderId } = await orderWith(500, []);
    const { order, card } = await shop.view(orderId);
    await kontor.database.asAdmin(
      `update payment_order set expires_at = kontor_now() where order_id = '${order.orderId}'`,
    );
    await expect(shop.payByCard(orderId)).rejects.toThrow(/forbidden/);
    expect((await shop.pay(orderId)).outcome).toBe('ended');
    await kontor.database.asAdmin(
      `update card_payment set expires_at = o.expires_at from payment_order o
       where card_payment.payment_id = '${card.payment.paymentId}' and o.order_id = '${order.orderId}'`,
    );
  });

  test('keeps what visits of its page have noted since it was read, and gives no place to two gift cards', async () => {
    const { orderId } = await orderWith(500, [120]);
    for (const { legId } of (await shop.view(orderId)).legs) await shop.remove(orderId, legId);
    const seen = await shop.view(orderId);
    const { read, transact } = kontor.service.database;
    await transact(async (transaction) => {
      await noteOpened(transaction, { ...seen.order, isFramed: false });
      await noteSelected(transaction, { ...seen.order, instrument: 'GiftCard' });
    });
    const { number } = await shop.giftCard(100);
    expect((await shop.add(orderId, number, seen)).outcome).toBe('ok');
    const { order, legs } = await shop.view(orderId);
    expect(order).toMatchObject({ integration: 'Redirect', version: seen.order.version + 1 });
    expect(legs).toMatchObject([{ position: 2 }]);
    const history = await findHistory({ read }, order);
    expect(history.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
    const latest = ['PaymentLoaded', 'PaymentInstrumentSelected', 'PaymentGiftCardAdded'];
    expect(history.slice(-3).map(({ name }) => name)).toEqual(latest);
  });

  test('lowers its holds with its amount, last first', async () => {
    const { orderId, cards } = await orderWith(500, [120, 80]);
    shop.answerNext(DECLINED);
    await shop.payByCard(orderId);
    const request = { orderItems: undefined, description: undefined, orderReference: undefined };
    const to = (amount: number) =>
      updateOrder(shop.flows, {
        ...shop.asked(orderId),
        ...request,
        amount: amountMinor(amount),
        vatAmount: amountMinor(0),
      });
    await to(150);
    expect(await available(cards)).toEqual([0, 50]);
    await to(100);
    expect(await available(cards)).toEqual([20, 80]);
    await to(900);
    await shop.payByCard(orderId);
    expect((await shop.view(orderId)).legs.map(({ amounts }) => amounts.amount)).toEqual([120, 80, 700]);
  });
});

describe('what follows a payment', () => {
  test('takes from gift cards first, and gives back to the card first', async () => {
    const { orderId, cards } = await orderWith(500, [120, 30]);
    await shop.payByCard(orderId);
    const parts = async (request: Parameters<typeof shop.followUp>[1]) =>
      (await shop.followUp(orderId, request)).transaction?.parts.map(({ amount }) => amount);
    expect(await parts({ type: 'Capture', amount: 140 })).toEqual([120, 20]);
    expect(await parts({ type: 'Capture', amount: 150 })).toEqual([10, 140]);
    expect(await parts({ type: 'Reversal', amount: 145 })).toEqual([5, 140]);
    expect(await parts({ type: 'Cancellation' })).toEqual([210]);
    const { order, remaining } = await shop.view(orderId);
    expect(order).toMatchObject({ status: 'Paid', captured: 290, cancelled: 210, reversed: 145 });
    expect(remaining).toEqual({ capture: 0, cancel: 0, reversal: 145 });
    await expect(shop.followUp(orderId, { type: 'Reversal', amount: 146 })).rejects.toThrow(/forbidden/);
    await shop.followUp(orderId, { type: 'Reversal', amount: 145 });
    expect((await shop.view(orderId)).order.status).toBe('Reversed');
    expect(await available(cards)).toEqual([120, 30]);
  });

  test('books nothing where the card part is declined, and keeps all apart while its outcome is unknown', async () => {
    const { orderId, cards } = await orderWith(500, [120]);
    await shop.payByCard(orderId);
    shop.answerNext(DECLINED);
    const declined = await shop.followUp(orderId, { type: 'Capture', amount: 500, payeeReference: 'A' });
    expect(declined.transaction).toMatchObject({ state: 'Failed', problem: 'acquirerinsufficientfunds' });
    expect(declined.view.order).toMatchObject({ captured: 0, reservedHold: 0 });
    shop.answerNext(SILENCE);
    const silent = await shop.followUp(orderId, { type: 'Capture', amount: 500 });
    expect(silent.transaction?.state).toBe('Initialized');
    expect(silent.view.order).toMatchObject({ captured: 0, reservedHold: 500 - 380, unsettled: 1 });
    await expect(shop.followUp(orderId, { type: 'Cancellation' })).rejects.toThrow(/conflict/);
    const transaction = silent.view.card.transactions.at(-1);
    await shop.payments.settler.noteTakenBack({ ...transaction } as never);
    expect((await shop.view(orderId)).order).toMatchObject({ captured: 0, reservedHold: 0, unsettled: 0 });
    const again = await shop.followUp(orderId, { type: 'Capture', amount: 500, payeeReference: 'A' });
    expect(again).toMatchObject({ isReplay: true, transaction: { state: 'Failed' } });
    expect(await available(cards)).toEqual([0]);
  });

  test('is done once for each reference', async () => {
    const { orderId } = await orderWith(100, [100]);
    await shop.pay(orderId);
    const request = { type: 'Capture', amount: 60, payeeReference: 'B' } as const;
    const first = await shop.followUp(orderId, request);
    const second = await shop.followUp(orderId, request);
    expect(second).toMatchObject({ isReplay: true, transaction: { transactionId: first.transaction?.transactionId } });
    await expect(shop.followUp(orderId, { ...request, amount: 40 })).rejects.toThrow(/referencereused/);
    expect((await shop.view(orderId)).order.captured).toBe(60);
  });

  test('is waited for by its repeat while the acquirer is asked: until it is known, or for two seconds', async () => {
    const { orderId } = await orderWith(500, [120]);
    await shop.payByCard(orderId);
    const asked = await repeated(kontor, (other) =>
      other.followUp(orderId, { type: 'Capture', amount: 300, payeeReference: 'D' }),
    );
    const { transaction } = asked.first;
    expect(asked.early).toMatch(/conflict/);
    expect(transaction).toMatchObject({ state: 'Completed', amount: 300 });
    expect(asked.late).toMatchObject({ isReplay: true, transaction });
    expect(asked).toMatchObject({ waitedMs: 2_000, questions: 1 });
  });

  test('is a conflict where a card pays the order while it is made ready', async () => {
    const { orderId } = await orderWith(500, [120]);
    const other = overtaken(kontor, () => shop.payByCard(orderId));
    await expect(other.followUp(orderId, { type: 'Capture', amount: 300 })).rejects.toThrow(/conflict/);
    expect(other.questions).toEqual([]);
    expect((await shop.view(orderId)).order).toMatchObject({ status: 'Paid', captured: 0 });
  });

  test('goes by the legs that a request names', async () => {
    const { orderId } = await orderWith(500, [120]);
    await shop.payByCard(orderId);
    const { legs } = await shop.view(orderId);
    const named = (gift: number, card: number) => [
      { legId: legs[0]?.legId ?? '', amount: gift },
      { legId: legs[1]?.legId ?? '', amount: card },
    ];
    const ask = (amount: number, of: ReturnType<typeof named>) =>
      shop.followUp(orderId, { type: 'Capture', amount, legs: of });
    await expect(ask(100, named(50, 60))).rejects.toThrow(/inputerror/);
    await expect(ask(200, named(130, 70))).rejects.toThrow(/forbidden/);
    expect((await ask(110, named(50, 60))).transaction?.parts.map(({ amount }) => amount)).toEqual([50, 60]);
  });

  test('ends with the authorization, all legs at once', async () => {
    const { orderId, cards } = await orderWith(500, [120]);
    await shop.payByCard(orderId);
    await endAuthorization(shop.flows, { payeeId: kontor.payeeId, orderId: (await shop.view(orderId)).order.orderId });
    expect((await shop.view(orderId)).order).toMatchObject({
      status: 'Cancelled',
      cancelled: 500,
      cancelReason: 'AuthorizationExpired',
      authorizedUntil: null,
    });
    expect(await available(cards)).toEqual([120]);
  });
});

describe('an acquirer that takes no cancellations', () => {
  const withTwoLegs = async (of: typeof shop) => {
    const gift = await of.giftCard(120);
    const { order } = await of.create(500);
    await of.add(order.orderId, gift.number);
    await of.payByCard(order.orderId);
    return { gift, orderId: order.orderId, payeeId: order.payeeId };
  };

  test('keeps no gift card held: its own part ends unasked with the authorization, and when the payee cancels', async () => {
    const lacking = orderShop(kontor, { operations: ['Authorize', 'Capture'] });
    const asked = () => lacking.questions.length;
    const ended = await withTwoLegs(lacking);
    const before = asked();
    await endAuthorization(lacking.flows, ended);
    const { order, card, transactions } = await lacking.view(ended.orderId);
    expect([asked(), order.status, order.cancelReason]).toEqual([before, 'Cancelled', 'AuthorizationExpired']);
    expect(transactions.at(-1)).toMatchObject({ state: 'Completed', initiatedBy: 'PaymentGateway', amount: 500 });
    expect(card.payment).toMatchObject({ cancelled: 380, reservedHold: 0, unsettled: 0 });
    expect((await lacking.account(ended.gift.accountId))?.available).toBe(120);
    const cancelled = await withTwoLegs(lacking);
    const answer = await lacking.followUp(cancelled.orderId, { type: 'Cancellation', payeeReference: 'once' });
    expect(answer).toMatchObject({ isReplay: false, transaction: { state: 'Completed', amount: 500 } });
    const again = await lacking.followUp(cancelled.orderId, { type: 'Cancellation', payeeReference: 'once' });
    expect(again).toMatchObject({ isReplay: true, view: { order: { status: 'Cancelled' } } });
  });

  test('is as one whose agreement has ended, or that declines for a day', async () => {
    const paid = await withTwoLegs(shop);
    const gone = orderShop(kontor, { agreementsOf: () => [] });
    await endAuthorization(gone.flows, paid);
    expect((await shop.view(paid.orderId)).order.status).toBe('Cancelled');
    const declined = await withTwoLegs(shop);
    for (let hour = 0; hour < 24; hour++) {
      shop.answerNext(DECLINED);
      await endAuthorization(shop.flows, declined);
    }
    expect((await shop.account(declined.gift.accountId))?.available).toBe(0);
    await endAuthorization(shop.flows, declined);
    expect((await shop.view(declined.orderId)).order).toMatchObject({ status: 'Cancelled', unsettled: 0 });
  });

  test('is not asked for what it lacks, and an order lists that as long as a gift card can do it', async () => {
    const lacking = orderShop(kontor, { operations: ['Authorize', 'Cancel'] });
    const { orderId } = await withTwoLegs(lacking);
    const offered = async () => {
      const possible = possibleWith(await lacking.view(orderId), (step) => step === 'Reversal');
      return ['capture', 'cancel', 'reverse'].filter((what) => possible.has(what as never));
    };
    expect(await offered()).toEqual(['capture', 'cancel']);
    await expect(lacking.followUp(orderId, { type: 'Capture', amount: 121 })).rejects.toThrow(/forbidden/);
    await lacking.followUp(orderId, { type: 'Capture', amount: 120 });
    expect(await offered()).toEqual(['cancel', 'reverse']);
  });
});

test('an order with the token of a renewal is paid at once, or failed, and its repeat waits while it is asked', async () => {
  const first = await shop.create(100, { terms: { generate: ['Recurrence'] } as never });
  const { transaction } = await shop.payByCard(first.order.orderId).then(async () => {
    const { card } = await shop.view(first.order.orderId);
    return { transaction: card.transactions[0] };
  });
  const token = transaction?.tokens[0]?.token ?? '';
  const renew = () => shop.create(70, { operation: 'Recur', terms: { token } as never });
  const paid = await renew();
  expect(paid.order.status).toBe('Paid');
  expect(paid.transactions).toMatchObject([{ type: 'Authorization', amount: 70 }]);
  shop.answerNext(DECLINED);
  expect((await renew()).order).toMatchObject({ status: 'Failed', problem: 'acquirerinsufficientfunds' });
  const terms = { token, payeeInfo: { payeeReference: 'renewed' } } as never;
  const asked = await repeated(kontor, (other) => other.create(70, { operation: 'Recur', terms }));
  expect(asked.early).toMatch(/conflict/);
  expect(asked.first.order.status).toBe('Paid');
  expect(asked.late).toMatchObject({ isReplay: true, order: asked.first.order });
  expect(asked).toMatchObject({ waitedMs: 2_000, questions: 1 });
});

test('one gift card pays no more orders than it has money for', async () => {
  const card = await shop.giftCard(100);
  const orders = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { order } = await shop.create(10);
      await shop.add(order.orderId, card.number);
      return { orderId: order.orderId, seen: await shop.split(order.orderId) };
    }),
  );
  const other = orderShop(kontor);
  const outcomes = await Promise.all(
    orders.map(({ orderId, seen }, index) => (index % 2 === 0 ? shop : other).pay(orderId, seen)),
  );
  expect(outcomes.filter(({ outcome }) => outcome === 'ok')).toHaveLength(10);
  expect(outcomes.filter(({ outcome }) => outcome === 'changed')).toHaveLength(30);
  expect((await shop.account(card.accountId))?.available).toBe(0);
});
