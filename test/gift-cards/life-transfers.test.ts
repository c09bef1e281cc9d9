import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { giftCardInvariants } from '../../src/gift-cards/gift-card-invariants.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { refuteLedger } from '../support/accounts-ledger.ts';
import { type AccountsShop, accountsShop, newReference, type OpenedAccount, paid } from '../support/accounts-shop.ts';
import { type CardShop, cardShop, offered, type StepVerb } from '../support/card-shop.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';

let kontor: TestService;
let shop: AccountsShop;
let cards: CardShop;
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
  cards = cardShop(kontor);
});
afterAll(async () => {
  expect(await refuteLedger(kontor.database)).toEqual([]);
  const { findings } = await kontor.database.report((transaction) => verifyLedger(transaction, giftCardInvariants()));
  expect(findings.filter(({ badRow }) => badRow !== undefined)).toEqual([]);
  await kontor.stop();
});

const spend = (card: OpenedAccount, amount: number) => shop.pay('purchase', card, { amount });
const hold = async (card: OpenedAccount, amount: number) => paid(card, await shop.pay('authorize', card, { amount }));
const row = async (query: string) => (await kontor.database.asAdmin(query))[0];
const stored = ({ paymentAccountId }: OpenedAccount) =>
  row(`select available, held, closed_at is not null as closed from account where account_id = '${paymentAccountId}'`);
const sideOf = async (side: string) =>
  Number((await row(`select coalesce(sum(amount), 0) as sum from entry where side = '${side}'`))?.['sum']);

function expectRefused({ status, body }: Answer, name: string, reason: string): void {
  expect([status, body.problems]).toEqual([403, [{ name, description: reason }]]);
}

async function done(verb: StepVerb, card: OpenedAccount, members = {}): Promise<Answer> {
  const answer = await cards.step(verb, card, members);
  expect([answer.status, answer.body.problems]).toEqual([200, undefined]);
  return answer;
}

describe('merge', () => {
  test('moves all that is on a card, and ends it', async () => {
    const [from, into] = [await cards.issue(300), await cards.issue(200)];
    const merged = await done('merge', from, { into: into.paymentAccountId });
    const { giftCard } = merged.body;
    expect(giftCard).toMatchObject({ state: 'Merged', balance: 0, mergedInto: into.paymentAccountId });
    expect(offered(merged)).toEqual([]);
    expect(await stored(into)).toEqual({ available: 500, held: 0, closed: false });
    const events = await kontor.database.asAdmin(`
      select type, resource_sequence from event
      where resource_id = '${into.paymentAccountId}' and resource_kind = 'gift-card' order by 2`);
    expect(events.map(({ type }) => type)).toEqual(['gift-card.issued', 'gift-card.received']);
  });

  const refusals: [string, string, (from: OpenedAccount) => Promise<OpenedAccount>][] = [
    ['into itself', 'A card cannot be merged into itself.', async (from) => from],
    [
      'with money held',
      'Part of its balance is held: capture or cancel that first.',
      async (from) => {
        await hold(from, 10);
        return cards.issue(10);
      },
    ],
    [
      'that is empty',
      'Nothing is available on the card.',
      async (from) => {
        await spend(from, 300);
        return cards.issue(10);
      },
    ],
    [
      'that is blocked',
      'The card is blocked.',
      async (from) => {
        await done('block', from);
        return cards.issue(10);
      },
    ],
    [
      'that has expired',
      'The card has expired.',
      async (from) => {
        await cards.expire(from);
        return cards.issue(10);
      },
    ],
    [
      'into a blocked one',
      'The other card is blocked.',
      async () => {
        const into = await cards.issue(10);
        await done('block', into);
        return into;
      },
    ],
    [
      'into an expired one',
      'The other card has expired.',
      async () => {
        const into = await cards.issue(10);
        await cards.expire(into);
        return into;
      },
    ],
    [
      'into one that has ended',
      'The other card has ended.',
      async () => {
        const into = await cards.issue(10);
        await done('void', into);
        return into;
      },
    ],
    [
      'into one of another currency',
      'The other card has another currency.',
      async () => cards.issue(10, await cards.product({ productId: 'sek' as never, currency: 'SEK' as never })),
    ],
    ['above the largest balance', 'The other card may not hold so much.', async () => full()],
  ];

  async function full(): Promise<OpenedAccount> {
    const into = await cards.issue(1_000_000);
    await shop.pay('deposit', into, { amount: 999_701 });
    return into;
  }

  it.each(refusals)('%s is refused', async (_, reason, prepare) => {
    const from = await cards.issue(300);
    const into = await prepare(from);
    const before = [await stored(from), await stored(into)];
    expectRefused(await cards.step('merge', from, { into: into.paymentAccountId }), 'Merge', reason);
    expect([await stored(from), await stored(into)]).toEqual(before);
  });

  test('into a card that is unknown, foreign or no gift card is 404', async () => {
    const from = await cards.issue(300);
    const other = (await shop.open(10)).paymentAccountId;
    for (const into of ['nobody', '0190c4d2-0000-7000-8000-000000000000', other]) {
      expect((await cards.step('merge', from, { into })).status).toBe(404);
    }
  });
});

