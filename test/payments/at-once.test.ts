import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import { externalAuthentication } from '../support/issuer/three-ds.ts';
import { freshCard } from '../support/numbers.ts';
import { type CardPaymentsShop, cardPaymentsShop, VISA_WITH_3D_SECURE } from '../support/shop/card-payments-shop.ts';
import { type OrdersShop, ordersShop } from '../support/shop/orders-shop.ts';

// At the same moment, at two instances: renewals of one card, by card payments and by payment orders, and authorizations with one proof.
// None has been answered when the next one begins.

/** Declined each time, and may be tried again later. */
const DECLINED = 900351;
/** As often as schemes let a card of Visa be declined in 30 days, and more. */
const MOST = 15;
const RENEWALS = 24;

let both: TwoInstances;
let shops: readonly { readonly card: CardPaymentsShop; readonly order: OrdersShop }[];
beforeAll(async () => {
  both = await twoInstances();
  shops = [both.kontor, both.other].map((kontor) => ({ card: cardPaymentsShop(kontor), order: ordersShop(kontor) }));
}, 120_000);
afterAll(() => both.stop());

test(`${RENEWALS} renewals at once are asked for as often as the schemes allow, and no more`, async () => {
  const [first] = shops;
  if (first === undefined) throw new Error('there are two instances');
  const id = await first.card.purchase(100, { payerReference: 'anna', generateRecurrenceToken: true });
  const { recurrenceToken } = (await first.card.authorize(id, { cardNumber: freshCard('debit') })).body.authorization;
  const members = { operation: 'Recur', amount: DECLINED, vatAmount: 0, recurrenceToken };
  const renewals = Array.from({ length: RENEWALS }, (_, turn) => {
    const shop = shops[turn % 2] ?? first;
    const isOrder = turn % 4 > 1;
    return isOrder
      ? shop.order.create({ ...members, urls: undefined })
      : shop.card.create({ ...members, prices: undefined });
  });
  await Promise.all(renewals);
  const [asked] = await both.kontor.database.asAdmin(
    `select count(*)::integer as times from acquirer_exchange where kind = 'Ask' and amount = ${DECLINED}`,
  );
  expect(asked).toEqual({ times: MOST });
  const ends = await both.kontor.database.asAdmin(
    `select problem, count(*)::integer as times from card_transaction where amount = ${DECLINED} group by problem order by problem`,
  );
  expect(ends).toEqual([
    { problem: 'carddeclined', times: MOST },
    { problem: 'velocitycheck', times: RENEWALS - MOST },
  ]);
}, 60_000);

test('one proof of 3-D Secure elsewhere is for one of 12 authorizations at once', async () => {
  const authentication = externalAuthentication();
  const tries = Array.from({ length: 12 }, async (_, turn) => {
    const { card } = shops[turn % 2] ?? {};
    const id = await card?.purchase(1_500);
    return card?.authorize(String(id), { cardNumber: VISA_WITH_3D_SECURE, authentication });
  });
  const statuses = (await Promise.all(tries)).map((answer) => answer?.status);
  expect(statuses.sort()).toEqual([200, ...Array(11).fill(400)]);
  const [asked] = await both.kontor.database.asAdmin(
    "select count(*)::integer as times from acquirer_exchange where kind = 'Ask' and amount = 1500",
  );
  expect(asked).toEqual({ times: 1 });
}, 60_000);
