import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop } from '../support/shop/accounts-shop.ts';

/**
 * Requests as existing clients of such an API send them, byte for byte: every member that there is, empty or null where they
 * have nothing to say, in both spellings, with the headers of each version. What they send must pass.
 */

let kontor: TestService;
let account: AccountsShop['nok'];
beforeAll(async () => {
  kontor = await testService();
  account = accountsShop(kontor).nok;
});
afterAll(() => kontor.stop());

const VERSIONS = ['3.1', '3.0', '2.0', '3.x/2.0', '3.1/3.0/2.0', '3.1/2.0'];
const COMMON = {
  accept: 'application/problem+json; q=1.0, application/json; q=0.9',
  'user-agent': 'webshop/1.0',
  'session-id': '7a4fc8e3-8c2e-4c1b-9d0a-2c1f0b5b8f11',
  forwarded: 'for=82.115.151.177; host=example.com; proto=https',
};

let made = 0;
const reference = () => `literal-${++made}`;

function send(method: string, path: string, body?: string, version = '3.1'): Promise<Answer> {
  const headers = { ...COMMON, 'content-type': `application/json;version=${version}` };
  return kontor.send(method, path, { headers, ...(body !== undefined && { body }) });
}

const relOf = ({ body }: Answer, rel: string) =>
  (body.operations as { rel: string; href: string; method: string }[]).find((one) => one.rel === rel);

/** The creation body of the specification, with all that clients know of and leave empty. */
const purchase = () => `{
  "payment": {
    "operation": "Purchase",
    "intent": "Authorization",
    "paymentToken": "",
    "recurrenceToken": "",
    "unscheduledToken": null,
    "currency": "NOK",
    "prices": [ { "type": "CreditCard", "amount": 1500, "vatAmount": 0 } ],
    "amount": null,
    "description": "Test Purchase",
    "payerReference": "",
    "payer": { "payerReference": "literal payer" },
    "generatePaymentToken": true,
    "generateRecurrenceToken": false,
    "generateUnscheduledToken": "",
    "userAgent": "Mozilla/5.0...",
    "language": "nb-NO",
    "urls": {
      "hostUrls": [ "https://example.com", "https://example.net" ],
      "completeUrl": "https://example.com/payment-completed",
      "cancelUrl": "https://example.com/payment-cancelled",
      "paymentUrl": "",
      "callbackUrl": "",
      "logoUrl": "",
      "termsOfServiceUrl": null
    },
    "payeeInfo": {
      "payeeId": "${kontor.payeeId}",
      "payeeReference": "${reference()}",
      "payeeName": "",
      "productCategory": "",
      "orderReference": "or-123456",
      "subsite": ""
    },
    "cardholder": {
      "firstName": "Olivia",
      "lastName": "Nyhuus",
      "email": "olivia.nyhuus@example.com",
      "msisdn": "",
      "homePhoneNumber": null,
      "shippingAddress": {
        "addressee": "Olivia Nyhuus", "coAddress": "", "streetAddress": "Saltnestoppen 43", "email": "", "msisdn": "",
        "zipCode": "1642", "city": "Saltnes", "countryCode": "NO"
      },
      "billingAddress": { "addressee": "Olivia Nyhuus", "coAddress": "", "zipCode": "1642", "countryCode": "NO" },
      "accountInfo": { "accountAgeIndicator": "04", "accountChangeIndicator": "", "suspiciousAccountActivity": null }
    },
    "riskIndicator": { "deliveryEmailAddress": "olivia.nyhuus@example.com", "preOrderDate": "", "pickUpAddress": {} },
    "metadata": { "key1": "value1", "key2": 2, "key3": 3.1, "key4": false, "key5": "" }
  },
  "creditCard": { "rejectCreditCards": false, "rejectDebitCards": "", "rejectConsumerCards": null, "noCvc": false }
}`;

/** The identifier block of the specification, whole. */
const identifier = () => `{
  "accountId": "", "accountKey": "${account.accountKey}", "cvc": "", "encryptedPin": "", "expiryDate": "",
  "securityCode": null, "track2": ""
}`;

