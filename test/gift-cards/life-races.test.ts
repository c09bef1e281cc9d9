import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuteBooks } from '../support/crash/books.ts';
import { spendTooOften } from '../support/crash/card-spends.ts';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import type { Answer, TestService } from '../support/service.ts';
import { type AccountsShop, accountsShop, type OpenedAccount, type Paid, paid } from '../support/shop/accounts-shop.ts';
import { type CardShop, cardShop } from '../support/shop/card-shop.ts';

/** Enough that each of two rivals comes first sometimes, few enough for a busy machine. */
const ROUNDS = 12;

let instances: TwoInstances;
let kontor: TestService;
/** At two instances of the service on one database, in processes of their own. */
let shops: readonly [AccountsShop, AccountsShop];
let cards: readonly [CardShop, CardShop];
beforeAll(async () => {
  instances = await twoInstances();
  kontor = instances.kontor;
  shops = [accountsShop(kontor), accountsShop(instances.other)];
  cards = [cardShop(kontor), cardShop(instances.other)];
});
afterAll(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
  await instances.stop();
});

/** Lets two requests meet, each at an instance of its own, which of them is sent first by turns. */
async function meet(
  round: number,
  first: (instance: 0 | 1) => Promise<Answer>,
  second: (instance: 0 | 1) => Promise<Answer>,
): Promise<[Answer, Answer]> {
  const [a, b] = round % 4 < 2 ? ([0, 1] as const) : ([1, 0] as const);
  if (round % 2 === 0) return Promise.all([first(a), second(b)]);
  const [late, early] = await Promise.all([second(b), first(a)]);
  return [early, late];
}

async function moneyOf({ paymentAccountId }: OpenedAccount): Promise<number> {
  const { body } = await cards[0].show({ paymentAccountId });
  return body.giftCard.balance + body.giftCard.held;
}

const isSpent = ({ body }: Answer) => body.state === 'OK';

describe('at two instances', () => {
  it('40 spends of 10 against a balance of 100 accept exactly 10', async () => {
    for (let round = 0; round < ROUNDS; round++) await spendTooOften(instances);
  }, 120_000);

  it('of void and spend one wins, and the other is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const card = await cards[0].issue(100);
      const [voided, spent] = await meet(
        round,
        (instance) => cards[instance].step('void', card),
        (instance) => shops[instance].pay('purchase', card, { amount: 30 }),
      );
      expect([200, 403]).toContain(voided.status);
      expect(isSpent(spent)).toBe(voided.status === 403);
      expect(await moneyOf(card)).toBe(voided.status === 200 ? 0 : 70);
    }
  }, 120_000);

  it('of void and deposit the second one sees what the first one did', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const card = await cards[0].issue(0);
      const [voided, loaded] = await meet(
        round,
        (instance) => cards[instance].step('void', card),
        (instance) => shops[instance].pay('deposit', card, { amount: 30 }),
      );
      // A card with one deposit on it is still fresh: both orders end with a card that is void and empty.
      expect(voided.status).toBe(200);
      expect(['OK', 'FAILED']).toContain(loaded.body.state);
      expect(await moneyOf(card)).toBe(0);
    }
  }, 120_000);

  it('of merge and spend no money is lost and none is made', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [from, into] = [await cards[0].issue(100), await cards[0].issue(1)];
      const [merged, spent] = await meet(
        round,
        (instance) => cards[instance].step('merge', from, { into: into.paymentAccountId }),
        (instance) => shops[instance].pay('purchase', from, { amount: 30 }),
      );
      expect(merged.status).toBe(200);
      expect([await moneyOf(from), await moneyOf(into)]).toEqual([0, isSpent(spent) ? 71 : 101]);
    }
  }, 120_000);

  it('two cards are merged into each other by one of two', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, two] = [await cards[0].issue(100), await cards[0].issue(20)];
      const answers = await meet(
        round,
        (instance) => cards[instance].step('merge', one, { into: two.paymentAccountId }),
        (instance) => cards[instance].step('merge', two, { into: one.paymentAccountId }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      expect((await moneyOf(one)) + (await moneyOf(two))).toBe(120);
    }
  }, 120_000);

  it('of sweep and capture of an expired card both are done, each of its own money', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const card = await cards[0].issue(100);
      const hold: Paid = paid(card, await shops[0].pay('authorize', card, { amount: 40 }));
      await cards[0].expire(card);
      const [swept, captured] = await meet(
        round,
        (instance) => cards[instance].step('sweep', card),
        (instance) => shops[instance].follow('capture', hold, { amount: 40 }),
      );
      expect([swept.status, captured.status]).toEqual([200, 200]);
      expect(await moneyOf(card)).toBe(0);
    }
  }, 120_000);

  it('one of many replacements is made', async () => {
    for (let round = 0; round < ROUNDS / 4; round++) {
      const card = await cards[0].issue(100);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => cards[index % 2 === 0 ? 0 : 1].step('replace', card)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(403)]);
      const done = answers.find(({ status }) => status === 200);
      const replacement = { ...card, paymentAccountId: done?.body.replacement.accountId };
      expect([await moneyOf(card), await moneyOf(replacement)]).toEqual([0, 100]);
    }
  }, 120_000);
});
