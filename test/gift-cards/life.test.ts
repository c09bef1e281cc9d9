import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refuteBooks } from '../support/crash/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { newReference, type OpenedAccount } from '../support/shop/accounts-shop.ts';
import { type CardLife, cardLife, expectRefused } from '../support/shop/card-life.ts';
import { offered } from '../support/shop/card-shop.ts';

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

describe('a card', () => {
  test('is shown masked, with its steps', async () => {
    const card = await life.cards.issue(500);
    const answer = await life.cards.show(card);
    expect(answer.body.giftCard).toMatchObject({
      accountId: card.paymentAccountId,
      state: 'Active',
      balance: 500,
      held: 0,
      currency: 'NOK',
    });
    expect(answer.text).not.toContain(card.accountKey);
    expect(offered(answer)).toEqual(['block', 'void', 'merge', 'replace']);
    const { _links: links, operations } = answer.body;
    expect(links.map(({ rel }: { rel: string }) => rel)).toEqual([
      'self',
      ...operations.map(({ rel }: { rel: string }) => rel),
    ]);
    expect((await kontor.send('GET', links[0].href)).status).toBe(200);
  });

  test('is found by its payee alone, and an account that is no gift card is none', async () => {
    const card = await life.cards.issue(500);
    const { accessToken, hmac } = await kontor.addPayee();
    const path = `/api/payments/gift-card/${card.paymentAccountId}`;
    expect((await kontor.send('GET', path, { accessToken, hmac })).status).toBe(404);
    expect((await life.cards.show(await life.shop.open(10))).status).toBe(404);
    expect((await life.cards.step('block', await life.shop.open(10))).status).toBe(404);
  });
});

describe('block', () => {
  test('keeps a card from being spent until it is unblocked', async () => {
    const card = await life.cards.issue(500);
    const blocked = await life.done('block', card, { reason: 'Reported stolen' });
    expect(blocked.body.giftCard).toMatchObject({ state: 'Blocked', blocked: expect.any(String) });
    expect(blocked.body.giftCard.blockedUntil).toBeUndefined();
    expect(offered(blocked)).toEqual(['unblock', 'void', 'replace']);
    expect((await life.spend(card, 10)).body).toMatchObject({ state: 'FAILED' });
    expectRefused(await life.cards.step('block', card), 'Block', 'The card is blocked already.');
    expect((await life.done('unblock', card)).body.giftCard.state).toBe('Active');
    expect((await life.spend(card, 10)).body).toMatchObject({ state: 'OK' });
    expectRefused(await life.cards.step('unblock', card), 'Unblock', 'The card is not blocked.');
  });

  test('of a day, after wrong codes, ends by unblock too, and can be made one for good', async () => {
    for (const verb of ['unblock', 'block'] as const) {
      const card = await life.cards.issue(500);
      for (let wrong = 0; wrong < 5; wrong++) {
        await life.shop.pay('authorize', card, {
          amount: 10,
          accountIdentifier: { accountKey: card.accountKey, expiryDate: '01/20' },
        });
      }
      const shown = await life.cards.show(card);
      expect(shown.body.giftCard).toMatchObject({ state: 'Blocked', blockedUntil: expect.any(String) });
      expect(offered(shown)).toEqual(['block', 'unblock', 'void', 'replace']);
      const after = await life.done(verb, card);
      expect(after.body.giftCard.blockedUntil).toBeUndefined();
      expect(after.body.giftCard.state).toBe(verb === 'block' ? 'Blocked' : 'Active');
    }
  });

  test('leaves what is held to be captured', async () => {
    const card = await life.cards.issue(500);
    const payment = await life.hold(card, 100);
    await life.done('block', card);
    expect((await life.shop.follow('capture', payment, { amount: 60 })).status).toBe(200);
    expect((await life.shop.follow('cancel', payment, {})).status).toBe(200);
    expect(await life.stored(card)).toMatchObject({ available: 440, held: 0 });
  });
});