const authorize = () => `{
  "accountIdentifier": ${identifier()},
  "additionalData": "", "amount": 12500, "currency": "NOK", "description": "",
  "merchant": { "merchantName": "Kiosk", "terminalId": "" },
  "paymentOrderRef": "literal-order", "paymentTransactionRef": "${reference()}", "repeat": "", "stan": ""
}`;

describe('card payments', () => {
  it.each(VERSIONS)('are made with every member that there is, many of them empty: version %s', async (version) => {
    const answer = await send(
      'POST',
      '/psp/creditcard/payments?$expand=urls,prices,payeeInfo,metadata',
      purchase(),
      version,
    );
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"state":"Ready"')]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json; charset=utf-8; version=(3\.1|3\.0|2\.0)$/);
    expect(answer.headers.get('session-id')).toBe(COMMON['session-id']);
    const { urls, payeeInfo, metadata, payerReference, initiatingSystemUserAgent } = answer.body.payment;
    expect([payerReference, initiatingSystemUserAgent]).toEqual(['literal payer', 'webshop/1.0']);
    expect(Object.keys(urls).sort()).toEqual(['cancelUrl', 'completeUrl', 'hostUrls', 'id']);
    expect(Object.keys(payeeInfo).sort()).toEqual(['id', 'orderReference', 'payeeId', 'payeeReference']);
    expect(metadata).toMatchObject({ key1: 'value1', key2: 2, key3: 3.1, key4: false });
    expect(metadata).not.toHaveProperty('key5');
    for (const rel of ['update-payment-abort', 'redirect-authorization', 'view-authorization']) {
      expect(relOf(answer, rel), rel).toBeDefined();
    }
  });

  it('are paid, captured, reversed, verified and aborted by following operations', async () => {
    const made = await send('POST', '/psp/creditcard/payments', purchase());
    const card = `{ "transaction": { "cardNumber": "4925000000000004", "cardExpiryMonth": 12, "cardExpiryYear": "2039",
      "cardVerificationCode": 123, "cardholderName": "" } }`;
    const authorized = await send('POST', relOf(made, 'direct-authorization')?.href ?? '', card);
    expect(authorized.body.authorization.transaction.state).toBe('Completed');
    const part = () =>
      `{ "transaction": { "amount": 500, "vatAmount": 0, "description": "", "payeeReference": "${reference()}" } }`;
    const captured = await send('POST', relOf(authorized, 'create-capture')?.href ?? '', part());
    expect(captured.body.capture.transaction.state).toBe('Completed');
    const reversed = await send('POST', relOf(captured, 'create-reversal')?.href ?? '', part());
    expect(reversed.body.reversal.transaction.state).toBe('Completed');
    const rest = `{ "transaction": { "description": "", "payeeReference": "" } }`;
    const cancelled = await send('POST', relOf(reversed, 'create-cancellation')?.href ?? '', rest);
    expect(cancelled.body.cancellation.transaction.state).toBe('Completed');
    const paid = await send('GET', relOf(cancelled, 'paid-payment')?.href ?? '');
    expect(paid.body.paid.tokens).toMatchObject([{ type: 'payment' }]);
    const other = await send('POST', '/psp/creditcard/payments', purchase());
    const abort = `{ "payment": { "operation": "Abort", "abortReason": "CancelledByConsumer" } }`;
    const aborted = await send('PATCH', relOf(other, 'update-payment-abort')?.href ?? '', abort);
    expect(aborted.body.payment.state).toBe('Aborted');
  });
});

