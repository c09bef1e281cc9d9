import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { refuteBooks } from '../support/crash/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { newReference, type OpenedAccount, paid } from '../support/shop/accounts-shop.ts';
import { type CardLife, cardLife, expectRefused } from '../support/shop/card-life.ts';
import { offered, type StepVerb } from '../support/shop/card-shop.ts';

let kontor: TestService;
let life: CardLife;
beforeAll(async () => {
  kontor = await testService();
  life = cardLife(kontor);
});
afterAll(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
  await kontor.stop();
});

describe('merge', () => {
  test('moves all that is on a card, and ends it', async () => {
    const [from, into] = [await life.cards.issue(300), await life.cards.issue(200)];
    const merged = await life.done('merge', from, { into: into.paymentAccountId });
    const { giftCard } = merged.body;
    expect(giftCard).toMatchObject({ state: 'Merged', balance: 0, mergedInto: into.paymentAccountId });
    expect(offered(merged)).toEqual([]);
    expect(await life.stored(into)).toEqual({ available: 500, held: 0, closed: false });
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
        await life.hold(from, 10);
        return life.cards.issue(10);
      },
    ],
    [
      'that is empty',
      'Nothing is available on the card.',
      async (from) => {
        await life.spend(from, 300);
        return life.cards.issue(10);
      },
    ],
    [
      'that is blocked',
      'The card is blocked.',
      async (from) => {
        await life.done('block', from);
        return life.cards.issue(10);
      },
    ],
    [
      'that has expired',
      'The card has expired.',
      async (from) => {
        await life.cards.expire(from);
        return life.cards.issue(10);
      },
    ],
    [
      'into a blocked one',
      'The other card is blocked.',
      async () => {
        const into = await life.cards.issue(10);
        await life.done('block', into);
        return into;
      },
    ],
    [
      'into an expired one',
      'The other card has expired.',
      async () => {
        const into = await life.cards.issue(10);
        await life.cards.expire(into);
        return into;
      },
    ],
    [
      'into one that has ended',
      'The other card has ended.',
      async () => {
        const into = await life.cards.issue(10);
        await life.done('void', into);
        return into;
      },
    ],
    [
      'into one of another currency',
      'The other card has another currency.',
      async () =>
        life.cards.issue(10, await life.cards.product({ productId: 'sek' as never, currency: 'SEK' as never })),
    ],
    ['above the largest balance', 'The other card may not hold so much.', async () => full()],
  ];

  async function full(): Promise<OpenedAccount> {
    const into = await life.cards.issue(1_000_000);
    await life.shop.pay('deposit', into, { amount: 999_701 });
    return into;
  }

  it.each(refusals)('%s is refused', async (_, reason, prepare) => {
    const from = await life.cards.issue(300);
    const into = await prepare(from);
    const before = [await life.stored(from), await life.stored(into)];
    expectRefused(await life.cards.step('merge', from, { into: into.paymentAccountId }), 'Merge', reason);
    expect([await life.stored(from), await life.stored(into)]).toEqual(before);
  });

  test('into a card that is unknown, foreign or no gift card is 404', async () => {
    const from = await life.cards.issue(300);
    const other = (await life.shop.open(10)).paymentAccountId;
    for (const into of ['nobody', '0190c4d2-0000-7000-8000-000000000000', other]) {
      expect((await life.cards.step('merge', from, { into })).status).toBe(404);
    }
  });
});

