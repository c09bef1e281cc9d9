import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import { type SendOptions, type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, type Members, ownNumber } from '../support/shop/accounts-shop.ts';

let kontor: TestService;
let shop: AccountsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
});
afterAll(() => kontor.stop());

const ask = (accountIdentifier: Members, as: SendOptions = {}) =>
  kontor.send('POST', '/api/payments/payment-account/balance', {
    body: { accountIdentifier },
    ...as,
  });

describe('the sandbox', () => {
  it('has an account in NOK and one in SEK with 1 000 000 000 each, and the test cards', async () => {
    for (const account of [shop.nok, shop.sek]) {
      const { accountKey, cvc, expiryDate, paymentAccountId, currency, instrument } = account;
      const answer = await ask({ accountKey, cvc, expiryDate, accountId: paymentAccountId });
      expect(answer.body.paymentAccount.accountSummary).toEqual({
        accountId: paymentAccountId,
        balance: 1_000_000_000,
        currency,
        expiryDate: '2039-12-31',
        paymentInstrumentType: instrument,
      });
      expect(answer.body.paymentAccount.issuerSummary.issuerId).toBe('ledger');
      expect(account.balance).toBe(1_000_000_000);
    }
    expect([shop.nok.currency, shop.sek.currency]).toEqual(['NOK', 'SEK']);
    expect(shop.testCards.length).toBeGreaterThan(8);
    for (const card of shop.testCards) {
      const answer = await ask({ accountKey: card.accountKey });
      expect(answer.body.paymentAccount.accountSummary).toEqual({
        accountId: card.paymentAccountId,
        balance: 0,
        paymentInstrumentType: 'creditcard',
      });
    }
  });
});

describe('balance', () => {
  it('takes holds off, and offers what can be paid', async () => {
    const account = await shop.open(1000);
    await shop.pay('authorize', account, { amount: 300 });
    const { body } = await ask({ accountKey: account.accountKey });
    expect(body.paymentAccount.accountSummary.balance).toBe(700);
    const { href } = body.operations.find(({ rel }: { rel: string }) => rel === 'create-authorization');
    expect(href).toBe(`${kontor.baseUrl}/api/payments/payment-account/${account.paymentAccountId}/payment/authorize`);
  });

  it('makes the account of an external card at first sight, once', async () => {
    const accountKey = testCardNumber(12_345);
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask({ accountKey })));
    const ids = answers.map(({ body }) => body.paymentAccount.accountSummary.accountId);
    expect(new Set(ids).size).toBe(1);
  });

  it('answers 404 alike for an unknown number, a wrong expiry and another payee’s account', async () => {
    const other = await kontor.addPayee();
    const { accountKey } = shop.nok;
    const answers = [
      await ask({ accountKey: ownNumber() }),
      await ask({ accountKey, expiryDate: '11/39' }),
      await ask({ accountKey }, other),
      await ask({ accountKey: '4925000000000005' }),
    ];
    const bodies = answers.map(({ status, body }) => ({ status, ...body, sessionId: '', instance: '' }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]?.status).toBe(404);
  });

  it('refuses another accountId, and needs the scope', async () => {
    const { accountKey } = shop.nok;
    expect((await ask({ accountKey, accountId: shop.sek.paymentAccountId })).status).toBe(400);
    expect((await ask({ accountKey }, { accessToken: await kontor.addAccessToken(['tokens:read']) })).status).toBe(403);
  });
});
