import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWN_PREFIX } from '../../src/issuers/issuers.rules.ts';
import { passesLuhn } from '../../src/kit/cards/card-number.ts';
import { Secret } from '../../src/kit/secret.ts';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, newReference, paid } from '../support/shop/accounts-shop.ts';

let kontor: TestService;
let shop: AccountsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
});
afterAll(() => kontor.stop());

describe('what an answer shows of the card', () => {
  it('is what was sent, masked, in every answer alike', async () => {
    const { accountKey, cvc, expiryDate, paymentAccountId } = shop.nok;
    const secrets = { cvc, securityCode: cvc, track2: `${accountKey}=3912101998877`, encryptedPin: '000' };
    const sent = { accountId: paymentAccountId, accountKey, expiryDate, ...secrets };
    const members = { amount: 7, paymentTransactionRef: newReference(), accountIdentifier: sent, paymentOrderRef: 'o' };
    const first = await shop.pay('authorize', shop.nok, members);
    expect(first.body.accountIdentifier).toEqual({
      accountId: paymentAccountId,
      accountKey: `${accountKey.slice(0, 6)}******${accountKey.slice(-4)}`,
      cvc: '***',
      encryptedPin: '***',
      expiryDate,
      securityCode: '***',
      track2: '***',
    });
    const answers = [
      first,
      await shop.pay('authorize', shop.nok, members),
      await kontor.send('GET', first.body.operations[0].href),
      await kontor.send(
        'GET',
        `/api/payments/payment-account/transactions?paymentTransactionRef=${members.paymentTransactionRef}`,
      ),
    ];
    for (const { text } of answers) {
      for (const secret of [accountKey, '1998877', '000"', `"${cvc}"`]) expect(text).not.toContain(secret);
    }
  });

  it('shows only the members that were sent', async () => {
    const account = await shop.open(10);
    const answer = await shop.pay('authorize', account, { amount: 1 });
    expect(Object.keys(answer.body.accountIdentifier)).toEqual(['accountKey']);
  });

  it('stores nothing of it', async () => {
    const rows = await kontor.database.asAdmin('select echo::text as echo from payment');
    expect(rows.length).toBeGreaterThan(0);
    for (const { echo } of rows) expect(echo).not.toMatch(/[0-9]{13}|998877/);
  });
});

