import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, signatureOf, type TestService, testService } from '../support/service.ts';
import { accountsShop } from '../support/shop/accounts-shop.ts';
import { cardSeller } from '../support/shop/gift-cards-seller.ts';

/**
 * Literal requests of clients and shop plug-ins in PHP: amounts that were read from a form or a database are texts, what was
 * reckoned is a double, an id or a flag is what the shop has it as, and words are written in the case of the plug-in's own
 * constants. Each form has a control, in which nothing can be understood.
 */

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

let made = 0;
const reference = () => `php-${++made}`;
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (path: string, body: string): Promise<Answer> => kontor.send('POST', path, { headers: JSON_TYPE, body });
const patch = (path: string, body: string): Promise<Answer> => kontor.send('PATCH', path, { headers: JSON_TYPE, body });
const hrefOf = ({ body, text }: Answer, rel: string): string => {
  const found = (body.operations as { rel: string; href: string }[]).find((one) => one.rel === rel);
  if (found === undefined) throw new Error(`There is no ${rel} in ${text}`);
  return found.href;
};
const namesOf = ({ body }: Answer) => body.problems?.map(({ name }: { name: string }) => name);

describe('a card payment', () => {
  const payment = (amount: string, more = '') => `{"payment":{"operation":"PURCHASE","intent":"authorization",
    "currency":"NOK","prices":[{"type":"creditcard","amount":${amount},"vatAmount":"0"}],"description":1042,
    "userAgent":"Mozilla/5.0","language":"nb-NO","generatePaymentToken":false,"payerReference":4711,
    "urls":{"completeUrl":"https://shop.example/ok","cancelUrl":"https://shop.example/no"},
    "payeeInfo":{"payeeId":"${kontor.payeeId}","payeeReference":${++made}0,"payeeName":"Shop","orderReference":1042},
    "cardholder":{"firstName":"Olivia","zipCode":1642,"shippingAddress":{"zipCode":1642},"accountInfo":{"isNew":true}},
    "metadata":{"order":1042,"paid":true}${more}}}`;
  const CARD = `{"transaction":{"cardNumber":"4925000000000004","cardExpiryMonth":12,"cardExpiryYear":2039,
    "cardVerificationCode":"123"}}`;

  test.each([
    ['a text', '"1500"'],
    ['a number with a fraction', '1500.0'],
    ['a number with an exponent', '15e2'],
    ['a sum of doubles', '1499.9999999999998'],
  ])('is made with an amount that is %s, and answered with numbers, texts and words of ours', async (_what, amount) => {
    const answer = await post('/psp/creditcard/payments?$expand=prices,payeeinfo,metadata', payment(amount));
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"state":"Ready"')]);
    expect(answer.body.payment).toMatchObject({
      operation: 'Purchase',
      intent: 'Authorization',
      description: '1042',
      payerReference: '4711',
      prices: { priceList: [{ amount: 1500, vatAmount: 0 }] },
      payeeInfo: { orderReference: '1042', payeeReference: expect.stringMatching(/^[0-9]+$/) },
      metadata: { order: 1042, paid: true },
    });
  });

  test.each(['"1e3"', '" 1500"', '"15.00"', '"-1"', '1500.1', 'true', '"0x10"', '"1500 "', '"١٥٠٠"'])(
    'is not made with an amount of %s, and the problem names it',
    async (amount) => {
      const answer = await post('/psp/creditcard/payments', payment(amount));
      expect([answer.status, namesOf(answer)]).toEqual([400, ['payment.prices[0].amount']]);
    },
  );

  test('with a word that is none is refused, in whatever case', async () => {
    const answer = await post('/psp/creditcard/payments', payment('"1500"').replace('PURCHASE', 'PURCHASES'));
    expect([answer.status, namesOf(answer)]).toEqual([400, ['payment.operation']]);
  });

  test('is captured, reversed and aborted with texts, and counted by what they mean', async () => {
    const answer = await post('/psp/creditcard/payments', payment('"1500"'));
    const authorized = await post(hrefOf(answer, 'direct-authorization'), CARD);
    expect(authorized.body.authorization.transaction).toMatchObject({ state: 'Completed', amount: 1500 });
    const part = (amount: string, ref: string) =>
      `{"transaction":{"amount":${amount},"vatAmount":"0","description":7,"payeeReference":"${ref}"}}`;
    const capture = hrefOf(authorized, 'create-capture');
    const ref = reference();
    const captured = await post(capture, part('"1000"', ref));
    expect(captured.body.capture.transaction).toMatchObject({ state: 'Completed', amount: 1000, description: '7' });
    // The same in another form is the same request.
    const again = await post(capture, part('1000.00', ref));
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(again.body.capture.transaction.number).toBe(captured.body.capture.transaction.number);
    expect((await post(capture, part('"501"', reference()))).status).toBe(403);
    const reversed = await post(hrefOf(captured, 'create-reversal'), part('"1000"', reference()));
    expect(reversed.body.reversal.transaction).toMatchObject({ state: 'Completed', amount: 1000 });
    const { body } = await kontor.send('GET', answer.body.payment.id);
    expect(body.payment).toMatchObject({ amount: 1500, remainingCaptureAmount: 500 });
    const other = await post('/psp/creditcard/payments', payment('1500'));
    const abort = '{"payment":{"operation":"abort","abortReason":42}}';
    expect((await patch(hrefOf(other, 'update-payment-abort'), abort)).body.payment.state).toBe('Aborted');
  });
});

