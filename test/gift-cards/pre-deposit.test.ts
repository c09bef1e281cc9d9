import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProductId } from '../../src/gift-cards/gift-cards.types.ts';
import { createProduct } from '../../src/gift-cards/products/products.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { wrongCode } from '../support/numbers.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { newReference } from '../support/shop/accounts-shop.ts';
import { productTerms } from '../support/shop/gift-cards.ts';
import { type CardSeller, cardSeller, type IssuedCard } from '../support/shop/gift-cards-seller.ts';

let kontor: TestService;
let shop: CardSeller;

beforeAll(async () => {
  kontor = await testService();
  shop = cardSeller(kontor);
});
afterAll(() => kontor.stop());

const balanceOf = async (card: IssuedCard) => (await shop.deposit(card, { amount: 0 })).body.balance;
const strikesOf = async ({ paymentAccountId }: IssuedCard) =>
  (await kontor.database.asAdmin(`select strikes from account where account_id = '${paymentAccountId}'`))[0]?.[
    'strikes'
  ];
const otherExpiry = (card: IssuedCard) =>
  `${card.expiryDate.startsWith('01') ? '02' : '01'}${card.expiryDate.slice(2)}`;

/** What of an answer every test may compare: all but what is new in each. */
function outside({ status, text, headers }: Answer) {
  const shown = [...headers].filter(([name]) => !['date', 'session-id'].includes(name));
  const body = { ...JSON.parse(text), sessionId: '', instance: '' };
  return { status, headers: shown, body };
}