describe('replace', () => {
  test('puts a new card in the place of a lost one', async () => {
    const card = await cards.issue(500);
    await spend(card, 100);
    await done('block', card);
    const answer = await done('replace', card);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { giftCard, replacement } = answer.body;
    expect(giftCard).toMatchObject({ state: 'Replaced', balance: 0, replacedBy: replacement.accountId });
    expect(replacement).toMatchObject({ balance: 400, expiryDate: giftCard.expiryDate });
    expect(replacement.accountKey).not.toBe(card.accountKey);
    const anew = { paymentAccountId: replacement.accountId, accountKey: replacement.accountKey, currency: 'NOK' };
    const [year, month] = replacement.expiryDate.split('-');
    const accountIdentifier = {
      accountKey: replacement.accountKey,
      cvc: replacement.cvc,
      expiryDate: `${month}/${year.slice(2)}`,
    };
    expect((await shop.pay('purchase', anew, { amount: 400, accountIdentifier })).body.state).toBe('OK');
    expect((await spend(card, 10)).body).toMatchObject({ state: 'FAILED' });
  });

  test('shows the number again to a repetition, for a day', async () => {
    const card = await cards.issue(500);
    const transactionRef = newReference();
    const first = await done('replace', card, { transactionRef });
    const again = await done('replace', card, { transactionRef });
    expect(again.body).toEqual(first.body);
    const { accountId, accountKey } = first.body.replacement;
    await kontor.database.asAdmin(
      `update gift_card set issued_at = now() - interval '24 hours' where account_id = '${accountId}'`,
    );
    const later = await done('replace', card, { transactionRef });
    expect(later.body.replacement).toMatchObject({ accountId, balance: 500 });
    expect(later.body.replacement.cvc).toBeUndefined();
    expect(later.text).not.toContain(accountKey);
  });

  test('keeps the terms of the lost card, also where its product is retired', async () => {
    const product = await cards.product({ productId: 'gone' as never, allowedProductIds: ['coffee'] });
    const card = await cards.issue(500, product);
    await kontor.database.asAdmin("update gift_card_product set retired_at = now() where product_id = 'gone'");
    const { replacement } = (await done('replace', card)).body;
    const terms = (id: string) =>
      row(`select expires_on, expires_at, currency, allowed_product_ids, largest_balance, cvc_required
        from account where account_id = '${id}'`);
    expect(await terms(replacement.accountId)).toEqual(await terms(card.paymentAccountId));
  });

  test('is refused while money is held, and after the card expired', async () => {
    const card = await cards.issue(500);
    const payment = await hold(card, 100);
    const reason = 'Part of its balance is held: capture or cancel that first.';
    expectRefused(await cards.step('replace', card), 'Replace', reason);
    await shop.follow('cancel', payment, {});
    await cards.expire(card);
    expectRefused(await cards.step('replace', card), 'Replace', 'The card has expired.');
  });
});

describe('sweep', () => {
  test('books what is left on an expired card to the payee', async () => {
    const [breakage, card] = [await sideOf('Breakage'), await cards.issue(500)];
    expectRefused(await cards.step('sweep', card), 'Sweep', 'The card has not expired.');
    await cards.expire(card);
    expect(offered(await cards.show(card))).toEqual(['block', 'void', 'sweep']);
    const swept = await done('sweep', card);
    expect(swept.body.giftCard).toMatchObject({ state: 'Swept', balance: 0 });
    expect(await sideOf('Breakage')).toBe(breakage + 500);
    expectRefused(await cards.step('sweep', card), 'Sweep', 'The card has expired, and its remainder was swept.');
  });

  test('leaves what is held until the hold ends, and can then be asked for again', async () => {
    const card = await cards.issue(500);
    const payment = await hold(card, 100);
    await cards.expire(card);
    const first = await done('sweep', card);
    expect(first.body.giftCard).toMatchObject({ state: 'Expired', balance: 0, held: 100 });
    expectRefused(await cards.step('sweep', card), 'Sweep', 'Nothing is available on the card.');
    expect((await shop.follow('capture', payment, { amount: 30 })).status).toBe(200);
    expect((await shop.follow('cancel', payment, {})).status).toBe(200);
    expect((await done('sweep', card)).body.giftCard).toMatchObject({ state: 'Swept', held: 0 });
    expect(await stored(card)).toEqual({ available: 0, held: 0, closed: true });
  });
});

describe('a card that has ended', () => {
  const ends: [StepVerb, string, (card: OpenedAccount) => Promise<object>][] = [
    ['merge', 'The card was merged into another one.', async () => ({ into: (await cards.issue(1)).paymentAccountId })],
    ['replace', 'The card was replaced by another one.', async () => ({})],
    [
      'sweep',
      'The card has expired, and its remainder was swept.',
      async (card) => {
        await cards.expire(card);
        return {};
      },
    ],
  ];

  it.each(ends)('by %s takes no further step and no money back', async (verb, reason, prepare) => {
    const card = await cards.issue(500);
    const payment = paid(card, await spend(card, 100));
    await done(verb, card, await prepare(card));
    for (const step of ['block', 'unblock', 'void', 'merge', 'replace', 'sweep'] as const) {
      const members = step === 'merge' ? { into: (await cards.issue(1)).paymentAccountId } : {};
      const name = `${step.charAt(0).toUpperCase()}${step.slice(1)}`;
      expectRefused(await cards.step(step, card, members), name, reason);
    }
    expectRefused(
      await shop.follow('reversal', payment, { amount: 100 }),
      'Reversal',
      'The card has ended and takes no money back: give it back in another way.',
    );
  });
});