describe('the members of a payment', () => {
  it('come back as they were sent, with the calling system and the time of transmission', async () => {
    const account = await shop.open(10_000);
    const members = {
      amount: 100,
      description: 'Coffee & cake',
      additionalData: 'till 7',
      merchant: { merchantName: 'Kiosk', terminalId: 42 },
      stan: 123456,
      unknown: 'ignored',
      repeat: null,
    };
    const path = `/api/payments/payment-account/${account.paymentAccountId}/payment/authorize`;
    const transmissionTime = new Date(Date.now() - 5000).toISOString().replace('Z', '+00:00');
    const answer = await kontor.send('POST', path, {
      headers: { 'user-agent': 'till/1.0', 'transmission-time': transmissionTime },
      body: {
        ...members,
        accountIdentifier: { accountKey: account.accountKey },
        currency: 'NOK',
        paymentOrderRef: 'order-1',
        paymentTransactionRef: 'transaction-1',
      },
    });
    expect(answer.body).toMatchObject({
      amount: 100,
      currency: 'NOK',
      description: 'Coffee & cake',
      additionalData: 'till 7',
      merchant: { merchantName: 'Kiosk', terminalId: '42' },
      initiatingSystemUserAgent: 'till/1.0',
      transmissionTime: new Date(transmissionTime).toISOString(),
      paymentOrderRef: 'order-1',
      paymentTransactionRef: 'transaction-1',
      allowedProductIds: [],
      issuer: { issuerId: 'ledger', settlementProvided: false },
    });
    expect(answer.body).not.toHaveProperty('stan');
    expect(answer.body._links).toEqual([
      { href: answer.body.operations[0].href, rel: 'self', type: 'application/json', templated: false },
      ...answer.body.operations.map(({ href, rel, contentType }: Record<string, string>) => ({
        href,
        rel,
        type: contentType,
        templated: false,
      })),
    ]);
    const capture = await shop.follow('capture', paid(account, answer), { amount: 1 });
    expect(capture.body).toMatchObject({ merchant: { merchantName: 'Kiosk', terminalId: '42' }, currency: 'NOK' });
    const self = capture.body._links[0].href;
    expect((await kontor.send('GET', self)).body).toEqual(capture.body);
    const cancel = await shop.follow('cancel', paid(account, answer), {});
    expect((await kontor.send('GET', cancel.body._links[0].href)).body).toEqual(cancel.body);
    expect((await kontor.send('GET', self.replace('transactions', 'operations'))).status).toBe(404);
  });

  it('ignores what an operation does not have, of whatever type it is: it was not checked', async () => {
    const account = await shop.open(1000);
    const stray = { products: [{ productId: '1', amount: 1, description: account.accountKey }] };
    for (const members of [stray, { products: 'x' }, { products: [null] }]) {
      const answer = await shop.pay('authorize', account, { amount: 0, ...members });
      expect(answer).toMatchObject({ status: 200, body: { state: 'OK' } });
      expect(answer.body).not.toHaveProperty('products');
    }
    const payment = paid(account, await shop.pay('authorize', account, { amount: 10 }));
    const capture = { amount: 1, block: 'x', paymentTransactionRef: newReference() };
    expect(await shop.follow('capture', payment, capture)).toMatchObject({ status: 200, body: { amount: 1 } });
    expect(await shop.follow('capture', payment, { ...capture, block: true })).toMatchObject({
      body: { state: 'DUPLICATE' },
    });
    const cancel = { amount: 'x', cancelRemainingAuth: 5, block: [6], paymentTransactionRef: newReference() };
    expect(await shop.follow('cancel', payment, cancel)).toMatchObject({ status: 200, body: { amount: 9 } });
    expect(await shop.follow('cancel', payment, { ...cancel, amount: 5 })).toMatchObject({
      body: { state: 'DUPLICATE' },
    });
  });

  it('reads numbers digit by digit: 19 digits, fractions in products', async () => {
    const body = `${OWN_PREFIX}123456789012`;
    const digit = Array.from('0123456789').find((candidate) => passesLuhn(body + candidate));
    const accountKey = `${body}${digit}`;
    const account = await shop.open(100, { number: new Secret(accountKey) });
    const path = `/api/payments/payment-account/${account.paymentAccountId}/payment/purchase`;
    const answer = await kontor.send('POST', path, {
      body: `{"accountIdentifier": {"accountKey": ${accountKey}}, "amount": 5, "currency": "NOK",
        "merchant": {"merchantName": "Kiosk"}, "paymentOrderRef": "o-19", "paymentTransactionRef": "t-19",
        "products": [{"productId": 9007199254740993, "amount": 5, "quantity": 0.355, "unitOfMeasure": "kg", "vatRate": 12.5}]}`,
    });
    expect(answer.body).toMatchObject({
      state: 'OK',
      products: [{ productId: '9007199254740993', amount: 5, quantity: 0.355, unitOfMeasure: 'kg', vatRate: 12.5 }],
    });
  });

  it.each([
    ['amount', '100.0'],
    ['amount', '1e2'],
    ['amount', '-0'],
    ['amount', '"100"'],
    ['amount', '-1'],
    ['amount', '9007199254740993'],
    ['currency', '"nok"'],
    ['currency', '"XYZ"'],
    ['paymentOrderRef', '"a b"'],
    ['paymentTransactionRef', '""'],
    ['description', '"4925 0000 0000 0004"'],
    ['additionalData', '"card 4925000000000004"'],
    ['description', '"9578010000000010"'],
    ['stan', '"12a"'],
    ['merchant', '{}'],
    ['accountIdentifier', '{"accountKey": "1234"}'],
    ['accountIdentifier', '{"accountKey": {"a": 1}}'],
    ['accountIdentifier', '{"track2": ";9578010000000010=3912?"}'],
    ['accountIdentifier', '{"accountKey": "9578010000000010", "expiryDate": "2039-12"}'],
  ])('refuses %s %s with 400, and never repeats the value', async (member, value) => {
    const account = await shop.open(100);
    const members: Record<string, string> = {
      accountIdentifier: JSON.stringify({ accountKey: account.accountKey }),
      amount: '1',
      currency: '"NOK"',
      merchant: '{"merchantName": "Kiosk"}',
      paymentOrderRef: '"o"',
      paymentTransactionRef: '"t"',
      [member]: value,
    };
    const body = `{${Object.entries(members)
      .map(([name, text]) => `"${name}": ${text}`)
      .join(', ')}}`;
    const path = `/api/payments/payment-account/${account.paymentAccountId}/payment/authorize`;
    const answer = await kontor.send('POST', path, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.problems[0].name).toMatch(new RegExp(`^${member}`));
    expect(answer.text).not.toMatch(/9578010000000010|4925000000000004/);
  });
});
