import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { selectLiability } from '../../src/gift-cards/liability/liability.store.ts';
import { assert } from '../../src/kit/assert.ts';
import type { AccountId } from '../../src/ledger/ledger.types.ts';
import { endAuthorization } from '../../src/orders/end-orders.flow.ts';
import { selectEntries } from '../../src/portal/ledger/accounts.store.ts';
import { sumDay } from '../../src/settlements/days/close-day.ts';
import { insertDay } from '../../src/settlements/days/days.store.ts';
import { itemLines } from '../../src/settlements/days/export-day.ts';
import { collectItems } from '../../src/settlements/days/items.store.ts';
import { lockMark } from '../../src/settlements/days/marks.store.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { orderPayer } from '../support/payer/order-payer.ts';
import { orderWalks } from '../support/payer/order-walks.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import type { OpenedAccount } from '../support/shop/accounts-shop.ts';
import { type CardLife, cardLife } from '../support/shop/card-life.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';
import { DECLINED, orderShop, SILENCE } from '../support/shop/order-shop.ts';
import { hrefOf } from '../support/shop/orders-shop.ts';

// What becomes of the legs of a paid order: gift cards that ended meanwhile, acquirers that capture once, the end of an
// authorization.

let kontor: TestService;
let shop: ReturnType<typeof orderShop>;
let life: CardLife;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  shop = orderShop(kontor);
  life = cardLife(kontor);
});
afterAll(() => kontor.stop());
afterEach(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
});

const availableOn = async ({ paymentAccountId }: OpenedAccount) =>
  (await shop.account(paymentAccountId as AccountId))?.available;

/** An order of 500 that a gift card with 300 on it pays 200 of, captured whole. */
async function captured() {
  const card = await life.cards.issue(200);
  shop.found.set(card.accountKey, card.paymentAccountId as AccountId);
  const { order } = await shop.create(500);
  expect((await shop.add(order.orderId, card.accountKey)).outcome).toBe('ok');
  await shop.payByCard(order.orderId);
  await shop.followUp(order.orderId, { type: 'Capture', amount: 500 });
  const { legs } = await shop.view(order.orderId);
  const [gift, byCard] = legs.map(({ legId }) => legId);
  return { orderId: order.orderId, card, gift: gift ?? '', byCard: byCard ?? '' };
}

/** Gives all back to a leg of a gift card. */
const backTo = (orderId: string, legId: string) =>
  shop.followUp(orderId, { type: 'Reversal', amount: 200, legs: [{ legId, amount: 200 }] });

/** The account that a step has led the money of a card to. */
async function successorOf(card: OpenedAccount, column: 'replaced_by' | 'merged_into'): Promise<OpenedAccount> {
  const row = await life.row(
    `select ${column}::text as id from gift_card where account_id = '${card.paymentAccountId}'`,
  );
  return { ...card, paymentAccountId: String(row?.['id']) };
}