describe('a deposit', () => {
  test('adds to the card, and answers its balance and its number', async () => {
    const card = await shop.issue(100);
    const { status, body } = await shop.deposit(card, { amount: 50, description: 'A present' });
    expect([status, body.balance]).toEqual([200, 150]);
    expect(Number.isSafeInteger(body.paymentId)).toBe(true);
    expect(body.paymentId).not.toBe(card.paymentNumber);
    expect(body._links[0].rel).toBe('self');
    expect(await balanceOf(card)).toBe(150);
  });

  test('is a payment that names no merchant: there is none', async () => {
    const { body } = await shop.deposit(await shop.issue(100), { amount: 50 });
    const { status, body: payment } = await kontor.send('GET', body._links[0].href);
    expect([status, payment.operation, 'merchant' in payment]).toEqual([200, 'Deposit', false]);
  });

  test('of 0 moves nothing and answers the balance', async () => {
    const card = await shop.issue(100);
    const { body } = await shop.deposit(card, { amount: 0 });
    expect([body.balance, typeof body.paymentId]).toEqual([100, 'number']);
    const entries = await kontor.database.asAdmin(`select from entry where account_id = '${card.paymentAccountId}'`);
    expect(entries).toHaveLength(1);
  });

  test('of 0 tells no balance without a code that the card needs for that', async () => {
    const terms = productTerms(kontor.payeeId as PayeeId, {
      productId: 'coded' as ProductId,
      cvcRequired: true,
      isDefault: false,
    });
    await kontor.service.database.transact((transaction) =>
      createProduct(transaction, kontor.service.giftCards, { terms, actor: SERVICE }),
    );
    const card = await shop.issue(100, { productId: 'coded' });
    const { accountKey, cvc } = card;
    expect((await shop.deposit({ accountKey }, { amount: 0 })).status).toBe(404);
    expect(await strikesOf(card)).toBe(0);
    expect((await shop.deposit({ accountKey, cvc }, { amount: 0 })).body.balance).toBe(100);
    expect((await shop.deposit({ accountKey }, { amount: 1 })).body.balance).toBe(101);
  });

  test('takes the card in both spellings, and numbers for texts', async () => {
    const card = await shop.issue(0);
    const { accountKey, cvc, expiryDate } = card;
    const identifier = { accountKey, cvc, expiryDate };
    const send = (text: string) =>
      kontor.send('POST', '/api/payments/gift-card/pre-deposit', {
        body: `{"amount": 1, "currency": "NOK", "orderRef": "${newReference()}", ${text}}`,
      });
    expect((await send(`"simpleAccountIdentifier": ${JSON.stringify(identifier)}`)).status).toBe(200);
    const numbers = `{"accountKey": ${accountKey}, "cvc": ${Number(cvc)}, "expiryDate": "${expiryDate}"}`;
    expect((await send(`"SimpleAccountIdentifier": ${numbers}`)).status).toBe(200);
    const both = await send(`"SimpleAccountIdentifier": ${numbers}, "simpleAccountIdentifier": ${numbers}`);
    expect([both.status, both.body.problems[0].name]).toEqual([400, 'simpleAccountIdentifier']);
    const none = await send('"description": "none"');
    expect([none.status, none.body.problems[0].name]).toEqual([400, 'SimpleAccountIdentifier']);
    expect(await balanceOf(card)).toBe(2);
  });

  test.each([
    [{ amount: 1_000_001 }, 400, 'amount'],
    [{ amount: 1, currency: 'SEK' }, 400, 'currency'],
    [{ amount: 1, currency: 'KRO' }, 400, 'currency'],
    [{ amount: 1, orderRef: undefined }, 400, 'orderRef'],
    [{ amount: 1, orderRef: 'a b' }, 400, 'orderRef'],
    [{ amount: 1, transactionRef: '4925000000000004' }, 400, 'transactionRef'],
  ])('of %j is answered %i', async (members, status, name) => {
    const card = await shop.issue(10);
    const answer = await shop.deposit(card, members);
    expect([answer.status, answer.body.problems?.[0].name]).toEqual([status, name]);
  });

  test('above the largest balance is 403, named Deposit', async () => {
    const card = await shop.issue(1_000_000);
    expect((await shop.deposit(card, { amount: 1_000_000 })).body.balance).toBe(2_000_000);
    const { status, body } = await shop.deposit(card, { amount: 1 });
    expect([status, body.problems[0].name]).toEqual([403, 'Deposit']);
    expect(await balanceOf(card)).toBe(2_000_000);
  });

  test('on a card whose time is over is 403, named Deposit', async () => {
    const card = await shop.issue(10);
    await kontor.database.asAdmin(
      `update account set expires_at = kontor_now() - interval '1 day' where account_id = '${card.paymentAccountId}'`,
    );
    const { status, body } = await shop.deposit(card, { amount: 1 });
    expect([status, body.problems[0].name]).toEqual([403, 'Deposit']);
  });

  test('whose description holds a gift card’s number is 400: it would be stored in the clear', async () => {
    const card = await shop.issue(10);
    const { status, body } = await shop.deposit(card, { amount: 1, description: `For ${card.accountKey}` });
    expect([status, body.problems[0].name]).toEqual([400, 'description']);
  });

  test('on stored value that is no gift card has no product’s limits', async () => {
    const [account] = (kontor as unknown as { accounts: { accountKey: string; cvc: string }[] }).accounts;
    expect((await shop.deposit({ accountKey: account?.accountKey ?? '' }, { amount: 1_000_001 })).status).toBe(200);
  });
});

