import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/db/server/connection.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { insistent } from '../support/crash/insistent.ts';
import { type OrderLives, orderLives } from '../support/crash/order-lives.ts';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import { orderPayer } from '../support/payer/order-payer.ts';
import { type OrderWalks, orderWalks, type Walk } from '../support/payer/order-walks.ts';
import { cardSeller, type IssuedCard } from '../support/shop/gift-cards-seller.ts';
import { hrefOf, relsOf } from '../support/shop/orders-shop.ts';
import { testSeed } from '../support/shop/tokens-seed.ts';
import { until } from '../support/until.ts';

// The long run, with kills in the middle of all that, is in test/faults. These follow each other at two instances.

let both: TwoInstances;
let lives: OrderLives;
let alive: OrderWalks;
beforeAll(async () => {
  const started = await twoInstances();
  both = { ...started, kontor: insistent(started.kontor), other: insistent(started.other) };
  lives = await orderLives(both);
  alive = orderWalks(both.kontor);
}, 300_000);
afterAll(() => both.stop());

const LIVES = 10;

test('whatever happens to orders that share gift cards at two instances, parts are sums at every moment, and nothing is spent twice', async () => {
  const seed = testSeed();
  expect(await lives.run({ seed, lives: LIVES, atOnce: 8 }), `seed ${seed}`).toEqual([]);
  expect(await lives.end(), `seed ${seed}`).toEqual([]);
  expect(lives.made).toBe(LIVES);
}, 300_000);

/** The acquirer approves it and does not answer; and answers it late. */
const UNANSWERED = 900_304;
const SLOW = 900_305;
const ON_CARD = 300;

interface Walked extends Walk {
  readonly card: IssuedCard;
}

/** An order with a gift card, whose payer sends what follows to the instance that will be killed. */
async function orderWithCard(amount: number): Promise<Walked> {
  const card = await cardSeller(both.kontor).issue(ON_CARD);
  const walk = await alive.walk({ amount, vatAmount: 0 });
  const payer = orderPayer(both.other, hrefOf(walk.made, 'redirect-checkout'));
  await payer.open();
  expect((await payer.add(card)).body.outcome).toBe('ok');
  return { ...walk, payer, card };
}

const lost = (answer: Promise<unknown>) => answer.then(() => 'answered').catch(() => 'no answer');
const count = async (sql: string) =>
  Number((await both.kontor.database.asAdmin(`select count(*) from ${sql}`))[0]?.['count']);
const calling = `issuer_attempt where state = 'CALLING'`;
const waiting = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

test('killed before, between and after the legs of an order, it leaves no hold without its order, and all goes on', async () => {
  const paid = await orderWithCard(2_000_000);
  await paid.payer.payByCard();
  const [asked, answered, unbegun] = [
    await orderWithCard(UNANSWERED + ON_CARD),
    await orderWithCard(SLOW + ON_CARD),
    await orderWithCard(ON_CARD),
  ];
  const killed = orderWalks(both.other);
  const cutOff = [
    lost(asked.payer.payByCard()),
    lost(killed.follow(paid.id, 'captures', { amount: UNANSWERED + ON_CARD, vatAmount: 0, payeeReference: 'killed' })),
  ];
  await until(async () => (await count(calling)) === 2);
  // The last one: its acquirer takes a second alone.
  cutOff.push(lost(answered.payer.payByCard()));
  await until(async () => (await count(calling)) === 3);
  // From here on nothing that an order does is stored: neither that its acquirer has approved, nor that another one is paid.
  const locking = await connect(both.kontor.database.adminUrl);
  await locking.command('begin');
  await locking.command('lock table order_history in share mode');
  await until(async () => (await count(waiting)) > 0);
  cutOff.push(lost(unbegun.payer.payByGiftCards()));
  both.kill();
  expect(await Promise.all(cutOff)).toEqual(Array(4).fill('no answer'));
  await both.kontor.database.asAdmin(`select pg_terminate_backend(pid) from ${waiting}`);
  await locking.command('rollback');
  await locking.end();

  expect(await Promise.all([asked, answered, paid, unbegun].map(({ card }) => alive.availableOn(card)))).toEqual([
    0,
    0,
    0,
    ON_CARD,
  ]);
  const unknown = await alive.shop.get(asked.id, { version: '3.1' });
  expect(relsOf(unknown)).toEqual(['redirect-checkout']);
  expect((await alive.orderOf(paid.id)).remainingCaptureAmount).toBe(2_000_000 - UNANSWERED - ON_CARD);
  await both.kontor.database.asAdmin(`update issuer_attempt set due_at = kontor_now() where state = 'CALLING'`);
  await until(async () => (await count(`payment_order where unsettled > 0`)) === 0, 60_000);

  // The try and the capture have failed; what they kept apart is there again, and the gift cards wait for another card.
  const again = { amount: UNANSWERED + ON_CARD, vatAmount: 0, payeeReference: 'killed' };
  expect((await alive.follow(paid.id, 'captures', again)).status).toBe(504);
  expect((await alive.follow(paid.id, 'captures', { amount: 2_000_000, vatAmount: 0 })).status).toBe(200);
  for (const { id, card } of [asked, answered]) {
    expect((await alive.orderOf(id)).status).toBe('Initialized');
    expect(await alive.availableOn(card)).toBe(0);
  }
  await alive.change(asked.id, 'UpdateOrder', { amount: 1000, vatAmount: 0 });
  const payer = orderPayer(both.kontor, hrefOf(asked.made, 'redirect-checkout'));
  await payer.open();
  await payer.payByCard();
  expect((await alive.orderOf(asked.id)).status).toBe('Paid');
  await alive.change(answered.id, 'Abort', { abortReason: 'NoMore' });
  expect(await alive.availableOn(answered.card)).toBe(ON_CARD);
  const late = orderPayer(both.kontor, hrefOf(unbegun.made, 'redirect-checkout'));
  await late.open();
  await late.payByGiftCards();
  expect((await alive.orderOf(unbegun.id)).status).toBe('Paid');
  expect(await refuteBooks(both.kontor)).toEqual([]);
}, 300_000);