describe('a payment order', () => {
  const line = (quantity: string, amount: string) => `{"reference":77,"name":"Coat","type":"product","class":"Clothes",
    "quantity":${quantity},"quantityUnit":"pcs","unitPrice":"2500","discountPrice":0.0,"vatPercent":"2500",
    "amount":${amount},"vatAmount":1000.0000000001,"restrictedToInstruments":null}`;
  const order = (amount: string, items: string) => `{"paymentorder":{"operation":"purchase","currency":"NOK",
    "amount":${amount},"vatAmount":"1000","description":"Order","userAgent":"Mozilla/5.0","language":"nb-NO",
    "orderItems":[${items}],"urls":{"completeUrl":"https://shop.example/ok"},
    "payeeInfo":{"payeeId":"${kontor.payeeId}","payeeReference":"${reference()}","orderReference":1042},
    "payer":{"payerReference":4711,"firstName":"Anna","shippingAddress":{"zipCode":1642},
    "accountInfo":{"accountAgeIndicator":5}}}}`;

  test('is made of texts and doubles, whose sums are checked as they are understood', async () => {
    const answer = await post(
      '/psp/paymentorders?$expand=orderitems',
      order('"5000"', line('2.0000000000000004', '5e3')),
    );
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    const { paymentOrder } = answer.body;
    expect(paymentOrder).toMatchObject({ operation: 'Purchase', amount: 5000, vatAmount: 1000 });
    expect(paymentOrder.orderItems.orderItemList).toMatchObject([
      {
        reference: '77',
        type: 'PRODUCT',
        quantity: 2,
        unitPrice: 2500,
        vatPercent: 2500,
        amount: 5000,
        vatAmount: 1000,
      },
    ]);
    const update = `{"paymentorder":{"operation":"UPDATEORDER","amount":"4000","vatAmount":800.0,"orderItems":null}}`;
    const updated = await patch(paymentOrder.id, update);
    expect([updated.status, updated.body.paymentOrder?.amount]).toEqual([200, 4000]);
  });

  test('with lines that do not sum to its amount is refused', async () => {
    const answer = await post('/psp/paymentorders', order('"5002"', line('2', '"5000"')));
    expect([answer.status, namesOf(answer)]).toEqual([400, ['paymentorder.orderItems']]);
  });

  test.each(['2.00001', '"2,5"', '"two"'])('with a quantity of %s is refused', async (quantity) => {
    const answer = await post('/psp/paymentorders', order('5000', line(quantity, '5000')));
    expect([answer.status, namesOf(answer)]).toEqual([400, ['paymentorder.orderItems[0].quantity']]);
  });
});

