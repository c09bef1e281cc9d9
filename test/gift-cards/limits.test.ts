import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giftCardProductCommands } from '../../src/gift-cards/products/gift-card-products.cli.ts';
import { rangeOf } from '../../src/gift-cards/products/number-range.rules.ts';
import { whichPayee } from '../../src/merchants/payees/which-payee.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { orderPayer } from '../support/payer/order-payer.ts';
import { erasing, personOf } from '../support/payer/persons.ts';
import { runCommand, serviceOf } from '../support/run-command.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { newReference, type OpenedAccount } from '../support/shop/accounts-shop.ts';
import { type CardLife, cardLife, expectRefused } from '../support/shop/card-life.ts';
import { cardOf, cardSeller, type IssuedCard } from '../support/shop/gift-cards-seller.ts';
import { hrefOf, type OrdersShop, ordersShop } from '../support/shop/orders-shop.ts';

// What may be loaded on the cards of a product, and spent with them, in a day and in a month.

let kontor: TestService;
let life: CardLife;
let orders: OrdersShop;
beforeAll(async () => {
  kontor = await testService();
  life = cardLife(kontor);
  orders = ordersShop(kontor);
});
afterAll(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
  await kontor.stop();
});

async function productCommand(...words: readonly string[]): Promise<string> {
  const { database, giftCards, newId } = kontor.service;
  const runtime = serviceOf({ transact: database.transact, context: { ...giftCards, newId }, whichPayee });
  const printed = await runCommand(giftCardProductCommands, runtime, [...words, '--payee', kontor.payeeId]);
  return printed.join('\n');
}

let products = 0;
/** A product of its own, with limits. */
async function limited(...limits: readonly string[]): Promise<string> {
  products += 1;
  const productId = `limited-${products}`;
  await life.cards.product({ productId: productId as never });
  const options = limits.flatMap((limit) => ['--limit', limit]);
  if (limits.length > 0) await productCommand('set', productId, ...options);
  return productId;
}

const sell = (amount: number, productId: string, members: object = {}) =>
  cardSeller(kontor).getNew({ amount, productId, ...members });
const sold = async (amount: number, productId: string, members: object = {}): Promise<IssuedCard> =>
  cardOf(await sell(amount, productId, members));
const load = (card: IssuedCard, amount: number) =>
  cardSeller(kontor).deposit({ accountKey: card.accountKey }, { amount, transactionRef: newReference() });
const pay = (verb: 'authorize' | 'purchase' | 'deposit' | 'credit', card: OpenedAccount, amount: number) =>
  life.shop.pay(verb, card, { amount });
const name = ({ status, body }: Answer) => [status, body.problems?.[0]?.name ?? body.state];
const told = async (type: string, productId: string) =>
  (await kontor.database.asAdmin(`select payload from event where type = '${type}' order by resource_sequence`))
    .map(({ payload }) => payload as Record<string, unknown>)
    .filter((payload) => payload['productId'] === productId);

