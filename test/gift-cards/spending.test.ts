import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { refuteLedger } from '../support/issuer/accounts-ledger.ts';
import { wrongCode } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, newReference, paid } from '../support/shop/accounts-shop.ts';
import { type CardSeller, cardSeller, type IssuedCard } from '../support/shop/gift-cards-seller.ts';

let kontor: TestService;
let cards: CardSeller;
let till: AccountsShop;

beforeAll(async () => {
  kontor = await testService();
  cards = cardSeller(kontor);
  till = accountsShop(kontor);
});
afterAll(() => kontor.stop());

/** Takes a deposit back by its number. */
const takeBack = ({ paymentAccountId, paymentNumber }: IssuedCard, members: Readonly<Record<string, unknown>>) =>
  kontor.send('POST', `/api/payments/payment-account/${paymentAccountId}/payment/${paymentNumber}/reversal`, {
    body: { paymentOrderRef: newReference(), paymentTransactionRef: newReference(), ...members },
  });

describe('a gift card', () => {
  test('is an account: its balance is asked for, and it is spent like any other', async () => {
    const card = await cards.issue(1000);
    const { accountKey, cvc } = card;
    const asked = await kontor.send('POST', '/api/payments/payment-account/balance', {
      body: { accountIdentifier: { accountKey, cvc } },
    });
    expect(asked.body.paymentAccount.accountSummary).toMatchObject({
      accountId: card.paymentAccountId,
      balance: 1000,
      currency: 'NOK',
      paymentInstrumentType: 'giftcard',
    });
    const held = await till.pay('authorize', card, { amount: 400, accountIdentifier: { accountKey, cvc } });
    expect(held.body.state).toBe('OK');
    expect((await till.follow('capture', paid(card, held), { amount: 300 })).body.state).toBe('OK');
    expect((await till.follow('cancel', paid(card, held), {})).body.state).toBe('OK');
    const bought = await till.pay('purchase', card, { amount: 200 });
    expect(await till.balance(card)).toBe(500);
    expect((await till.follow('reversal', paid(card, bought), { amount: 200 })).body.state).toBe('OK');
    expect(await till.balance(card)).toBe(700);
    const wrong = wrongCode(cvc);
    const declined = await till.pay('purchase', card, { amount: 1, accountIdentifier: { accountKey, cvc: wrong } });
    expect(declined.body).toMatchObject({ state: 'FAILED' });
    const tooMuch = await till.pay('purchase', card, { amount: 701 });
    expect(tooMuch.body.problem.type).toContain('acquirerinsufficientfunds');
  });

  test('whose time is over cannot be spent', async () => {
    const card = await cards.issue(1000);
    await kontor.database.asAdmin(
      `update account set expires_at = kontor_now() - interval '1 day' where account_id = '${card.paymentAccountId}'`,
    );
    const { body } = await till.pay('purchase', card, { amount: 1 });
    expect(body.problem.type).toContain('acquirercardexpired');
  });

  test('that gets a refund has room for it, up to its largest balance', async () => {
    const card = await cards.issue(1_000_000);
    await cards.deposit(card, { amount: 1_000_000 });
    const bought = await till.pay('purchase', card, { amount: 500 });
    await cards.deposit(card, { amount: 200 });
    const refused = await till.follow('reversal', paid(card, bought), { amount: 500 });
    expect([refused.status, refused.body.problems[0].name]).toEqual([403, 'Reversal']);
    expect((await till.follow('reversal', paid(card, bought), { amount: 300 })).status).toBe(200);
    expect(await till.balance(card)).toBe(2_000_000);
  });

  test('with 100 on it takes exactly 10 of 40 spends of 10 at one moment', async () => {
    for (let round = 0; round < 10; round++) {
      const card = await cards.issue(100);
      const spends = Array.from({ length: 40 }, (_, index) =>
        till.pay(index % 2 === 0 ? 'authorize' : 'purchase', card, { amount: 10 }),
      );
      const states = (await Promise.all(spends)).map(({ body }) => body.state);
      expect(states.filter((state) => state === 'OK')).toHaveLength(10);
      expect(await till.balance(card)).toBe(0);
    }
  });
});

