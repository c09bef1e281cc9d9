import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { APPROVED, type Begun, DECLINED, type TestIssuer, testIssuer } from '../support/issuer/accounts-issuer.ts';
import { refuteLedger } from '../support/issuer/accounts-ledger.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import {
  type AccountsShop,
  accountsShop,
  newReference,
  type Paid,
  type PayableAccount,
  paid,
} from '../support/shop/accounts-shop.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let shop: AccountsShop;
let card: PayableAccount;
let issuer: TestIssuer;
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
  const [first] = shop.testCards;
  if (first === undefined) throw new Error('the sandbox has test cards');
  card = first;
  issuer = testIssuer(kontor);
});
afterAll(async () => {
  expect(await refuteLedger(kontor.database)).toEqual([]);
  const { findings } = await verifyLedger(kontor.database.reports, accountInvariants());
  expect(findings.filter(({ badRow }) => badRow !== undefined)).toEqual([]);
  await kontor.stop();
});

const authorized = async (amount: number): Promise<Paid> => paid(card, await shop.pay('authorize', card, { amount }));
const captured = async (amount: number): Promise<Paid> => {
  const payment = await authorized(amount);
  expect((await shop.follow('capture', payment, { amount })).body.state).toBe('OK');
  return payment;
};

const href = ({ paymentAccountId, paymentId }: Paid) =>
  `/api/payments/payment-account/${paymentAccountId}/payment/${paymentId}`;
const show = async (payment: Paid) =>
  (await kontor.send('GET', `${href(payment)}?$expand=transactions,cancellations`)).body;
const lookUp = async (reference: string) =>
  (await kontor.send('GET', `/api/payments/payment-account/transactions?paymentTransactionRef=${reference}`)).body;

/** What is left to capture, and to give back, as GET tells it. */
const left = async (payment: Paid) => {
  const { remainingCaptureAmount, remainingCancelAmount, remainingReversalAmount } = await show(payment);
  expect(remainingCancelAmount).toBe(remainingCaptureAmount);
  return [remainingCaptureAmount, remainingReversalAmount];
};
const rels = ({ operations }: { readonly operations: readonly { readonly rel: string }[] }) =>
  operations.map(({ rel }) => rel);

const attemptOf = async (reference: string) => {
  const rows = await kontor.database.asAdmin(
    `select a.attempt_id as "attemptId", a.state, a.payment_id as "paymentId" from issuer_attempt a
     join payment_transaction t using (payee_id, transaction_id) where t.payment_transaction_ref = '${reference}'`,
  );
  expect(rows.length).toBe(1);
  return rows[0] as { readonly attemptId: string; readonly state: string; readonly paymentId: string };
};

const begin: TestIssuer['begin'] = async (...wish) => {
  const begun = await issuer.begin(...wish);
  // The test decides when the issuer answers, however slow the machine is: the job is to leave it alone.
  await kontor.database.asAdmin("update issuer_attempt set due_at = 'infinity' where state = 'CALLING'");
  return begun;
};
const expectForbidden = (answer: Answer, name: string) =>
  expect(answer).toMatchObject({ status: 403, body: { problems: [{ name }] } });