describe('a limit', () => {
  test('of a card by day holds for its sale, deposits, and credits, and says which it is', async () => {
    const productId = await limited('loaded:card:day=1000');
    expect(name(await sell(1001, productId))).toEqual([403, 'Deposit']);
    const card = await sold(600, productId);
    expect(name(await load(card, 401))).toEqual([403, 'Deposit']);
    expect((await load(card, 300)).status).toBe(200);
    expect(name(await pay('deposit', card, 101))).toEqual([403, 'Deposit']);
    expect(name(await pay('credit', card, 101))).toEqual([403, 'Credit']);
    expect(name(await pay('credit', card, 100))).toEqual([200, 'OK']);
    expectRefused(
      await pay('deposit', card, 1),
      'Deposit',
      'It is more than may be loaded on a card in a day: 1000, in the smallest unit of the currency.',
    );
    expect((await sold(1000, productId)).accountKey).toBeDefined();
    const events = await told('gift-card-limit.reached', productId);
    expect(events).toHaveLength(5);
    expect(events[1]).toEqual({
      productId,
      accountId: card.paymentAccountId,
      flow: 'Loaded',
      scope: 'Card',
      period: 'Day',
      limit: 1000,
      amount: 401,
      currency: 'NOK',
    });
    const audit = await kontor.database.asAdmin(
      `select details from audit where action = 'reach-gift-card-limit' and object_id = '${productId}'`,
    );
    expect(audit).toHaveLength(5);
    expect(audit[0]?.['details']).toMatchObject({ limit: 'Loaded Card Day 1000' });
  });

  test('refused, the reference is free: the next day the same request is good', async () => {
    const productId = await limited('spent:card:day=100');
    const card = await sold(500, productId);
    expect(name(await pay('purchase', card, 80))).toEqual([200, 'OK']);
    const reference = { amount: 30, paymentOrderRef: 'again', paymentTransactionRef: newReference() };
    expect(name(await life.shop.pay('purchase', card, reference))).toEqual([403, 'Purchase']);
    await kontor.database.asAdmin(
      `update gift_card_turnover set day_began_at = day_began_at - interval '1 day' where product_id = '${productId}'`,
    );
    expect(name(await life.shop.pay('purchase', card, reference))).toEqual([200, 'OK']);
    expect(name(await life.shop.pay('purchase', card, { ...reference, repeat: true }))).toEqual([200, 'OK']);
    const [row] = await kontor.database.asAdmin(
      `select spent_of_day, spent_of_month from gift_card_turnover where product_id = '${productId}'`,
    );
    expect(row).toEqual({ spent_of_day: 30, spent_of_month: 110 });
  });

  test('of a month goes on over days', async () => {
    const productId = await limited('spent:card:month=100');
    const card = await sold(500, productId);
    await pay('purchase', card, 80);
    await kontor.database.asAdmin(
      `update gift_card_turnover set day_began_at = day_began_at - interval '1 day' where product_id = '${productId}'`,
    );
    expect(name(await pay('authorize', card, 21))).toEqual([403, 'Authorize']);
    expect(name(await pay('authorize', card, 20))).toEqual([200, 'OK']);
    expect(name(await pay('authorize', card, 0))).toEqual([200, 'OK']);
  });

  test('holds on for the cards of a payer who was erased, without the person', async () => {
    const productId = await limited('loaded:payer:day=1000');
    const payerReference = 'erased-payer/1';
    const [one, other] = [
      await sold(600, productId, { payerReference }),
      await sold(300, productId, { payerReference }),
    ];
    const found = await personOf(kontor, { payerReference });
    expect(found.giftCards).toHaveLength(2);
    expect(found.giftCardSums).toMatchObject([{ productId, loadedOfDay: 900, loadedOfMonth: 900 }]);
    expect(await erasing(kontor, { payerReference })).toMatchObject({ giftCards: 2 });
    expect(await personOf(kontor, { payerReference })).toMatchObject({ giftCards: [], giftCardSums: [] });
    expect(name(await load(one, 101))).toEqual([403, 'Deposit']);
    expect((await load(other, 100)).status).toBe(200);
    expect(name(await load(one, 1))).toEqual([403, 'Deposit']);
    const names = await kontor.database.asAdmin(`
      select payer_reference as name from gift_card where product_id = '${productId}'
      union select subject from gift_card_turnover where product_id = '${productId}' and scope = 'Payer'`);
    expect(names).toEqual([{ name: expect.stringMatching(/^erased\/[0-9a-f-]{36}$/) }]);
  });

  test('of a payer is over its cards, of a product over all', async () => {
    const productId = await limited('loaded:payer:day=1000', 'spent:product:day=500');
    const [one, other] = [
      await sold(600, productId, { payerReference: 'payer/1' }),
      await sold(400, productId, { payerReference: 'payer/1' }),
    ];
    expect(name(await sell(1, productId, { payerReference: 'payer/1' }))).toEqual([403, 'Deposit']);
    expect(name(await load(other, 1))).toEqual([403, 'Deposit']);
    const unnamed = await sold(1000, productId);
    await sold(1000, productId, { payerReference: 'payer/2' });
    await pay('purchase', one, 300);
    await pay('purchase', unnamed, 200);
    expect(name(await pay('purchase', other, 1))).toEqual([403, 'Purchase']);
    const { replacement } = (await life.done('replace', unnamed)).body;
    const lost = { paymentAccountId: replacement.accountId, accountKey: replacement.accountKey, currency: 'NOK' };
    expect(name(await pay('purchase', lost, 1))).toEqual([403, 'Purchase']);
  });

  test('is not passed by many at one moment, on one card or on many', async () => {
    const productId = await limited('spent:product:day=1000', 'loaded:product:month=100000');
    const cards = [await sold(2000, productId), await sold(2000, productId), await sold(2000, productId)];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, place) => pay('purchase', cards[place % 3] as IssuedCard, 100)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(50);
    const [row] = await kontor.database.asAdmin(
      `select spent_of_day, loaded_of_month from gift_card_turnover where product_id = '${productId}'`,
    );
    expect(row).toEqual({ spent_of_day: 1000, loaded_of_month: 6000 });
  });

  test('is taken away, and shown with the product', async () => {
    const productId = await limited('loaded:card:day=10', 'spent:card:month=20');
    const shown = async () =>
      (await kontor.send('GET', '/api/payments/gift-card/products')).body.products.find(
        (one: { productId: string }) => one.productId === productId,
      ).limits;
    expect(await shown()).toEqual([
      { flow: 'Loaded', scope: 'Card', period: 'Day', amount: 10 },
      { flow: 'Spent', scope: 'Card', period: 'Month', amount: 20 },
    ]);
    const told = await productCommand('set', productId, '--limit', 'loaded:card:day=none');
    expect(told).toContain('0.20 NOK spent, by card and month');
    expect((await shown()).length).toBe(1);
    expect((await sell(500, productId)).status).toBe(200);
    await expect(productCommand('set', productId, '--limit', 'loaded:day=5')).rejects.toThrow(/loaded:card:day/);
    await expect(productCommand('set', 'none', '--limit', 'loaded:card:day=5')).rejects.toMatchObject({
      code: 'notfound',
    });
    await expect(productCommand('set', productId)).rejects.toThrow('Say what is to be changed');
  });
});