describe('account payments', () => {
  const at = (verb: string) => `/api/payments/payment-account/${account.paymentAccountId}/payment/${verb}`;

  it.each(VERSIONS)('are authorized with the whole body of the specification: version %s', async (version) => {
    const { status, body } = await send('POST', at('authorize'), authorize(), version);
    expect([status, body.state, body.problem]).toEqual([200, 'OK', undefined]);
    expect(Object.keys(body.accountIdentifier)).toEqual(['accountKey']);
  });

  it('are captured, cancelled, reversed, and asked for by their balance', async () => {
    const held = await send('POST', at('authorize'), authorize());
    const follow = (amount: string) => `{ ${amount} "description": "", "additionalData": "", "repeat": null, "stan": "",
      "paymentOrderRef": "literal-order", "paymentTransactionRef": "${reference()}" }`;
    const captured = await send('POST', relOf(held, 'create-capture')?.href ?? '', follow('"amount": 500,'));
    expect(captured.body.state).toBe('OK');
    const cancelled = await send('POST', relOf(held, 'create-cancellation')?.href ?? '', follow(''));
    expect(cancelled.body.state).toBe('OK');
    const reversed = await send('POST', relOf(captured, 'create-reversal')?.href ?? '', follow('"amount": 500,'));
    expect(reversed.body.state).toBe('OK');
    const balance = await send(
      'POST',
      '/api/payments/payment-account/balance',
      `{ "accountIdentifier": ${identifier()} }`,
    );
    expect(balance.body.paymentAccount.accountSummary.accountId).toBe(account.paymentAccountId);
  });
});

describe('gift cards', () => {
  it.each(['SimpleAccountIdentifier', 'simpleAccountIdentifier'])(
    'are made and filled, spelled %s',
    async (spelled) => {
      const fresh = await send(
        'POST',
        '/api/payments/gift-card/get-new-gift-card',
        '{ "amount": 5000, "email": "", "msisdn": "", "productId": "" }',
      );
      expect(fresh.status).toBe(200);
      const { accountKey } = fresh.body.accountSummaryGiftCard;
      const other = spelled === 'SimpleAccountIdentifier' ? 'simpleAccountIdentifier' : 'SimpleAccountIdentifier';
      const filled = await send(
        'POST',
        '/api/payments/gift-card/pre-deposit',
        `{ "amount": 100, "currency": "NOK", "description": "", "orderRef": "${reference()}", "transactionRef": "",
        "${other}": null, "${spelled}": { "accountKey": ${accountKey}, "cvc": "", "expiryDate": "" } }`,
      );
      expect(filled.body).toMatchObject({ balance: 5100, paymentId: expect.any(Number) });
    },
  );
});

describe('payer tokens', () => {
  it.each(VERSIONS)('are read, renamed, archived and deleted by following operations: version %s', async (version) => {
    const payerReference = `literal ${version}`;
    const line = { payerReference, tokenType: 'Payment', instrument: 'CreditCard' };
    await kontor.importLines([{ ...line, pan: '4925000000000004', expiryDate: '12/2030' }]);
    const payer = `/online/payer/payees/${kontor.payeeId}/payers/${encodeURIComponent(payerReference)}`;
    const list = await send('GET', `${payer}/tokens?$expand=operations`, undefined, version);
    const [token] = list.body.tokens.tokenlist;
    const follow = (rel: string, body: string) =>
      send('PATCH', relOf({ body: token } as Answer, rel)?.href ?? '', body, version);
    const renamed = await follow('update-displayname', '{ "displayName": "My card", "comment": "" }');
    expect(renamed.body.token.instrumentDisplayName).toBe('My card');
    const archived = await follow('archive-token', '{ "reason": "lost", "updatedBy": "PAYEE" }');
    expect(archived.body.token.state).toBe('Archived');
    const deleted = await follow('delete-paymenttokens', '{ "state": "Deleted", "comment": "" }');
    expect(deleted.body.paymentToken).toBe(token.token);
    const owned = `/psp/paymentorders/payerownedtokens/${encodeURIComponent(payerReference)}`;
    const rest = await send('PATCH', owned, '{ "state": "Deleted", "comment": null }', version);
    expect(rest.body.payerOwnedTokens.tokens).toEqual([]);
  });

  it('an empty member that must be there is refused, by its name', async () => {
    const payer = `/online/payer/payees/${kontor.payeeId}/payers/unknown`;
    const { status, body } = await send('PATCH', `${payer}/archives`, '{ "reason": "", "updatedBy": "" }');
    expect([status, body.problems.map(({ name }: { name: string }) => name)]).toEqual([400, ['reason', 'updatedBy']]);
  });
});
