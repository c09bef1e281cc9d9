import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import {
  AMEX,
  type CardPaymentsShop,
  cardPaymentsShop,
  MASTERCARD,
  relsOf,
  VISA,
  VISA_WITH_3D_SECURE,
} from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let shop: CardPaymentsShop;
beforeAll(async () => {
  kontor = await testService();
  shop = cardPaymentsShop(kontor);
});
afterAll(() => kontor.stop());

const stateOf = async (id: string) => (await shop.get(id)).body.payment;

describe('an authorization', () => {
  it('is approved, and the payment shows it', async () => {
    const id = await shop.purchase(1500);
    const { status, body } = await shop.authorize(id, { cardholderName: 'Olivia Nyhuus' });
    expect(status).toBe(200);
    expect(body).toEqual({
      payment: id,
      authorization: {
        id: expect.stringContaining(`${id}/authorizations/`),
        cardBrand: 'Visa',
        cardType: 'Debit',
        maskedPan: '492500******0004',
        expiryDate: '12/2039',
        issuingBank: 'Fjordbanken',
        countryCode: '578',
        cardholderName: 'Olivia Nyhuus',
        // Its issuer is not asked: the card takes part in no 3-D Secure.
        eci: '07',
        liabilityShift: 'Merchant',
        cvcResult: 'M',
        issuerAuthorizationApprovalCode: expect.stringMatching(/^[0-9A-F]{6}$/),
        transaction: expect.objectContaining({
          type: 'Authorization',
          state: 'Completed',
          amount: 1500,
          vatAmount: 0,
          description: 'Test purchase',
          isOperational: false,
          operations: [],
        }),
      },
      operations: expect.any(Array),
    });
    const answer = await shop.get(id);
    expect(body.operations).toEqual(answer.body.operations);
    expect(answer.body.payment).toMatchObject({
      state: 'Ready',
      amount: 1500,
      remainingCaptureAmount: 1500,
      remainingCancellationAmount: 1500,
      transactions: { id: `${id}/transactions` },
      authorizations: { id: `${id}/authorizations` },
    });
    expect(answer.body.payment.captures).toBeUndefined();
    expect(relsOf(answer)).toEqual(['create-capture', 'create-cancellation', 'paid-payment']);
    const paid = (await kontor.send('GET', `${id}/paid`)).body.paid;
    expect(paid).toMatchObject({ number: answer.body.payment.number, amount: 1500, tokens: [] });
    expect((await kontor.send('GET', body.authorization.id)).body).toEqual(body);
    expect((await kontor.send('GET', paid.transaction.id)).body).toEqual(body);
    expect((await kontor.send('GET', body.authorization.transaction.id)).body.transaction).toEqual(
      body.authorization.transaction,
    );
    const capture = body.authorization.id.replace('authorizations', 'captures');
    expect(await kontor.send('GET', capture)).toMatchObject({ status: 404 });
  });

  it('takes members as strings or as numbers', async () => {
    const id = await shop.purchase(100);
    const card = { cardNumber: Number(AMEX), cardExpiryMonth: 1, cardExpiryYear: 39, cardVerificationCode: 12 };
    const { body } = await shop.authorize(id, card);
    expect(body.authorization).toMatchObject({
      cardBrand: 'Amex',
      expiryDate: '01/2039',
      transaction: { state: 'Completed' },
    });
  });

  it('of AutoCapture is captured at once', async () => {
    const id = await shop.purchase(700, { intent: 'AutoCapture' });
    await shop.authorize(id);
    const answer = await kontor.send('GET', `${id}?$expand=captures`);
    expect(answer.body.payment).toMatchObject({
      remainingReversalAmount: 700,
      captures: { captureList: [{ transaction: { type: 'Capture', state: 'Completed', amount: 700 } }] },
    });
    expect(answer.body.payment.remainingCaptureAmount).toBeUndefined();
    expect(relsOf(answer)).toEqual(['create-reversal', 'paid-payment']);
  });

  it('costs what the brand costs', async () => {
    const prices = [
      { type: 'visa', amount: 200, vatAmount: 40 },
      { type: 'CreditCard', amount: 300 },
    ];
    const made = await shop.create({ prices });
    const other = await shop.create({ prices });
    expect((await shop.authorize(made.body.payment.id)).body.authorization.transaction).toMatchObject({
      amount: 200,
      vatAmount: 40,
    });
    const { body } = await shop.authorize(other.body.payment.id, { cardNumber: MASTERCARD });
    expect(body.authorization.transaction).toMatchObject({ amount: 300, vatAmount: 0 });
    const dear = await shop.create({ prices: [{ type: 'Amex', amount: 10 }] });
    const refused = await shop.authorize(dear.body.payment.id);
    expect(refused.body.authorization.transaction.problem.type).toMatch(/\/errordetail\/creditcard\/carddeclined$/);
  });

  it.each([
    ['cardNumber', '4925000000000005', 'its check digit is wrong'],
    ['cardNumber', ['4111', '1111', '1111', '1111'].join(''), 'it is no test card'],
    ['cardNumber', '4925', 'it is too short'],
    ['cardExpiryMonth', '13', 'there is no such month'],
    ['cardExpiryYear', '1999', 'there is no such year'],
    ['cardVerificationCode', 'abc', 'it is no number'],
  ])('refuses a %s: %s, %s', async (name, value) => {
    const id = await shop.purchase(100);
    const { status, body } = await shop.authorize(id, { [name]: value });
    expect(status).toBe(400);
    expect(body.problems).toEqual([expect.objectContaining({ name: `transaction.${name}` })]);
    expect(JSON.stringify(body.problems)).not.toContain(value);
    expect((await stateOf(id)).transactions).toBeUndefined();
  });

  it.each([
    [900313, 'acquirerinvalidamount', 403],
    [900334, 'acquirerpossiblefraud', 403],
    [900359, 'acquirerpossiblefraud', 403],
    [900343, 'acquirercardstolen', 403],
    [900354, 'acquirercardexpired', 403],
    [900351, 'carddeclined', 403],
    [900362, 'carddeclined', 403],
    [900361, 'acquirerinsufficientfunds', 403],
    [900391, 'acquirergatewayerror', 502],
  ])('of %i fails with %s, and the payment stays usable', async (amount, code, status) => {
    const id = await shop.purchase(amount);
    const answer = await shop.authorize(id);
    expect(answer.status).toBe(200);
    const { transaction } = answer.body.authorization;
    expect(transaction).toMatchObject({ state: 'Failed', amount, problem: { status } });
    expect(transaction.problem.type).toBe(`${kontor.baseUrl}/errordetail/creditcard/${code}`);
    const after = await shop.get(id);
    expect(after.body.payment).toMatchObject({ state: 'Ready', amount: 0 });
    expect(relsOf(after)).toEqual(['update-payment-abort', 'redirect-authorization', 'direct-authorization']);
  });

  it('has three tries', async () => {
    const id = await shop.purchase(900351);
    for (let tries = 1; tries <= 3; tries++) expect(await shop.authorize(id)).toMatchObject({ status: 200 });
    const answer = await shop.get(id);
    expect(answer.body.payment.state).toBe('Failed');
    expect(relsOf(answer)).toEqual(['failed-payment']);
    expect((await kontor.send('GET', `${id}/failed`)).body.failed.problem.type).toMatch(/carddeclined$/);
    expect(await shop.authorize(id)).toMatchObject({ status: 403, body: { problems: [{ name: 'Authorization' }] } });
    expect(await shop.abort(id)).toMatchObject({ status: 403, body: { problems: [{ name: 'Abort' }] } });
  });

  it('fails for a card that has expired, is not wanted, or comes without its code', async () => {
    const [expired, codeless, debit] = [
      await shop.purchase(1),
      await shop.purchase(1),
      await shop.create({}, { cards: { rejectDebitCards: true } }),
    ];
    const problemOf = async (id: string, card: object) =>
      (await shop.authorize(id, card as never)).body.authorization.transaction.problem.type.split('/').at(-1);
    expect(await problemOf(expired, { cardExpiryYear: '2020' })).toBe('acquirercardexpired');
    expect(await problemOf(codeless, { cardVerificationCode: undefined })).toBe('carddeclined');
    expect(await problemOf(debit.body.payment.id, {})).toBe('carddeclined');
    const without = await shop.create({}, { cards: { noCvc: true } });
    const answer = await shop.authorize(without.body.payment.id, { cardVerificationCode: undefined });
    expect(answer.body.authorization.transaction.state).toBe('Completed');
  });

  it('happens once, however often it is sent', async () => {
    const id = await shop.purchase(900305);
    const answers = await Promise.all([shop.authorize(id), shop.authorize(id), shop.authorize(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    expect((await kontor.send('GET', `${id}/authorizations`)).body.authorizations.authorizationList).toHaveLength(1);
  });

  it('with an Idempotency-Key answers the first one again', async () => {
    const id = await shop.purchase(100);
    const headers = { 'idempotency-key': 'pay-once' };
    const [first, twin] = await Promise.all([shop.authorize(id, {}, { headers }), shop.authorize(id, {}, { headers })]);
    expect(twin.body).toEqual(first.body);
    expect([first, twin].filter(({ headers: sent }) => sent.get('idempotency-replayed') === 'true')).toHaveLength(1);
    expect(await shop.authorize(id, { cardNumber: MASTERCARD }, { headers })).toMatchObject({ status: 422 });
  });

  it('without an answer is pending until the issuer has taken it back', async () => {
    const id = await shop.purchase(900304);
    const { body } = await shop.authorize(id);
    expect(body.authorization.transaction).toMatchObject({ state: 'Failed', problem: { status: 504 } });
    expect(body.authorization.transaction.problem.type).toMatch(/acquirergatewaytimeout$/);
    await until(async () => (await stateOf(id)).state === 'Ready');
    expect(relsOf(await shop.get(id))).toEqual([
      'update-payment-abort',
      'redirect-authorization',
      'direct-authorization',
    ]);
    const attempts = await kontor.database.asAdmin(
      `select state, subject from issuer_attempt where payment_id = '${id.split('/').at(-1)}'`,
    );
    expect(attempts).toEqual([{ state: 'REVERSED', subject: 'CardPayment' }]);
  }, 20_000);

  it('is stopped for a card that was declined 20 times', async () => {
    const cardNumber = '3569990010082211';
    for (let payments = 0; payments < 7; payments++) {
      const id = await shop.purchase(900351);
      for (let tries = 0; tries < 3; tries++) await shop.authorize(id, { cardNumber });
    }
    const id = await shop.purchase(100);
    const { transaction } = (await shop.authorize(id, { cardNumber })).body.authorization;
    expect(transaction).toMatchObject({ state: 'Failed', problem: { status: 429 } });
    expect(transaction.problem.type).toMatch(/velocitycheck$/);
    expect((await shop.authorize(id)).body.authorization.transaction.state).toBe('Completed');
  });
});

describe('a verification', () => {
  it('moves nothing', async () => {
    const { body } = await shop.create({ operation: 'Verify', prices: undefined });
    const { id } = body.payment;
    expect(await shop.authorize(id)).toMatchObject({ status: 403 });
    const verified = await shop.verify(id);
    expect(verified.body.verification.transaction).toMatchObject({
      type: 'Verification',
      state: 'Completed',
      amount: 0,
    });
    const answer = await shop.get(id);
    expect(answer.body.payment).toMatchObject({ amount: 0, verifications: { id: `${id}/verifications` } });
    expect(relsOf(answer)).toEqual(['paid-payment']);
    expect(await shop.follow(id, 'captures', { amount: 1 })).toMatchObject({ status: 403 });
  });
});

describe('what follows an authorization', () => {
  it('takes it in parts, and gives it back in parts', async () => {
    const id = await shop.purchase(1000, { prices: [{ type: 'CreditCard', amount: 1000, vatAmount: 200 }] });
    expect(await shop.follow(id, 'captures', { amount: 1 })).toMatchObject({
      status: 403,
      body: { problems: [{ name: 'Capture' }] },
    });
    await shop.authorize(id);
    const captured = await shop.follow(id, 'captures', {
      amount: 400,
      vatAmount: 80,
      description: 'The first part',
      payeeReference: 'part-1',
    });
    expect(captured.body).toEqual({
      payment: id,
      capture: {
        id: expect.stringContaining(`${id}/captures/`),
        transaction: expect.objectContaining({
          type: 'Capture',
          state: 'Completed',
          amount: 400,
          vatAmount: 80,
          description: 'The first part',
          payeeReference: 'part-1',
        }),
      },
      operations: expect.any(Array),
    });
    let answer = await shop.get(id);
    expect(captured.body.operations).toEqual(answer.body.operations);
    expect(answer.body.payment).toMatchObject({ remainingCaptureAmount: 600, remainingReversalAmount: 400 });
    expect(relsOf(answer)).toEqual(['create-capture', 'create-cancellation', 'create-reversal', 'paid-payment']);
    expect(await shop.follow(id, 'captures', { amount: 601 })).toMatchObject({
      status: 403,
      body: { problems: [{ name: 'Capture' }] },
    });
    expect(await shop.follow(id, 'reversals', { amount: 401 })).toMatchObject({
      status: 403,
      body: { problems: [{ name: 'Reversal' }] },
    });
    const cancelled = await shop.follow(id, 'cancellations');
    expect(cancelled.body.cancellation.transaction).toMatchObject({
      type: 'Cancellation',
      amount: 600,
      state: 'Completed',
    });
    expect(await shop.follow(id, 'cancellations')).toMatchObject({
      status: 403,
      body: { problems: [{ name: 'Cancellation' }] },
    });
    await shop.follow(id, 'reversals', { amount: 150 });
    const last = await shop.follow(id, 'reversals', { amount: 250 });
    expect(last.body.reversal.transaction).toMatchObject({ type: 'Reversal', amount: 250 });
    answer = await kontor.send('GET', `${id}?$expand=transactions`);
    expect(relsOf(answer)).toEqual(['paid-payment']);
    expect(answer.body.payment.state).toBe('Ready');
    const types = answer.body.payment.transactions.transactionList.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['Authorization', 'Capture', 'Cancellation', 'Reversal', 'Reversal']);
  });

  it('has an effect once for its reference', async () => {
    const id = await shop.purchase(1000);
    await shop.authorize(id);
    const part = { amount: 100, payeeReference: 'capture-once' };
    const [first, twin] = await Promise.all([shop.follow(id, 'captures', part), shop.follow(id, 'captures', part)]);
    expect(twin.body).toEqual(first.body);
    expect((await stateOf(id)).remainingCaptureAmount).toBe(900);
    expect(await shop.follow(id, 'captures', { ...part, amount: 200 })).toMatchObject({ status: 422 });
    expect(await shop.follow(id, 'reversals', part)).toMatchObject({ status: 200 });
    expect(await shop.follow(id, 'captures', { amount: 1, vatAmount: 2 })).toMatchObject({ status: 400 });
  });

  it('never takes more than there is, whichever comes first', async () => {
    const id = await shop.purchase(1000);
    await shop.authorize(id);
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.follow(id, 'captures', { amount: 300 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await stateOf(id)).remainingCaptureAmount).toBe(100);
    expect(
      await kontor.database.asAdmin(
        `select sum(amount)::int as moved from entry join movement using (payee_id, movement_id)
       where payment_id = '${id.split('/').at(-1)}' and side = 'Clearing'`,
      ),
    ).toEqual([{ moved: 900 }]);
  });

  it('is declined by the issuer, and everything is left as it was', async () => {
    const id = await shop.purchase(1_000_000);
    await shop.authorize(id);
    const { status, body } = await shop.follow(id, 'captures', { amount: 900351 });
    expect(status).toBe(200);
    expect(body.capture.transaction).toMatchObject({ state: 'Failed', problem: { status: 403 } });
    expect((await stateOf(id)).remainingCaptureAmount).toBe(1_000_000);
  });
});

it('3-D Secure: the payment waits for its payer, who may also begin anew', async () => {
  const id = await shop.purchase(100);
  const { body } = await shop.authorize(id, { cardNumber: VISA_WITH_3D_SECURE });
  expect(body.authorization.transaction).toMatchObject({ state: 'AwaitingActivity', isOperational: true });
  expect(relsOf(await shop.get(id))).toEqual([
    'update-payment-abort',
    'redirect-authorization',
    'direct-authorization',
  ]);
  expect((await shop.authorize(id, { cardNumber: VISA })).body.authorization.transaction.state).toBe('Completed');
  const { authorizationList } = (await kontor.send('GET', `${id}/authorizations`)).body.authorizations;
  expect(authorizationList[0].transaction).toMatchObject({ state: 'Failed' });
  expect(authorizationList[0].transaction.problem.type).toMatch(/3dsecureusercancelled$/);
});

it('another payee finds nothing of it', async () => {
  const id = await shop.purchase(100);
  const { accessToken } = await kontor.addPayee();
  const other = cardPaymentsShop({
    send: (method, path, options) => kontor.send(method, path, { accessToken, ...options }),
  });
  for (const answer of [
    await other.get(id),
    await other.authorize(id),
    await other.abort(id),
    await other.follow(id, 'captures', { amount: 1 }),
  ]) {
    expect(answer.status).toBe(404);
  }
});