describe('a deposit', () => {
  test('is read and taken back by its whole number, as far as it is still there', async () => {
    const card = await cards.issue(100);
    const path = `/api/payments/payment-account/${card.paymentAccountId}/payment/${card.paymentNumber}`;
    const read = await kontor.send('GET', path);
    expect(read.body).toMatchObject({ operation: 'Deposit', amount: 100, remainingReversalAmount: 100 });
    await till.pay('purchase', card, { amount: 30 });
    const tooMuch = await takeBack(card, { amount: 71 });
    expect([tooMuch.status, tooMuch.body.problems[0].name]).toEqual([403, 'Reversal']);
    const { status, body } = await takeBack(card, { amount: 70 });
    expect([status, body.remainingReversalAmount]).toEqual([200, 30]);
    expect(await till.balance(card)).toBe(0);
    expect((await takeBack({ ...card, paymentNumber: 999_999_999 }, { amount: 1 })).status).toBe(404);
    const other = await cards.issue(10);
    expect((await takeBack({ ...other, paymentNumber: card.paymentNumber }, { amount: 1 })).status).toBe(404);
  });

  test('of an order is taken back under that order; a new card’s has none', async () => {
    const card = await cards.issue(0);
    const orderRef = newReference();
    const { body } = await cards.deposit(card, { amount: 10, orderRef });
    const deposit = { ...card, paymentNumber: body.paymentId };
    expect((await takeBack(deposit, { amount: 10 })).status).toBe(422);
    expect((await takeBack(deposit, { amount: 10, paymentOrderRef: orderRef })).body.state).toBe('OK');
  });

  test.each([
    [true, 404],
    [false, 200],
    [undefined, 200],
  ])('taken back with block %s: the card is then answered %i', async (block, status) => {
    const card = await cards.issue(100);
    const transactionRef = newReference();
    const content = { amount: 100, block, paymentOrderRef: 'order', paymentTransactionRef: transactionRef };
    const first = await takeBack(card, content);
    expect(first.body.state).toBe('OK');
    expect((await cards.deposit(card, { amount: 1 })).status).toBe(status);
    expect((await takeBack(card, { ...content, repeat: true })).body.transactionId).toBe(first.body.transactionId);
    expect((await takeBack(card, { ...content, block: block !== true })).status).toBe(422);
  });

  test('that was refunded against spends at one moment never goes below zero', async () => {
    for (let round = 0; round < 5; round++) {
      const card = await cards.issue(100);
      const spends = Array.from({ length: 10 }, () => till.pay('purchase', card, { amount: 20 }));
      const refunds = Array.from({ length: 4 }, () => takeBack(card, { amount: 40 }));
      const spent = (await Promise.all(spends)).filter(({ body }) => body.state === 'OK').length * 20;
      const refunded = (await Promise.all(refunds)).filter(({ status }) => status === 200).length * 40;
      expect(spent + refunded + (await till.balance(card))).toBe(100);
    }
  });
});

test('a card of a product that asks for a cvc, or allows some products, holds its own', async () => {
  await kontor.database.asAdmin(`
    insert into gift_card_product (payee_id, product_id, name, currency, number_prefix, number_length, validity_months,
      smallest_amount, largest_amount, largest_balance, allowed_product_ids, cvc_required)
    values ('${kontor.payeeId}', 'tea', 'Tea', 'SEK', '95782', 19, 6, 1, 1000, 1000, '{tea}', true)`);
  const card = await cards.issue(500, { productId: 'tea' });
  expect(card.accountKey).toMatch(/^95782[0-9]{14}$/);
  const { accountKey, cvc } = card;
  const buy = (identifier: object, productId: string) =>
    till.pay('purchase', card, {
      amount: 10,
      currency: 'SEK',
      accountIdentifier: identifier,
      products: [{ productId, amount: 10 }],
    });
  expect((await buy({ accountKey }, 'tea')).body.state).toBe('FAILED');
  expect((await buy({ accountKey, cvc }, 'coffee')).body.state).toBe('FAILED');
  expect((await buy({ accountKey, cvc }, 'tea')).body.state).toBe('OK');
});

test('the books are right after all of it', async () => {
  const { findings } = await verifyLedger(kontor.database.reports, accountInvariants());
  expect(findings.filter(({ badRow }) => badRow !== undefined)).toEqual([]);
  expect(await refuteLedger(kontor.database)).toEqual([]);
});