describe('money that goes back to a gift card', () => {
  test('goes to the one that replaced it, with what was left on it or nothing', async () => {
    const { orderId, card } = await captured();
    await life.done('replace', card);
    await shop.followUp(orderId, { type: 'Reversal', amount: 500 });
    const replacement = await successorOf(card, 'replaced_by');
    expect([await availableOn(card), await availableOn(replacement)]).toEqual([0, 200]);
    expect((await shop.view(orderId)).order.status).toBe('Reversed');
  });

  test('goes to the last one where it was merged and that one was replaced', async () => {
    const { orderId, card, gift } = await captured();
    await backTo(orderId, gift);
    const into = await life.cards.issue(50);
    await life.done('merge', card, { into: into.paymentAccountId });
    await life.done('replace', into);
    const last = await successorOf(into, 'replaced_by');
    await shop.followUp(orderId, { type: 'Reversal', amount: 300 });
    expect([await availableOn(card), await availableOn(into), await availableOn(last)]).toEqual([0, 0, 250]);
    const other = await captured();
    await life.done('replace', other.card);
    const next = await successorOf(other.card, 'replaced_by');
    await life.done('replace', next);
    await backTo(other.orderId, other.gift);
    expect(await availableOn(await successorOf(next, 'replaced_by'))).toBe(200);
  });

  test('goes there also while it is blocked or has expired, where the sweep finds it', async () => {
    const { orderId, card, gift } = await captured();
    await life.done('block', card);
    await backTo(orderId, gift);
    expect(await availableOn(card)).toBe(200);
    const late = await captured();
    await life.cards.expire(late.card);
    await backTo(late.orderId, late.gift);
    expect(await availableOn(late.card)).toBe(200);
    await life.done('sweep', late.card);
    expect(await availableOn(late.card)).toBe(0);
  });

  test('has nowhere to go once the card was swept: the payee names other legs', async () => {
    const { orderId, card, gift, byCard } = await captured();
    await life.cards.expire(card);
    await backTo(orderId, gift).then(() => life.done('sweep', card));
    await expect(shop.followUp(orderId, { type: 'Reversal', amount: 301 })).rejects.toThrow(/forbidden/);
    const other = await captured();
    const into = await life.cards.issue(10);
    await shop.followUp(other.orderId, { type: 'Reversal', amount: 1, legs: [{ legId: other.gift, amount: 1 }] });
    await life.done('merge', other.card, { into: into.paymentAccountId });
    await life.cards.expire(into);
    await life.done('sweep', into);
    await expect(shop.followUp(other.orderId, { type: 'Reversal', amount: 499 })).rejects.toThrow(/forbidden/);
    const named = [{ legId: other.byCard, amount: 300 }];
    await shop.followUp(other.orderId, { type: 'Reversal', amount: 300, legs: named });
    const { order } = await shop.view(other.orderId);
    expect(order).toMatchObject({ status: 'Paid', reversed: 301, reservedReversal: 0 });
    expect([byCard, await availableOn(into)]).toEqual([byCard, 0]);
  });

  test("is the payee's where the card is swept while the acquirer gives its own part back", async () => {
    const { orderId, card, gift, byCard } = await captured();
    await shop.followUp(orderId, { type: 'Reversal', amount: 1, legs: [{ legId: gift, amount: 1 }] });
    await life.cards.expire(card);
    shop.meanwhile(() => life.done('sweep', card));
    const legs = [
      { legId: gift, amount: 99 },
      { legId: byCard, amount: 200 },
    ];
    const before = await life.sideOf('Breakage');
    const { transaction } = await shop.followUp(orderId, { type: 'Reversal', amount: 299, legs });
    expect(transaction).toMatchObject({ state: 'Completed', amount: 299 });
    const { order } = await shop.view(orderId);
    expect(order).toMatchObject({ status: 'Paid', reversed: 300, reservedReversal: 0, unsettled: 0 });
    expect([await availableOn(card), (await life.sideOf('Breakage')) - before]).toEqual([0, 100]);
    await expect(backTo(orderId, gift)).rejects.toThrow(/forbidden/);
  });

  test('goes to the new number of a card that gets one while the acquirer is asked, or to the payee where that is void', async () => {
    const { orderId, card } = await captured();
    shop.meanwhile(() => life.done('replace', card));
    await shop.followUp(orderId, { type: 'Reversal', amount: 500 });
    expect(await availableOn(await successorOf(card, 'replaced_by'))).toBe(200);
    const other = await captured();
    shop.meanwhile(async () => {
      await life.done('replace', other.card);
      await life.done('void', await successorOf(other.card, 'replaced_by'));
    });
    const before = await life.sideOf('Breakage');
    await shop.followUp(other.orderId, { type: 'Reversal', amount: 500 });
    expect((await shop.view(other.orderId)).order).toMatchObject({ status: 'Reversed', reversed: 500 });
    expect((await life.sideOf('Breakage')) - before).toBe(200);
  });

  test('stays where it was where the card is swept, and the acquirer declines its own part', async () => {
    const { orderId, card, gift } = await captured();
    await shop.followUp(orderId, { type: 'Reversal', amount: 1, legs: [{ legId: gift, amount: 1 }] });
    await life.cards.expire(card);
    shop.meanwhile(() => life.done('sweep', card));
    shop.answerNext(DECLINED);
    const { transaction } = await shop.followUp(orderId, { type: 'Reversal', amount: 499 });
    expect(transaction).toMatchObject({ state: 'Failed', problem: 'acquirerinsufficientfunds' });
    expect((await shop.view(orderId)).order).toMatchObject({ reversed: 1, reservedReversal: 0, unsettled: 0 });
  });

  test('that goes back while the card is being replaced is on one of the two that can be spent', async () => {
    for (let round = 0; round < 5; round++) {
      const { orderId, card } = await captured();
      const [, reversed] = await Promise.all([
        life.cards.step('replace', card),
        shop.followUp(orderId, { type: 'Reversal', amount: 500 }),
      ]);
      expect(reversed.transaction?.state).toBe('Completed');
      const row = await life.row(`select replaced_by from gift_card where account_id = '${card.paymentAccountId}'`);
      const now = row?.['replaced_by'] === null ? card : await successorOf(card, 'replaced_by');
      expect(await availableOn(now)).toBe(200);
    }
  });
});

