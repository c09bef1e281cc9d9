import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { amountMinor } from '../../src/kit/money.ts';
import { endAuthorization } from '../../src/orders/end-orders.flow.ts';
import { endCardAuthorization } from '../../src/payments/changes/end-authorization.flow.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { accountsShop, paid } from '../support/shop/accounts-shop.ts';
import { type CardPaymentsShop, cardPaymentsShop, type Members } from '../support/shop/card-payments-shop.ts';
import { DECLINED, orderShop, SILENCE } from '../support/shop/order-shop.ts';

// What an event says of money is what its resource shows at that moment.

let kontor: TestService;
let shop: ReturnType<typeof orderShop>;
let issuer: ScriptedIssuer;
let cards: CardPaymentsShop;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  shop = orderShop(kontor);
  issuer = await scriptedIssuer(kontor);
  cards = cardPaymentsShop(issuer.kontor);
});
afterAll(async () => {
  await issuer.stop();
  await kontor.stop();
});
afterEach(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
});

interface Said {
  readonly id: string;
  readonly type: string;
  readonly payload: Members;
}

/** Members that are told in events, each with its value in an answer, which leaves out what is 0 or absent. */
const REMAINING = ['remainingCaptureAmount', 'remainingCancellationAmount', 'remainingReversalAmount'];
const ORDER = ['number', 'operation', 'status', 'amount', 'currency', ...REMAINING];
const CARD_PAYMENT = ['number', 'operation', 'state', 'currency'];
const ACCOUNT_PAYMENT = ['state', 'amount', 'currency'];

/** What the resource of an event shows of it now. */
async function shownOf({ payload }: Said): Promise<Members> {
  const { orderId, paymentId, accountId } = payload;
  if (accountId !== undefined) {
    const { body } = await kontor.send('GET', `/api/payments/payment-account/${accountId}/payment/${paymentId}`);
    return pick(ACCOUNT_PAYMENT, body);
  }
  if (paymentId !== undefined) {
    return pick(CARD_PAYMENT, (await kontor.send('GET', `/psp/creditcard/payments/${paymentId}`)).body.payment);
  }
  const headers = { accept: 'application/json;version=3.1' };
  const { body } = await kontor.send('GET', `/psp/paymentorders/${orderId}`, { headers });
  return pick(ORDER, body.paymentOrder);
}

const pick = (names: readonly string[], from: Members): Members =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? (name.startsWith('remaining') ? 0 : undefined)]));

/** Compares what was told by a step with what is shown after it. Each step tells once of a resource, or twice alike. */
async function step<Result>(take: () => Promise<Result>): Promise<Result> {
  const [last] = await kontor.database.asAdmin('select coalesce(max(event_id::text), $$0$$) as id from event');
  const result = await take();
  const said = (await kontor.database.asAdmin(`
    select event_id::text as id, type, payload from event
    where event_id::text > '${last?.['id']}' and (type like 'payment%' or type like 'card-payment%')
    order by 1`)) as unknown as readonly Said[];
  for (const event of said) {
    const shown = await shownOf(event);
    expect({ type: event.type, ...pick(Object.keys(shown), event.payload) }).toEqual({ type: event.type, ...shown });
  }
  return result;
}

const makeOver = (table: 'payment_order' | 'card_payment', column: string, id: string) =>
  kontor.database.asAdmin(
    `update ${table} set authorized_until = kontor_now() where ${column} = '${id.slice(id.lastIndexOf('/') + 1)}'`,
  );