describe('void', () => {
  test('ends a fresh card and gives its deposit back, as the reversal that it is', async () => {
    const [funding, card] = [await life.sideOf('Funding'), await life.cards.issue(500)];
    const voided = await life.done('void', card);
    expect(voided.body.giftCard).toMatchObject({ state: 'Voided', balance: 0, ended: expect.any(String) });
    expect(offered(voided)).toEqual([]);
    expectRefused(await life.cards.step('void', card), 'Void', 'The card was voided.');
    expect(await life.stored(card)).toEqual({ available: 0, held: 0, closed: true });
    expect(await life.sideOf('Funding')).toBe(funding);
    const deposit = await life.row(`select state, captured, reversed from payment
      where account_id = '${card.paymentAccountId}' and operation = 'Deposit'`);
    expect(deposit).toEqual({ state: 'REVERSED', captured: 500, reversed: 500 });
    expect((await life.spend(card, 10)).body).toMatchObject({ state: 'FAILED' });
    expect((await life.shop.pay('deposit', card, { amount: 10 })).body).toMatchObject({ state: 'FAILED' });
  });

  test('of a card without money moves none', async () => {
    const card = await life.cards.issue(0);
    expect((await life.done('void', card)).body.giftCard).toMatchObject({ state: 'Voided', balance: 0 });
  });

  test('of a blocked fresh card is possible', async () => {
    const card = await life.cards.issue(500);
    await life.done('block', card);
    expect((await life.done('void', card)).body.giftCard.state).toBe('Voided');
  });

  test.each([
    ['spent', (card: OpenedAccount) => life.spend(card, 10)],
    ['loaded once more', (card: OpenedAccount) => life.shop.pay('deposit', card, { amount: 10 })],
    ['held on', (card: OpenedAccount) => life.shop.pay('authorize', card, { amount: 10 })],
    ['held on and released', async (card: OpenedAccount) => life.shop.follow('cancel', await life.hold(card, 10), {})],
    [
      'merged into',
      async (card: OpenedAccount) => life.done('merge', await life.cards.issue(10), { into: card.paymentAccountId }),
    ],
  ])('of a card that was %s is refused', async (_, use) => {
    const card = await life.cards.issue(500);
    expect((await use(card)).status).toBe(200);
    expectRefused(await life.cards.step('void', card), 'Void', 'Only a card that was never used can be voided.');
    expect(offered(await life.cards.show(card))).not.toContain('void');
  });

  test('of a replacement is refused: its money is an older card’s', async () => {
    const replaced = await life.done('replace', await life.cards.issue(500));
    const card = { paymentAccountId: replaced.body.replacement.accountId, accountKey: '', currency: 'NOK' };
    expectRefused(await life.cards.step('void', card), 'Void', 'Only a card that was never used can be voided.');
  });
});

describe('a reference', () => {
  test('has one effect, and is compared', async () => {
    const card = await life.cards.issue(500);
    const transactionRef = newReference();
    await life.done('block', card, { transactionRef, reason: 'Lost' });
    await life.done('unblock', card);
    const again = await life.done('block', card, { transactionRef, reason: 'Lost' });
    expect(again.body.giftCard.state).toBe('Active');
    const other = await life.cards.issue(500);
    const into = other.paymentAccountId;
    for (const [verb, about, members] of [
      ['block', card, { reason: 'Found' }],
      ['block', card, {}],
      ['unblock', card, { reason: 'Lost' }],
      ['block', other, { reason: 'Lost' }],
      ['merge', card, { reason: 'Lost', into }],
    ] as const) {
      const answer = await life.cards.step(verb, about, { transactionRef, ...members });
      expect([answer.status, answer.body.problems?.[0]?.name]).toEqual([422, 'transactionRef']);
    }
  });

  test('of a refused step stays free', async () => {
    const card = await life.cards.issue(500);
    const transactionRef = newReference();
    expect((await life.cards.step('unblock', card, { transactionRef })).status).toBe(403);
    await life.done('block', card, { transactionRef });
  });

  test('of two twins is taken by one', async () => {
    const from = await life.cards.issue(300);
    const into = (await life.cards.issue(1)).paymentAccountId;
    const transactionRef = newReference();
    const twins = await Promise.all(
      Array.from({ length: 10 }, () => life.cards.step('merge', from, { transactionRef, into })),
    );
    expect(twins.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await life.cards.show({ paymentAccountId: into })).body.giftCard.balance).toBe(301);
  });
});

test('each step leaves an audit row and an event, and its reason', async () => {
  const card = await life.cards.issue(500);
  await life.done('block', card, { reason: 'Reported stolen' });
  await life.done('unblock', card);
  await life.done('void', card);
  const id = card.paymentAccountId;
  const audit = await kontor.database.asAdmin(`select action from audit where object_id = '${id}' order by audit_id`);
  expect(audit.map(({ action }) => action)).toEqual(['block-gift-card', 'unblock-gift-card', 'void-gift-card']);
  const events = await kontor.database.asAdmin(`
    select type, resource_sequence from event where resource_kind = 'gift-card' and resource_id = '${id}' order by 2`);
  expect(events.map(({ type }) => type)).toEqual([
    'gift-card.issued',
    'gift-card.blocked',
    'gift-card.unblocked',
    'gift-card.voided',
  ]);
  const steps = await kontor.database.asAdmin(
    `select step, reason from gift_card_step where account_id = '${id}' order by happened_at`,
  );
  expect(steps[0]).toEqual({ step: 'Block', reason: 'Reported stolen' });
});