describe('an acquirer that captures once', () => {
  test('ends the rest of the card with the first capture that takes a part of it', async () => {
    const once = orderShop(kontor, { captures: 'one' });
    const card = await once.giftCard(120);
    const { order } = await once.create(500);
    await once.add(order.orderId, card.number);
    await once.payByCard(order.orderId);
    await once.followUp(order.orderId, { type: 'Capture', amount: 100 });
    expect((await once.view(order.orderId)).remaining).toEqual({ capture: 400, cancel: 400, reversal: 100 });
    const { transaction } = await once.followUp(order.orderId, { type: 'Capture', amount: 70 });
    expect(transaction?.parts.map(({ amount, released }) => [amount, released])).toEqual([
      [20, 0],
      [50, 330],
    ]);
    const { order: after, remaining } = await once.view(order.orderId);
    expect(after).toMatchObject({ status: 'Paid', captured: 170, cancelled: 330, reservedHold: 0 });
    expect(remaining).toEqual({ capture: 0, cancel: 0, reversal: 170 });
    await expect(once.followUp(order.orderId, { type: 'Capture', amount: 1 })).rejects.toThrow(/forbidden/);
    await once.followUp(order.orderId, { type: 'Reversal', amount: 170 });
    expect((await once.view(order.orderId)).order.status).toBe('Reversed');
    expect((await once.account(card.accountId))?.available).toBe(120);
  });

  test('releases nothing where it declines, or its answer is not known', async () => {
    const once = orderShop(kontor, { captures: 'one' });
    const { order } = await once.create(500);
    await once.payByCard(order.orderId);
    once.answerNext(DECLINED);
    await once.followUp(order.orderId, { type: 'Capture', amount: 70 });
    expect((await once.view(order.orderId)).remaining.capture).toBe(500);
    once.answerNext(SILENCE);
    const { view } = await once.followUp(order.orderId, { type: 'Capture', amount: 70 });
    expect(view).toMatchObject({ order: { unsettled: 1 }, remaining: { capture: 500 } });
    await expect(once.followUp(order.orderId, { type: 'Capture', amount: 1 })).rejects.toThrow(/conflict/);
    await once.payments.settler.noteTakenBack({ ...view.card.transactions.at(-1) } as never);
    expect((await once.view(order.orderId)).remaining.capture).toBe(500);
  });
});