describe('its reference', () => {
  test('is the transactionRef, or else the orderRef: the same again gives the first answer', async () => {
    const card = await shop.issue(0);
    for (const refs of [{ orderRef: newReference() }, { orderRef: newReference(), transactionRef: newReference() }]) {
      const first = await shop.deposit(card, { amount: 10, ...refs });
      await shop.deposit(card, { amount: 1 });
      const again = await shop.deposit(card, { amount: 10, ...refs });
      expect(again.text).toBe(first.text);
    }
    expect(await balanceOf(card)).toBe(22);
  });

  test('of two deposits of one order tells them apart', async () => {
    const card = await shop.issue(0);
    const orderRef = newReference();
    for (let time = 0; time < 2; time++) {
      expect((await shop.deposit(card, { amount: 10, orderRef, transactionRef: newReference() })).status).toBe(200);
    }
    expect(await balanceOf(card)).toBe(20);
  });

  test('with other content is 422', async () => {
    const [card, other] = [await shop.issue(0), await shop.issue(0)];
    const content = { amount: 10, orderRef: newReference(), transactionRef: newReference(), description: 'One' };
    expect((await shop.deposit(card, content)).status).toBe(200);
    for (const change of [{ amount: 11 }, { description: 'Two' }, { orderRef: newReference() }]) {
      const { status, body } = await shop.deposit(card, { ...content, ...change });
      expect([status, body.problems[0].name], JSON.stringify(change)).toEqual([422, 'transactionRef']);
    }
    expect((await shop.deposit(other, content)).status).toBe(422);
    const { accountKey, cvc } = card;
    expect((await shop.deposit({ accountKey, cvc }, content)).status).toBe(422);
  });

  test('is told its answer whatever the code is this time, and whatever became of the card', async () => {
    const card = await shop.issue(0);
    const content = { amount: 10, orderRef: newReference() };
    const first = await shop.deposit(card, content);
    expect((await shop.deposit({ ...card, cvc: wrongCode(card.cvc) }, content)).text).toBe(first.text);
    expect(await strikesOf(card)).toBe(0);
    await kontor.database.asAdmin(
      `update account set blocked_at = kontor_now() where account_id = '${card.paymentAccountId}'`,
    );
    expect((await shop.deposit(card, content)).text).toBe(first.text);
    expect((await shop.deposit(card, { amount: 10 })).status).toBe(404);
  });

  test('is free after a refusal', async () => {
    const card = await shop.issue(0);
    const orderRef = newReference();
    expect((await shop.deposit(card, { amount: 10, currency: 'SEK', orderRef })).status).toBe(400);
    expect((await shop.deposit({ ...card, cvc: wrongCode(card.cvc) }, { amount: 10, orderRef })).status).toBe(404);
    expect((await shop.deposit(card, { amount: 10, orderRef })).body.balance).toBe(10);
  });

  test('of many at one moment has one effect, and two loads never lose one', async () => {
    const card = await shop.issue(0);
    const orderRef = newReference();
    const same = Array.from({ length: 16 }, () => shop.deposit(card, { amount: 10, orderRef }));
    const different = Array.from({ length: 30 }, () => shop.deposit(card, { amount: 3 }));
    const texts = (await Promise.all(same)).map(({ body }) => body.paymentId);
    expect(new Set(texts).size).toBe(1);
    const balances = (await Promise.all(different)).map(({ body }) => body.balance);
    expect(new Set(balances).size).toBe(30);
    expect(await balanceOf(card)).toBe(100);
  });
});

describe('from outside', () => {
  test('an unknown number, a wrong cvc and a wrong expiry look the same, and the card has a strike', async () => {
    const card = await shop.issue(10);
    const unknown = await shop.deposit({ accountKey: '9578199999999999', cvc: '123' }, { amount: 1 });
    const cvc = await shop.deposit({ ...card, cvc: wrongCode(card.cvc) }, { amount: 1 });
    const expiry = await shop.deposit({ ...card, expiryDate: otherExpiry(card) }, { amount: 1 });
    expect(outside(unknown).status).toBe(404);
    expect(outside(cvc)).toEqual(outside(unknown));
    expect(outside(expiry)).toEqual(outside(unknown));
    expect(await strikesOf(card)).toBe(2);
    expect(
      await kontor.database.asAdmin(
        "select from reference where scope = 'pre-deposit' and payment_id not in (select payment_id from payment)",
      ),
    ).toEqual([]);
  });

  test('each of them costs one batch: none is quicker by a whole commit', async () => {
    const card = await shop.issue(10);
    const batches = async (send: () => Promise<unknown>) => {
      const count = async () => {
        const text = await (await fetch(`${kontor.baseUrl}/metrics`)).text();
        return Number(/^kontor_money_batch_commands_count (\d+)/m.exec(text)?.[1] ?? Number.NaN);
      };
      const before = await count();
      await send();
      return (await count()) - before;
    };
    const unknown = await batches(() => shop.deposit({ accountKey: '9578199999999999' }, { amount: 1 }));
    const wrong = await batches(() => shop.deposit({ ...card, cvc: wrongCode(card.cvc) }, { amount: 1 }));
    expect([unknown, wrong]).toEqual([1, 1]);
  });

  test('the fifth wrong code closes the card for the caller, to whom it then looks unknown too', async () => {
    const card = await shop.issue(10);
    for (let time = 0; time < 5; time++) await shop.deposit({ ...card, cvc: wrongCode(card.cvc) }, { amount: 1 });
    expect((await shop.deposit(card, { amount: 1 })).status).toBe(404);
    const body = { accountIdentifier: { accountKey: card.accountKey, cvc: card.cvc } };
    expect((await kontor.send('POST', '/api/payments/payment-account/balance', { body })).status).toBe(404);
  });
});