describe('tokens', () => {
  test('are filtered and archived by words in any case, and by no other word', async () => {
    const line = { payerReference: 'php payer', tokenType: 'Payment', instrument: 'CreditCard' };
    await kontor.importLines([{ ...line, pan: '4925000000000004', expiryDate: '12/2030' }]);
    const payer = `/online/payer/payees/${kontor.payeeId}/payers/php%20payer`;
    const listed = await kontor.send('GET', `${payer}/tokens?state=active&tokenType=PAYMENT`);
    expect(listed.body.tokens.tokenlist).toMatchObject([{ tokenType: 'Payment', state: 'Active' }]);
    expect((await kontor.send('GET', `${payer}/tokens?state=actives`)).status).toBe(400);
    const archive = (by: string) => patch(`${payer}/archives`, `{"reason":"lost","updatedBy":"${by}"}`);
    expect((await archive('payees')).status).toBe(400);
    expect((await archive('payee')).body.tokens.tokenlist).toMatchObject([{ state: 'Archived', archivedBy: 'PAYEE' }]);
    const deleted = await patch('/psp/paymentorders/payerOwnedTokens/php%20payer', '{"state":"deleted","comment":7}');
    expect(deleted.body.payerOwnedTokens.tokens).toHaveLength(1);
  });

  test('values below /online are as they are documented', async () => {
    const payer = `/online/payer/payees/${kontor.payeeId}/payers/anyone`;
    expect((await patch(`${payer}/archives`, '{"reason":7,"updatedBy":"PAYEE"}')).status).toBe(400);
  });
});

describe('below /api/payments', () => {
  test('words and values are exact', async () => {
    const { accountKey, paymentAccountId } = accountsShop(kontor).nok;
    const at = `/api/payments/payment-account/${paymentAccountId}/payment/authorize`;
    const body = (amount: string, name = '"Kiosk"') => `{"accountIdentifier":{"accountKey":"${accountKey}"},
      "amount":${amount},"currency":"NOK","merchant":{"merchantName":${name}},"paymentOrderRef":"${reference()}",
      "paymentTransactionRef":"${reference()}"}`;
    expect((await post(at, body('1500'))).body.state).toBe('OK');
    for (const amount of ['"1500"', '1500.0', '15e2']) expect((await post(at, body(amount))).status, amount).toBe(400);
    expect((await post(at, body('1500', '7'))).status).toBe(400);
  });

  test('a body with a byte order mark is read where its signature is over all of it', async () => {
    const good = '\ufeff{"description":"Are you there?"}';
    expect((await post('/api/payments/ping', good)).status).toBe(200);
    const { accessToken, hmac } = kontor;
    const signedWithout = { method: 'POST', path: '/api/payments/ping', body: Buffer.from(good.slice(1)) };
    const headers = { ...JSON_TYPE, hmac: signatureOf(hmac, signedWithout) };
    const answer = await kontor.send('POST', '/api/payments/ping', { accessToken, hmac: null, headers, body: good });
    expect(answer.status).toBe(401);
  });

  test('the end of a card is taken in three forms, and means the same', async () => {
    const { accountKey, cvc, expiryDate, paymentAccountId } = await cardSeller(kontor).issue(500);
    const [month, year] = [expiryDate.slice(0, 2), expiryDate.slice(3)];
    const forms = [`${month}/${year}`, `${month}/20${year}`, `20${year}-${month}-28`];
    const at = `/api/payments/payment-account/${paymentAccountId}/payment/authorize`;
    const ref = reference();
    const body = (expiry: string) => `{"accountIdentifier":{"accountKey":"${accountKey}","cvc":"${cvc}",
      "expiryDate":"${expiry}"},"amount":100,"currency":"NOK","merchant":{"merchantName":"Kiosk"},
      "paymentOrderRef":"php-order","paymentTransactionRef":"${ref}"}`;
    for (const [index, form] of forms.entries()) {
      const { status, body: answer } = await post(at, body(form));
      expect([status, answer.state, answer.accountIdentifier.expiryDate]).toEqual([
        200,
        index === 0 ? 'OK' : 'DUPLICATE',
        expiryDate,
      ]);
      const deposit = (expiry: string) => `{"amount":1,"currency":"NOK","orderRef":"${reference()}",
        "SimpleAccountIdentifier":{"accountKey":"${accountKey}","cvc":"${cvc}","expiryDate":"${expiry}"}}`;
      expect((await post('/api/payments/gift-card/pre-deposit', deposit(form))).status, form).toBe(200);
      const wrong = form.replace(month, month === '01' ? '02' : '01');
      expect((await post('/api/payments/gift-card/pre-deposit', deposit(wrong))).status, wrong).toBe(404);
    }
    for (const form of ['2039-12', '1239', '12-39', '2039/12', '12/039', '13/39', '2039-13-01', '2039-12-32']) {
      expect((await post(at, body(form))).status, form).toBe(400);
    }
  });
});