describe('on a payment order', () => {
  test('a card pays what its limits leave, and what is held anew counts once', async () => {
    const productId = await limited('spent:card:day=300');
    const card = await sold(1000, productId);
    const made = await orders.create({ amount: 500, vatAmount: 0 }, { version: '3.1' });
    const payer = orderPayer(kontor, hrefOf(made, 'redirect-'));
    await payer.open();
    await payer.add(card);
    expect(payer.byCard()).toBe(200);
    await pay('purchase', card, 100);
    await payer.open();
    expect(payer.byCard()).toBe(300);
    expect((await payer.payByCard()).body.outcome).toBe('Go');
    expect(name(await pay('purchase', card, 1))).toEqual([403, 'Purchase']);
  });

  test('cards that share a limit pay together what it leaves', async () => {
    const productId = await limited('spent:product:day=300');
    const [one, other] = [await sold(200, productId), await sold(1000, productId)];
    const made = await orders.create({ amount: 900_661, vatAmount: 0 }, { version: '3.1' });
    const payer = orderPayer(kontor, hrefOf(made, 'redirect-'));
    await payer.open();
    await payer.add(one);
    await payer.add(other);
    expect(payer.byCard()).toBe(900_361);
    // An amount that the sandbox's acquirer declines: 200 and 100 stay held.
    const refused = (await payer.payByCard()).body.outcome;
    await pay('deposit', one, 50);
    await payer.open();
    expect(payer.byCard()).toBe(900_361);
    // Now 250 and 50: what the second card gives back is what the first one takes.
    expect((await payer.payByCard()).body.outcome).toBe(refused);
    expect(refused).not.toBe('busy');
    const held = await kontor.database.asAdmin(
      `select held from account where account_id in ('${one.paymentAccountId}', '${other.paymentAccountId}') order by held`,
    );
    expect(held).toEqual([{ held: 50 }, { held: 250 }]);
    expect(name(await pay('purchase', other, 1))).toEqual([403, 'Purchase']);
  });

  test('a hold that an order gives back counts no more', async () => {
    const productId = await limited('spent:card:day=300');
    const card = await sold(1000, productId);
    const made = await orders.create({ amount: 900_661, vatAmount: 0 }, { version: '3.1' });
    const payer = orderPayer(kontor, hrefOf(made, 'redirect-'));
    await payer.open();
    await payer.add(card);
    // An amount that the sandbox's acquirer declines: the gift card stays held.
    const counted = async () =>
      (
        await kontor.database.asAdmin(
          `select spent_of_day from gift_card_turnover where product_id = '${productId}' and scope = 'Card' and subject = '${card.paymentAccountId}'`,
        )
      )[0];
    await payer.payByCard();
    expect(await counted()).toEqual({ spent_of_day: 300 });
    await payer.open();
    await payer.remove(0);
    expect(await counted()).toEqual({ spent_of_day: 0 });
  });
});