test('of an order over its whole life: paid, captured, its end declined, given back then, ended', async () => {
  const gift = await shop.giftCard(120);
  const { order } = await step(() => shop.create(500));
  const { orderId, payeeId } = order;
  await shop.add(orderId, gift.number);
  shop.answerNext(DECLINED);
  await step(() => shop.payByCard(orderId));
  await step(() => shop.payByCard(orderId));
  const follow = (request: Parameters<typeof shop.followUp>[1]) => step(() => shop.followUp(orderId, request));
  await follow({ type: 'Capture', amount: 150 });
  shop.answerNext(DECLINED);
  await follow({ type: 'Capture', amount: 20 });
  await follow({ type: 'Reversal', amount: 10 });
  await makeOver('payment_order', 'order_id', orderId);
  await follow({ type: 'Reversal', amount: 10 });
  shop.answerNext(DECLINED);
  await step(() => endAuthorization(shop.flows, { payeeId, orderId }));
  expect((await shop.view(orderId)).remaining).toEqual({ capture: 0, cancel: 350, reversal: 130 });
  await follow({ type: 'Reversal', amount: 10 });
  shop.answerNext(DECLINED);
  await follow({ type: 'Cancellation' });
  await step(() => endAuthorization(shop.flows, { payeeId, orderId }));
  await follow({ type: 'Reversal', amount: 120 });
  expect((await shop.view(orderId)).order.status).toBe('Reversed');
});

test('of an order that ends unpaid while a try of it is under way', async () => {
  const { order } = await step(() => shop.create(500));
  shop.meanwhile(() =>
    kontor.database.asAdmin(`
      with moment as materialized (select kontor_now() as over),
        card as (update card_payment set expires_at = over from moment where order_id = '${order.orderId}')
      update payment_order set expires_at = over from moment where order_id = '${order.orderId}'`),
  );
  shop.answerNext(DECLINED);
  await step(() => shop.payByCard(order.orderId));
});

test('of an order with captures that wait for its acquirer', async () => {
  const { order } = await step(() => shop.create(500));
  const { orderId } = order;
  await step(() => shop.payByCard(orderId));
  const kept = { outcome: 'Kept', releasedAmount: amountMinor(0), sequence: { number: 1, isLast: false } } as const;
  shop.answerNext(kept);
  const { view } = await step(() => shop.followUp(orderId, { type: 'Capture', amount: 100 }));
  shop.answerNext(kept);
  await step(() => shop.followUp(orderId, { type: 'Capture', amount: 50 }));
  const transaction = view.card.transactions.at(-1);
  const answer = { outcome: 'Approved', responseCode: '000', references: { retrievalReference: '' } } as const;
  await step(() => shop.payments.settler.settleForwarded({ ...transaction } as never, answer));
});

test('of a card payment over its whole life', async () => {
  const id = await step(() => cards.purchase(1000));
  issuer.answerNext(DECLINED);
  await step(() => cards.authorize(id));
  await step(() => cards.authorize(id));
  const follow = (what: 'captures' | 'cancellations' | 'reversals', amount?: number) =>
    step(() =>
      cards.follow(id, what, {
        ...(amount !== undefined && { amount, vatAmount: 0 }),
        description: what,
        payeeReference: `${what}-${amount}-${Math.trunc(performance.now() * 1000)}`,
      }),
    );
  await follow('captures', 300);
  issuer.answerNext(SILENCE);
  await follow('captures', 100);
  await makeOver('card_payment', 'payment_id', id);
  await follow('reversals', 100);
  const context = { ...kontor.service.slices.payments.context, issuers: issuer.issuers };
  const key = { payeeId: kontor.payeeId, paymentId: id.slice(id.lastIndexOf('/') + 1) as never };
  const end = () => step(() => endCardAuthorization({ transact: kontor.service.database.transact, context }, key));
  issuer.answerNext(DECLINED);
  await end();
  await follow('reversals', 50);
  await end();
  await follow('reversals', 150);
  const aborted = await step(() => cards.purchase(1000));
  await step(() => cards.abort(aborted));
});

test('of a payment with stored value over its whole life', async () => {
  const accounts = accountsShop(kontor);
  const account = await accounts.open(1000);
  await step(() => accounts.pay('deposit', account, { amount: 100 }));
  await step(() => accounts.pay('authorize', account, { amount: 100_000 }));
  const payment = paid(account, await step(() => accounts.pay('authorize', account, { amount: 500 })));
  await step(() => accounts.follow('capture', payment, { amount: 300, releaseRemainingAmount: false }));
  await step(() => accounts.follow('reversal', payment, { amount: 100 }));
  await step(() => accounts.follow('cancel', payment, {}));
  await step(() => accounts.follow('reversal', payment, { amount: 200 }));
});