describe('the end of an authorization', () => {
  const end = async (orderId: string) => {
    const { order } = await shop.view(orderId);
    await endAuthorization(shop.flows, { payeeId: kontor.payeeId as never, orderId: order.orderId });
    return shop.view(orderId);
  };

  test('is the earliest of its legs, and takes all that is left of all of them at once', async () => {
    const gift = await shop.giftCard(120);
    const { order } = await shop.create(500);
    await shop.add(order.orderId, gift.number);
    await shop.payByCard(order.orderId);
    const paid = await shop.view(order.orderId);
    const days = (Date.parse(paid.order.authorizedUntil ?? '') - Date.parse(paid.order.updatedAt)) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    const holds = await kontor.database.asAdmin(
      `select distinct hold_expires_at = o.authorized_until as same from payment p join payment_order o using (payee_id, order_id)
       where o.order_id = '${order.orderId}'`,
    );
    expect(holds).toEqual([{ same: true }]);
    await shop.followUp(order.orderId, { type: 'Capture', amount: 150 });
    const ended = await end(order.orderId);
    expect(ended.order).toMatchObject({
      status: 'Paid',
      captured: 150,
      cancelled: 350,
      cancelReason: 'AuthorizationExpired',
    });
    expect(ended.transactions.at(-1)).toMatchObject({
      type: 'Cancellation',
      initiatedBy: 'PaymentGateway',
      amount: 350,
    });
    expect(ended.remaining).toEqual({ capture: 0, cancel: 0, reversal: 150 });
    expect(ended.order.authorizedUntil).toBeNull();
  });

  test('of gift cards alone needs no acquirer, and one that the acquirer declines is tried again', async () => {
    const gift = await shop.giftCard(120);
    const { order } = await shop.create(100);
    await shop.add(order.orderId, gift.number);
    await shop.pay(order.orderId);
    expect((await end(order.orderId)).order.status).toBe('Cancelled');
    expect((await shop.account(gift.accountId))?.available).toBe(120);
    const byCard = await shop.create(300);
    await shop.payByCard(byCard.order.orderId);
    shop.answerNext(DECLINED);
    const declined = await end(byCard.order.orderId);
    expect(declined.order).toMatchObject({ status: 'Paid', cancelled: 0, reservedHold: 0 });
    expect(Date.parse(declined.order.authorizedUntil ?? '')).toBeGreaterThan(Date.parse(declined.now));
    expect(declined.remaining).toEqual({ capture: 0, cancel: 300, reversal: 0 });
    await expect(shop.followUp(byCard.order.orderId, { type: 'Capture', amount: 1 })).rejects.toThrow(/forbidden/);
    expect((await end(byCard.order.orderId)).order.status).toBe('Cancelled');
  });
});

test('nothing is captured of an order whose authorization is over, though it was not ended yet', async () => {
  const { order } = await shop.create(300);
  await shop.payByCard(order.orderId);
  await shop.followUp(order.orderId, { type: 'Capture', amount: 100 });
  await kontor.database.asAdmin(
    `update payment_order set authorized_until = kontor_now() where order_id = '${order.orderId}'`,
  );
  expect((await shop.view(order.orderId)).remaining).toEqual({ capture: 0, cancel: 200, reversal: 100 });
  await expect(shop.followUp(order.orderId, { type: 'Capture', amount: 1 })).rejects.toThrow(/forbidden/);
  await shop.followUp(order.orderId, { type: 'Reversal', amount: 100 });
});

describe('reports', () => {
  /** Figures of the payee's gift cards, of all times. */
  async function figures(): Promise<Readonly<Record<string, number>>> {
    const [asOf, from, to] = ['2999-01-01', '2020-01-01', '2999-01-01'];
    const { rows } = await kontor.database.transact((transaction) =>
      selectLiability(transaction, kontor.payeeId as never, { asOf, from, to }),
    );
    const sums: Record<string, number> = {};
    for (const { figure, amount } of rows) sums[figure] = (sums[figure] ?? 0) + Number(amount);
    return sums;
  }

  test('count each leg where it belongs: gift cards in what is owed for them, the card in its settlement', async () => {
    const before = await figures();
    const { orderId, card } = await captured();
    await shop.followUp(orderId, { type: 'Reversal', amount: 350 });
    const after = await figures();
    const grown = (figure: string) => (after[figure] ?? 0) - (before[figure] ?? 0);
    expect([grown('issued'), grown('spent'), grown('refunded'), grown('outstanding')]).toEqual([200, 200, 50, 50]);

    const { order, card: byCard } = await shop.view(orderId);
    const exchange = byCard.transactions[0]?.exchange;
    assert(exchange != null, 'an acquirer has approved it');
    const { acquirerId: acquirer, agreementId: agreement } = exchange;
    const { payeeId, currency, number } = order;
    const day = '2026-01-01';
    await kontor.database.transact(async (transaction) => {
      await lockMark(transaction, acquirer);
      await collectItems(transaction, {
        acquirer,
        cutOver: '00:00',
        timeZone: 'UTC',
        unknownOriginal: [],
        after: '-infinity',
        to: null,
      });
    });
    await kontor.database.asAdmin(
      `update settlement_item set day = '${day}' where payment_id = '${order.cardPaymentId}'`,
    );
    const open = { payeeId, acquirer, agreement, currency, day };
    const sums = await kontor.database.transact((transaction) => sumDay(transaction, open));
    assert(sums !== undefined, 'the day has the card part');
    const closing = { ...open, ...sums, settlementId: order.orderId, net: 0, dueAt: null, closedAt: sums.now };
    await kontor.database.transact((transaction) => insertDay(transaction, { ...closing, eventSequence: 1 }));
    const lines: string[] = [];
    for await (const part of itemLines(kontor.database.read, payeeId, day)) lines.push(...part.trim().split('\n'));
    await kontor.database.asAdmin(
      'delete from settlement_day; delete from settlement_open_day; delete from settlement_item',
    );
    const ofOrder = lines.map((line) => JSON.parse(line)).filter(({ orderNumber }) => orderNumber === number);
    expect(ofOrder.map(({ type, amount }) => `${type} ${amount}`).toSorted()).toEqual(['Refund -300', 'Sale 300']);

    const name = { payeeId, accountId: card.paymentAccountId as AccountId };
    const statement = await selectEntries(kontor.database.read, name, { below: 1_000, limit: 100 });
    const named = statement.filter((entry) => entry.orderId === order.orderId && entry.orderNumber === number);
    expect([...new Set(named.map(({ kind }) => kind))]).toEqual(['Reversal', 'Capture', 'Authorize']);
    expect(statement.at(-1)).toMatchObject({ kind: 'Deposit', orderId: null, orderNumber: null });
  });
});