describe('a merge', () => {
  test('into a card with fewer limits is refused where the product says so', async () => {
    const strict = await life.cards.product({ productId: 'strict' as never, allowedProductIds: ['tea'] });
    const [from, alike] = [await life.cards.issue(100, strict), await life.cards.issue(100, strict)];
    const free = await life.cards.issue(100);
    await productCommand('set', 'strict', '--merge-keeps-limits');
    const refused = await life.cards.step('merge', from, { into: free.paymentAccountId });
    expectRefused(
      refused,
      'Merge',
      'The other card has fewer limits, and the product of this one does not allow that.',
    );
    await life.done('merge', alike, { into: from.paymentAccountId });
    await productCommand('set', 'strict', '--no-merge-keeps-limits');
    await life.done('merge', from, { into: free.paymentAccountId });
  });

  test('into another product leaves limits of what is loaded and spent', async () => {
    const [one, other] = [await limited('spent:card:day=300'), await limited()];
    await productCommand('set', one, '--merge-keeps-limits');
    const [from, into] = [await sold(10, one), await sold(10, other)];
    expect(name(await life.cards.step('merge', from, { into: into.paymentAccountId }))).toEqual([403, 'Merge']);
    await life.done('merge', from, { into: (await sold(10, one)).paymentAccountId });
  });
});

describe('the numbers of a product', () => {
  const product = (productId: string, numberPrefix = '95781', numberLength = 16) => ({
    productId: productId as never,
    numberPrefix,
    numberLength,
  });

  test('are shared by those with the same prefix and length, and nearly used up at one in a thousand', () => {
    const all = [product('a'), product('b'), product('c', '95782')];
    const used = [
      { productId: 'a', cards: 4_000_000 },
      { productId: 'b', cards: 5_990_000 },
      { productId: 'c', cards: 1 },
    ];
    expect(rangeOf(product('a'), { products: all, used })).toEqual({
      left: 10_000_000_000 - 9_990_000,
      oneIn: 1001,
      isNearlyUsed: false,
    });
    const more = [...used.slice(0, 1), { productId: 'b', cards: 6_000_000 }];
    expect(rangeOf(product('b'), { products: all, used: more })).toMatchObject({ oneIn: 1000, isNearlyUsed: true });
    expect(rangeOf(product('c', '95782'), { products: all, used: [] })).toMatchObject({ isNearlyUsed: false });
  });

  test('are counted in the list', async () => {
    const productId = await limited();
    await sold(10, productId);
    const list = JSON.parse(await productCommand('list', '--json')) as readonly {
      productId: string;
      numbersLeft: number;
    }[];
    const left = list.find((one) => one.productId === productId)?.numbersLeft ?? 0;
    await sold(10, productId);
    const after = JSON.parse(await productCommand('list', '--json')) as typeof list;
    expect(after.find((one) => one.productId === productId)?.numbersLeft).toBe(left - 1);
    expect(await productCommand('list')).toContain('numbers left');
  });
});