describe('what the issuer is asked', () => {
  it('names the attempt that made the payment, and the amounts; no card', async () => {
    const payment = paid(card, await shop.pay('authorize', card, { amount: 1000, currency: 'EUR' }));
    const [asked] = await kontor.database.asAdmin(
      `select attempt_id as id from issuer_attempt where payment_id = '${payment.paymentId}'`,
    );
    const original = { attemptId: asked?.['id'], operation: 'Authorize', amount: 1000 };
    const common = { payeeId: kontor.payeeId, currency: 'EUR', descriptor: 'Kiosk', original };
    const capture = await begin('Capture', payment, { amount: 600 as never });
    const { attemptId } = await attemptOf(capture.reference);
    expect(capture.question).toMatchObject({
      ...common,
      attemptId,
      operation: 'Capture',
      amount: 600,
      releasedAmount: 0,
    });
    expect(Object.keys(capture.question)).not.toContain('card');
    await capture.answer(APPROVED);
    const words = { merchant: { merchantName: 'Branch', terminalId: '9' } };
    const reversal = await begin('Reversal', payment, { amount: 100 as never, words });
    expect(reversal.question).toMatchObject({
      operation: 'Reversal',
      amount: 100,
      descriptor: 'Branch',
      original,
    });
    await reversal.answer(APPROVED);
    const last = await begin('Capture', payment, { amount: 150 as never, cancelRemainingAuth: true });
    expect(last.question).toMatchObject({ amount: 150, releasedAmount: 250 });
    await last.answer(DECLINED);
    const cancel = await begin('Cancel', payment);
    expect(cancel.question).toMatchObject({ operation: 'Cancel', amount: 400, releasedAmount: 0, original });
    expect(Object.keys(cancel.question)).not.toContain('card');
    await cancel.answer(APPROVED);
    expect(await left(payment)).toEqual([0, 500]);
  });

  it('is asked nothing that cannot be, and nothing about our own accounts', async () => {
    const before = issuer.questions.length;
    const payment = await authorized(100);
    await expect(issuer.begin('Capture', payment, { amount: 101 as never })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(issuer.begin('Reversal', payment, { amount: 1 as never })).rejects.toMatchObject({
      code: 'forbidden',
    });
    const own = paid(shop.nok, await shop.pay('authorize', shop.nok, { amount: 100 }));
    expect((await shop.follow('capture', own, { amount: 100 })).body.state).toBe('OK');
    expect(await kontor.database.asAdmin(`select from issuer_attempt where payment_id = '${own.paymentId}'`)).toEqual(
      [],
    );
    expect(issuer.questions.length).toBe(before);
  });
});

describe('while the issuer is being asked', () => {
  it('a capture keeps its amount apart: no other request captures or cancels it', async () => {
    const payment = await authorized(1000);
    const capture = await begin('Capture', payment, { amount: 700 as never });
    expectForbidden(await shop.follow('capture', payment, { amount: 301 }), 'Capture');
    expect(await left(payment)).toEqual([300, 0]);
    expectForbidden(await shop.follow('reversal', payment, { amount: 1 }), 'Reversal');
    expect((await shop.follow('cancel', payment, {})).body).toMatchObject({ amount: 300, remainingCaptureAmount: 0 });
    expectForbidden(await shop.follow('cancel', payment, {}), 'Cancel');
    expect(await left(payment)).toEqual([0, 0]);
    const { transaction } = await capture.answer(APPROVED);
    expect(transaction.state).toBe('OK');
    expect(await left(payment)).toEqual([0, 700]);
  });

  it('a capture that is declined after a cancel of the rest can be captured again', async () => {
    const payment = await authorized(1000);
    const capture = await begin('Capture', payment, { amount: 700 as never });
    await shop.follow('cancel', payment, {});
    await capture.answer(DECLINED);
    expect(await left(payment)).toEqual([700, 0]);
    expect((await shop.follow('capture', payment, { amount: 700 })).body).toMatchObject({
      state: 'OK',
      remainingReversalAmount: 700,
    });
  });

  it('a cancel keeps all that is left', async () => {
    const payment = await authorized(1000);
    const cancel = await begin('Cancel', payment);
    expectForbidden(await shop.follow('capture', payment, { amount: 1 }), 'Capture');
    expectForbidden(await shop.follow('cancel', payment, {}), 'Cancel');
    expect(rels(await show(payment))).toEqual(['get-payment']);
    await cancel.answer(DECLINED);
    expect(rels(await show(payment))).toEqual(['get-payment', 'create-capture', 'create-cancellation']);
  });

  it('a capture with cancelRemainingAuth keeps all that is left, and gives all of it back', async () => {
    const payment = await authorized(1000);
    const declined = await begin('Capture', payment, { amount: 600 as never, cancelRemainingAuth: true });
    expect(await left(payment)).toEqual([0, 0]);
    expectForbidden(await shop.follow('capture', payment, { amount: 1 }), 'Capture');
    await declined.answer(DECLINED);
    expect(await left(payment)).toEqual([1000, 0]);
    const approved = await begin('Capture', payment, { amount: 600 as never, cancelRemainingAuth: true });
    await approved.answer(APPROVED);
    expect(await left(payment)).toEqual([0, 600]);
  });

  it('reversals keep what they give back', async () => {
    const payment = await captured(500);
    const first = await begin('Reversal', payment, { amount: 300 as never });
    expectForbidden(await shop.follow('reversal', payment, { amount: 201 }), 'Reversal');
    const second = await begin('Reversal', payment, { amount: 200 as never });
    expect(rels(await show(payment))).toEqual(['get-payment']);
    await first.answer(APPROVED);
    expect(await show(payment)).toMatchObject({ state: 'OK', remainingReversalAmount: 0 });
    await second.answer(APPROVED);
    expect((await show(payment)).state).toBe('REVERSED');
  });

  it('it is not seen: not by GET, not expand, not the look-up, and a reversal cannot name it', async () => {
    const payment = await authorized(1000);
    const capture = await begin('Capture', payment, { amount: 700 as never });
    const cancel = await begin('Cancel', payment);
    const ids = await kontor.database.asAdmin(
      `select transaction_id as id, operation from payment_transaction where payment_id = '${payment.paymentId}'`,
    );
    for (const { id, operation } of ids) {
      const collection = operation === 'Cancel' ? 'operations' : 'transactions';
      expect((await kontor.send('GET', `${href(payment)}/${collection}/${id}`)).status).toBe(404);
      const asPayment = { ...payment, paymentId: String(id) };
      expect((await shop.follow('reversal', asPayment, { amount: 1 })).status).toBe(404);
    }
    expect(ids).toHaveLength(2);
    expect(await show(payment)).toMatchObject({ transactions: [], cancellations: [], state: 'OK' });
    expect(await lookUp(capture.reference)).toEqual({ status: 'inProgress' });
    expect(await lookUp(cancel.reference)).toEqual({ status: 'inProgress' });
    await capture.answer(APPROVED);
    await cancel.answer(APPROVED);
    const after = await show(payment);
    expect(after.transactions).toMatchObject([{ operation: 'Capture', state: 'OK', amount: 700 }]);
    expect(after.cancellations).toMatchObject([{ operation: 'Cancel', state: 'OK', amount: 300 }]);
    expect(await lookUp(capture.reference)).toMatchObject({ status: 'done', transaction: { amount: 700 } });
    expect(await lookUp(cancel.reference)).toMatchObject({ status: 'done', operation: { amount: 300 } });
  });

  it('a repeat waits for the answer, then tells it; without one it is 409', async () => {
    const payment = await authorized(1000);
    const capture = await begin('Capture', payment, { amount: 700 as never });
    const members = { amount: 700, paymentTransactionRef: capture.reference };
    expect(await shop.follow('capture', payment, { ...members, repeat: true })).toMatchObject({
      status: 409,
      body: { type: `${kontor.baseUrl}/errordetail/conflict` },
    });
    const repeats = [
      shop.follow('capture', payment, { ...members, repeat: true }),
      shop.follow('capture', payment, members),
    ];
    await capture.answer(APPROVED);
    const [repeat, duplicate] = await Promise.all(repeats);
    expect(repeat?.body).toMatchObject({ state: 'OK', amount: 700, remainingReversalAmount: 700 });
    expect(duplicate?.body).toMatchObject({ state: 'DUPLICATE', transactionId: repeat?.body.transactionId });
    expect((await shop.follow('capture', payment, { ...members, amount: 1 })).status).toBe(422);
    expect(issuer.questions.filter(({ attemptId }) => attemptId === capture.question.attemptId)).toHaveLength(1);
  });
});

describe('a hold whose time ends while the issuer is asked', () => {
  const expire = async (payment: Paid) => {
    await kontor.database.asAdmin(`
      update payment set hold_expires_at = kontor_now() where payment_id = '${payment.paymentId}';
      update account set next_hold_expires_at = kontor_now() where account_id = '${payment.paymentAccountId}'`);
    await until(async () => {
      const [row] = await kontor.database.asAdmin(
        `select hold_expires_at from payment where payment_id = '${payment.paymentId}'`,
      );
      // Whatever touches the account has the hold released.
      await shop.pay('authorize', card, { amount: 0 });
      return row?.['hold_expires_at'] === null;
    });
  };
  const begun = async (): Promise<[Paid, Begun]> => {
    const payment = await authorized(1000);
    const capture = await begin('Capture', payment, { amount: 700 as never });
    await expire(payment);
    expect(await left(payment)).toEqual([0, 0]);
    return [payment, capture];
  };

  it('is captured all the same where the issuer agrees', async () => {
    const [payment, capture] = await begun();
    await capture.answer(APPROVED);
    expect(await left(payment)).toEqual([0, 700]);
    // The issuer that knows of the capture, and not the sandbox's.
    await (await begin('Reversal', payment, { amount: 700 as never })).answer(APPROVED);
    expect((await show(payment)).state).toBe('REVERSED');
  });

  it('is released where the issuer declines', async () => {
    const [payment, capture] = await begun();
    await capture.answer(DECLINED);
    expect(await show(payment)).toMatchObject({ state: 'OK', remainingCaptureAmount: 0, remainingReversalAmount: 0 });
    expectForbidden(await shop.follow('capture', payment, { amount: 1 }), 'Capture');
  });

  it('shows nothing as left before the job has come by', async () => {
    const payment = await authorized(1000);
    const cancel = await begin('Cancel', payment);
    await kontor.database.asAdmin(
      `update payment set hold_expires_at = kontor_now() where payment_id = '${payment.paymentId}'`,
    );
    expect(await left(payment)).toEqual([0, 0]);
    await cancel.answer(APPROVED);
    expect(await left(payment)).toEqual([0, 0]);
  });
});

describe('the sandbox’s issuer, by the amount', () => {
  it.each([
    [900313, 'acquirerinvalidamount'],
    [900351, 'carddeclined'],
    [900391, 'acquirergatewayerror'],
  ])('declines a capture, a cancel and a reversal of %i, and the decline sticks', async (amount, code) => {
    const problem = { type: expect.stringMatching(`/${code}$`) };
    const payment = await authorized(2_000_000);
    const members = { amount, paymentTransactionRef: newReference() };
    const capture = await shop.follow('capture', payment, members);
    expect(capture).toMatchObject({
      status: 200,
      body: { state: 'FAILED', amount, problem, remainingCaptureAmount: 2_000_000, remainingReversalAmount: 0 },
    });
    expect((await shop.follow('capture', payment, { ...members, repeat: true })).body).toEqual(capture.body);
    expect((await shop.follow('capture', payment, members)).body.state).toBe('DUPLICATE');
    expect((await attemptOf(members.paymentTransactionRef)).state).toBe('SETTLED');
    expect(
      (await shop.follow('reversal', { ...payment, paymentId: capture.body.transactionId }, { amount: 1 })).status,
    ).toBe(404);
    await shop.follow('capture', payment, { amount: 2_000_000 - amount });
    const cancel = await shop.follow('cancel', payment, {});
    expect(cancel.body).toMatchObject({ state: 'FAILED', amount, problem, remainingCancelAmount: amount });
    const reversal = await shop.follow('reversal', payment, { amount });
    expect(reversal.body).toMatchObject({
      state: 'FAILED',
      amount,
      problem,
      remainingReversalAmount: 2_000_000 - amount,
    });
    expect((await kontor.send('GET', `${href(payment)}/operations/${cancel.body.operationId}`)).body).toMatchObject({
      state: 'FAILED',
      problem,
    });
    const rows = await kontor.database.asAdmin(
      `select type from event where resource_id = '${payment.paymentId}' order by resource_sequence`,
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'payment.authorized',
      'payment.capture-declined',
      'payment.captured',
      'payment.cancel-declined',
      'payment.reversal-declined',
    ]);
  });

  // Beside each other, because each waits for the issuer as long as it may.
  it.concurrent.each([900304, 900306])(
    '%i: without an answer in time it is 504, taken back, and what it took is left again',
    async (amount) => {
      const payment = await authorized(2_000_000);
      const members = { amount, paymentTransactionRef: newReference() };
      const first = shop.follow('capture', payment, members);
      await until(async () => (await lookUp(members.paymentTransactionRef)).status === 'inProgress');
      const metrics = await kontor.send('GET', '/metrics', { accessToken: null });
      expect(metrics.text).toMatch(/^kontor_issuer_attempt_oldest_seconds [0-9.]*[1-9]/m);
      expect(await first).toMatchObject({
        status: 504,
        body: { type: `${kontor.baseUrl}/errordetail/gatewaytimeout` },
      });
      const repeat = await shop.follow('capture', payment, { ...members, repeat: true });
      expect(repeat.body).toMatchObject({
        state: 'REVERSED',
        amount,
        remainingCaptureAmount: 2_000_000,
        remainingReversalAmount: 0,
      });
      expect(repeat.body.problem).toBeUndefined();
      expect((await shop.follow('capture', payment, members)).body.state).toBe('DUPLICATE');
      await until(async () => (await attemptOf(members.paymentTransactionRef)).state === 'REVERSED');
      expect(await left(payment)).toEqual([2_000_000, 0]);
      expect((await shop.follow('capture', payment, { amount: 2_000_000 })).body.state).toBe('OK');
      expect((await show(payment)).transactions.map(({ state }: { readonly state: string }) => state)).toEqual([
        'REVERSED',
        'OK',
      ]);
    },
    20_000,
  );
});
