import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderId } from '../../src/ledger/ledger.types.ts';
import { abortOrder } from '../../src/orders/changes/change-order.flow.ts';
import { brokenInvariants } from '../support/crash/books.ts';
import { type Damage, testDamages } from '../support/crash/damages.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { DECLINED, orderShop } from '../support/shop/order-shop.ts';

let kontor: TestService;
let shop: ReturnType<typeof orderShop>;
/** Captured and given back in part, over a gift card and a card. */
let paid: OrderId;
/** A card was declined: its gift card is held. */
let held: OrderId;
/** Ended while a gift card was held. */
let ended: OrderId;

beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  shop = orderShop(kontor);
  paid = await orderWith(500, 120);
  await shop.payByCard(paid);
  await shop.followUp(paid, { type: 'Capture', amount: 200, vatAmount: 0 });
  await shop.followUp(paid, { type: 'Reversal', amount: 50, vatAmount: 0 });
  held = await orderWith(500, 130);
  ended = await orderWith(500, 140);
  for (const declined of [held, ended]) {
    shop.answerNext(DECLINED);
    await shop.payByCard(declined);
  }
  await abortOrder(shop.flows, { ...shop.asked(ended), initiatedBy: 'Payee', reason: 'SoldOut' });
});
afterAll(() => kontor.stop());

async function orderWith(amount: number, balance: number): Promise<OrderId> {
  const { orderId } = (await shop.create(amount)).order;
  const { number } = await shop.giftCard(balance);
  await shop.add(orderId, number);
  return orderId;
}

/** Names nothing. */
const STRAY = '018f0000-0000-7000-8000-000000000000';
const BELONGING = /leg and transaction of a payment order has its order/;
const order = (id: () => OrderId) => () => `payment order ${id()}`;
const ofOrder = (id: () => OrderId) => `order_id = '${id()}'`;
const set = (what: string, id: () => OrderId) => () => `update payment_order set ${what} where ${ofOrder(id)}`;
const setGiftCard = (what: string, id: () => OrderId) => () =>
  `update order_leg set ${what} where ${ofOrder(id)} and kind = 'Account'`;
const setCapture = (what: string) => () =>
  `update order_part p set ${what} from order_transaction t
   where t.transaction_id = p.transaction_id and t.type = 'Capture' and t.${ofOrder(() => paid)}
     and p.leg_id = (select leg_id from order_leg where ${ofOrder(() => paid)} and kind = 'Account')`;

/** The rows of the trail stay as they are, for all but a test. */
const unguarded = (sql: string) =>
  `alter table audit disable trigger user; ${sql}; alter table audit enable trigger user`;

test('orders that were only used have nothing wrong', async () => {
  expect(await brokenInvariants(kontor)).toEqual({});
});

describe('ledger verify finds', () => {
  const DAMAGES: readonly Damage[] = [
    [
      'a leg that is none any more',
      setGiftCard(`state = 'Released'`, () => paid),
      setGiftCard(`state = 'Authorized'`, () => paid),
      /legs of each payment order that is paid are its amount/,
      order(() => paid),
    ],
    [
      'a leg of no order',
      () => `insert into order_leg (payee_id, leg_id, order_id, position, kind, state, instrument_type, name, added_at, updated_at)
             values ('${kontor.payeeId}', '${STRAY}', '${STRAY}', 1, 'Card', 'Added', 'creditcard', '', kontor_now(), kontor_now())`,
      () => `delete from order_leg where leg_id = '${STRAY}'`,
      BELONGING,
      () => `leg ${STRAY}`,
    ],
    [
      'a transaction of another order',
      () =>
        `update order_transaction set order_id = '${STRAY}' where type = 'Authorization' and ${ofOrder(() => paid)}`,
      () => `update order_transaction set order_id = '${paid}' where order_id = '${STRAY}'`,
      BELONGING,
      () => 'transaction ',
    ],
    [
      'a part of no leg',
      () => `insert into order_part (payee_id, transaction_id, leg_id, amount, own_id)
             select payee_id, transaction_id, '${STRAY}', 0, '${STRAY}' from order_transaction
             where type = 'Capture' and ${ofOrder(() => paid)}`,
      () => `delete from order_part where leg_id = '${STRAY}'`,
      BELONGING,
      () => 'part of transaction ',
    ],
    [
      'a part that is larger than what its transaction took',
      setCapture('amount = p.amount + 1'),
      setCapture('amount = p.amount - 1'),
      /parts of each transaction of a payment order are its amount/,
      () => 'transaction ',
    ],
    [
      'a captured amount that no capture says',
      set('captured = captured + 1', () => paid),
      set('captured = captured - 1', () => paid),
      /captured and reversed of each payment order is what its transactions say/,
      order(() => paid),
    ],
    [
      'a reversal that was booked a second time',
      set('reversed = reversed + 50', () => paid),
      set('reversed = reversed - 50', () => paid),
      /captured and reversed of each payment order is what its transactions say/,
      order(() => paid),
    ],
    [
      'a hold of another amount than its leg has',
      setGiftCard('amount = amount - 1', () => held),
      setGiftCard('amount = amount + 1', () => held),
      /Each hold of a payment order is of a leg that holds it/,
      () => 'payment ',
    ],
    [
      'a hold that its leg has let go',
      setGiftCard(`state = 'Added'`, () => held),
      setGiftCard(`state = 'Held'`, () => held),
      /Each hold of a payment order is of a leg that holds it/,
      () => 'payment ',
    ],
    [
      'an order that ended and holds something',
      setGiftCard(`state = 'Held', payment_id = coalesce(payment_id, leg_id)`, () => ended),
      setGiftCard(`state = 'Released'`, () => ended),
      /order that ended unpaid holds nothing/,
      order(() => ended),
    ],
    [
      'a try that its card payment knows nothing of',
      set('failed_tries = failed_tries + 1', () => held),
      set('failed_tries = failed_tries - 1', () => held),
      /order and its card payment name each other/,
      order(() => held),
    ],
    [
      'an event that is missing',
      set('event_sequence = event_sequence + 1', () => ended),
      set('event_sequence = event_sequence - 1', () => ended),
      /events of each payment order are numbered/,
      order(() => ended),
    ],
    [
      'an order that is not in the audit trail',
      () => unguarded(`update audit set object_kind = 'lost' where object_id = '${held}'`),
      () => unguarded(`update audit set object_kind = 'payment-order' where object_id = '${held}'`),
      /actor who made a payment order/,
      order(() => held),
    ],
  ];
  testDamages(DAMAGES, {
    run: (sql) => kontor.database.asAdmin(sql),
    broken: () => brokenInvariants(kontor),
  });
});