describe('replace', () => {
  test('puts a new card in the place of a lost one', async () => {
    const card = await life.cards.issue(500);
    await life.spend(card, 100);
    await life.done('block', card);
    const answer = await life.done('replace', card);
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
    expect((await life.shop.pay('purchase', anew, { amount: 400, accountIdentifier })).body.state).toBe('OK');
    expect((await life.spend(card, 10)).body).toMatchObject({ state: 'FAILED' });
  });

  test('shows the number again to a repetition, for a day', async () => {
    const card = await life.cards.issue(500);
    const transactionRef = newReference();
    const first = await life.done('replace', card, { transactionRef });
    const again = await life.done('replace', card, { transactionRef });
    expect(again.body).toEqual(first.body);
    const { accountId, accountKey } = first.body.replacement;
    await kontor.database.asAdmin(
      `update gift_card set issued_at = kontor_now() - interval '24 hours' where account_id = '${accountId}'`,
    );
    const later = await life.done('replace', card, { transactionRef });
    expect(later.body.replacement).toMatchObject({ accountId, balance: 500 });
    expect(later.body.replacement.cvc).toBeUndefined();
    expect(later.text).not.toContain(accountKey);
  });

  test('keeps the terms of the lost card, also where its product is retired', async () => {
    const product = await life.cards.product({ productId: 'gone' as never, allowedProductIds: ['coffee'] });
    const card = await life.cards.issue(500, product);
    await kontor.database.asAdmin("update gift_card_product set retired_at = kontor_now() where product_id = 'gone'");
    const { replacement } = (await life.done('replace', card)).body;
    const terms = (id: string) =>
      life.row(`select expires_on, expires_at, currency, allowed_product_ids, largest_balance, cvc_required
        from account where account_id = '${id}'`);
    expect(await terms(replacement.accountId)).toEqual(await terms(card.paymentAccountId));
  });

  test('is refused while money is held, and after the card expired', async () => {
    const card = await life.cards.issue(500);
    const payment = await life.hold(card, 100);
    const reason = 'Part of its balance is held: capture or cancel that first.';
    expectRefused(await life.cards.step('replace', card), 'Replace', reason);
    await life.shop.follow('cancel', payment, {});
    await life.cards.expire(card);
    expectRefused(await life.cards.step('replace', card), 'Replace', 'The card has expired.');
  });
});

describe('sweep', () => {
  test('books what is left on an expired card to the payee', async () => {
    const [breakage, card] = [await life.sideOf('Breakage'), await life.cards.issue(500)];
    expectRefused(await life.cards.step('sweep', card), 'Sweep', 'The card has not expired.');
    await life.cards.expire(card);
    expect(offered(await life.cards.show(card))).toEqual(['block', 'void', 'sweep']);
    const swept = await life.done('sweep', card);
    expect(swept.body.giftCard).toMatchObject({ state: 'Swept', balance: 0 });
    expect(await life.sideOf('Breakage')).toBe(breakage + 500);
    expectRefused(await life.cards.step('sweep', card), 'Sweep', 'The card has expired, and its remainder was swept.');
  });

  test('leaves what is held until the hold ends, and can then be asked for again', async () => {
    const card = await life.cards.issue(500);
    const payment = await life.hold(card, 100);
    await life.cards.expire(card);
    const first = await life.done('sweep', card);
    expect(first.body.giftCard).toMatchObject({ state: 'Expired', balance: 0, held: 100 });
    expectRefused(await life.cards.step('sweep', card), 'Sweep', 'Nothing is available on the card.');
    expect((await life.shop.follow('capture', payment, { amount: 30 })).status).toBe(200);
    expect((await life.shop.follow('cancel', payment, {})).status).toBe(200);
    expect((await life.done('sweep', card)).body.giftCard).toMatchObject({ state: 'Swept', held: 0 });
    expect(await life.stored(card)).toEqual({ available: 0, held: 0, closed: true });
  });
});

describe('a card that has ended', () => {
  const ends: [StepVerb, string, (card: OpenedAccount) => Promise<object>][] = [
    [
      'merge',
      'The card was merged into another one.',
      async () => ({ into: (await life.cards.issue(1)).paymentAccountId }),
    ],
    ['replace', 'The card was replaced by another one.', async () => ({})],
    [
      'sweep',
      'The card has expired, and its remainder was swept.',
      async (card) => {
        await life.cards.expire(card);
        return {};
      },
    ],
  ];

  it.each(ends)('by %s takes no further step and no money back', async (verb, reason, prepare) => {
    const card = await life.cards.issue(500);
    const payment = paid(card, await life.spend(card, 100));
    await life.done(verb, card, await prepare(card));
    for (const step of ['block', 'unblock', 'void', 'merge', 'replace', 'sweep'] as const) {
      const members = step === 'merge' ? { into: (await life.cards.issue(1)).paymentAccountId } : {};
      const name = `${step.charAt(0).toUpperCase()}${step.slice(1)}`;
      expectRefused(await life.cards.step(step, card, members), name, reason);
    }
    expectRefused(
      await life.shop.follow('reversal', payment, { amount: 100 }),
      'Reversal',
      'The card has ended and takes no money back: give it back in another way.',
    );
  });
});