test('an order that gift cards have paid is over for cards, for its payer and for an abort', async () => {
  const { walk, change, orderOf, historyOf } = orderWalks(kontor);
  const card = await cardSeller(kontor).issue(300);
  const { id, payer, made } = await walk({ amount: 300, vatAmount: 0 });
  const stale = orderPayer(kontor, hrefOf(made, 'redirect-checkout'));
  await stale.open();
  await payer.add(card);
  await payer.payByGiftCards();
  for (const sent of [await stale.payByCard(), await stale.page.post('/cancel', {}), await stale.payByCard()]) {
    expect(sent.status).toBeLessThan(400);
  }
  expect((await change(id, 'Abort', { abortReason: 'TooLate' })).body.problems).toMatchObject([{ name: 'Abort' }]);
  const after = await orderOf(id, 'financialtransactions');
  expect(after.financialTransactions.financialTransactionsList).toMatchObject([{ type: 'Authorization', amount: 300 }]);
  expect(after.legs).toMatchObject([{ state: 'Authorized', amount: 300, instrument: 'GiftCard' }]);
  expect((await historyOf(id)).at(-1)).toBe('PaymentPaid Payer');
});

test('a token of an unscheduled payment pays an order at once, captured where that was asked for, or it has failed', async () => {
  const first = await shop.create(100, { terms: { generate: ['Unscheduled'] } as never });
  await shop.payByCard(first.order.orderId);
  const token = (await shop.view(first.order.orderId)).card.transactions[0]?.tokens[0]?.token ?? '';
  const again = (intent: 'Authorization' | 'AutoCapture') =>
    shop.create(70, { operation: 'UnscheduledPurchase', intent, terms: { token } as never });
  expect((await again('AutoCapture')).order).toMatchObject({ status: 'Paid', captured: 70 });
  shop.answerNext(SILENCE);
  const unknown = await again('Authorization');
  expect(unknown.order).toMatchObject({ status: 'Initialized', unsettled: 1 });
  const { card } = await shop.view(unknown.order.orderId);
  await shop.payments.settler.noteTakenBack({ ...card.transactions.at(-1) } as never);
  expect((await shop.view(unknown.order.orderId)).order).toMatchObject({ status: 'Failed', unsettled: 0 });
});

test("the prices of an order's card payment are what its latest try was to take", async () => {
  const { shop: orders, walk, change } = orderWalks(kontor);
  const { id, payer } = await walk({ amount: 1000, vatAmount: 200 });
  const updated = await change(id, 'UpdateOrder', { amount: 900, vatAmount: 180 });
  expect(updated.status, updated.text).toBe(200);
  await payer.open();
  await payer.add(await cardSeller(kontor).issue(300));
  await payer.payByCard();
  const { currentPayment } = (await orders.get(id, { version: '2.0', expand: 'currentPayment' })).body.paymentOrder;
  const prices = await orders.get(currentPayment.payment.prices.id);
  expect(prices.body.prices.priceList).toEqual([{ type: 'CreditCard', amount: 600, vatAmount: 120 }]);
});
