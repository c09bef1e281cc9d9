import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxIssuer } from '../../sandbox/cards/issuer.rules.ts';
import { sentIdentifier } from '../../src/accounts/account-requests.http.ts';
import { makePayment } from '../../src/accounts/make-payment.flow.ts';
import { issuerTable, LEDGER_ISSUER } from '../../src/issuers/issuers.rules.ts';
import type { IssuerHost, IssuerQuestion } from '../../src/issuers/questions.types.ts';
import { type Actor, SERVICE } from '../../src/kit/caller.ts';
import { APPROVED } from '../support/issuer/accounts-issuer.ts';
import { type TestService, testService } from '../support/service.ts';
import { type AccountsShop, accountsShop, newReference, paid } from '../support/shop/accounts-shop.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let shop: AccountsShop;
let card: { paymentAccountId: string; accountKey: string };
beforeAll(async () => {
  kontor = await testService();
  shop = accountsShop(kontor);
  const [first] = shop.testCards;
  if (first === undefined) throw new Error('the sandbox has test cards');
  card = first;
});
afterAll(() => kontor.stop());

const attemptStates = async (reference: string) =>
  (
    await kontor.database.asAdmin(
      `select a.state from issuer_attempt a join payment p using (payee_id, payment_id)
       where p.payment_transaction_ref = '${reference}'`,
    )
  ).map(({ state }) => state);

describe('a card of an external issuer', () => {
  it('goes through both phases in any currency, without buckets', async () => {
    const authorized = await shop.pay('authorize', card, { amount: 1000, currency: 'EUR' });
    expect(authorized.body).toMatchObject({
      state: 'OK',
      issuer: { issuerId: 'sandbox' },
      remainingCaptureAmount: 1000,
    });
    const payment = paid(card, authorized);
    expect((await shop.follow('capture', payment, { amount: 600 })).body.remainingReversalAmount).toBe(600);
    expect((await shop.follow('cancel', payment, {})).body.amount).toBe(400);
    expect((await shop.follow('reversal', payment, { amount: 600 })).body.remainingReversalAmount).toBe(0);
    const rows = await kontor.database.asAdmin(
      `select e.side, sum(e.amount)::int as amount from entry e join movement m using (payee_id, movement_id)
       where m.payment_id = '${payment.paymentId}' and m.kind = 'Capture' group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { side: 'Clearing', amount: 600 },
      { side: 'Issuer', amount: -600 },
    ]);
  });

  it.each([
    [900313, 'acquirerinvalidamount'],
    [900334, 'acquirerpossiblefraud'],
    [900359, 'acquirerpossiblefraud'],
    [900343, 'acquirercardstolen'],
    [900354, 'acquirercardexpired'],
    [900351, 'carddeclined'],
    [900362, 'carddeclined'],
    [900361, 'acquirerinsufficientfunds'],
    [900391, 'acquirergatewayerror'],
  ])('is declined for %i with %s, and the decline sticks', async (amount, code) => {
    const members = { amount, paymentTransactionRef: newReference(), paymentOrderRef: 'o' };
    const answer = await shop.pay('purchase', card, members);
    expect(answer.body).toMatchObject({
      state: 'FAILED',
      amount,
      problem: { type: expect.stringMatching(`/${code}$`) },
    });
    expect((await shop.pay('purchase', card, { ...members, repeat: true })).body).toEqual(answer.body);
    expect(await attemptStates(members.paymentTransactionRef)).toEqual(['SETTLED']);
  });

  it('is declined for an expiry in the past, without asking the issuer', async () => {
    const paymentTransactionRef = newReference();
    const accountIdentifier = { accountKey: card.accountKey, expiryDate: '01/20' };
    const answer = await shop.pay('authorize', card, { amount: 5, accountIdentifier, paymentTransactionRef });
    expect(answer.body.problem.type).toMatch(/acquirercardexpired$/);
    expect(await attemptStates(paymentTransactionRef)).toEqual([]);
  });

  it('takes credits and no deposits', async () => {
    expect((await shop.pay('credit', card, { amount: 5 })).body.state).toBe('OK');
    expect(await shop.pay('deposit', card, { amount: 5 })).toMatchObject({
      status: 403,
      body: { problems: [{ name: 'Deposit' }] },
    });
  });

  it('waits for a slow answer; a twin waits with it', async () => {
    const members = { amount: 900305, paymentTransactionRef: newReference(), paymentOrderRef: 'o' };
    const first = shop.pay('authorize', card, members);
    const lookUp = `/api/payments/payment-account/transactions?paymentTransactionRef=${members.paymentTransactionRef}`;
    await until(async () => (await attemptStates(members.paymentTransactionRef)).includes('CALLING'));
    expect((await kontor.send('GET', lookUp)).body).toEqual({ status: 'inProgress' });
    const twin = await shop.pay('authorize', card, { ...members, repeat: true });
    expect((await first).body.state).toBe('OK');
    expect(twin.body).toEqual((await first).body);
  });

  // Beside each other, because each waits for the issuer as long as it may.
  it.concurrent.each([900304, 900306])(
    '%i: without an answer in time it is 504, and a repeat tells that it is reversed',
    async (amount) => {
      const members = { amount, paymentTransactionRef: newReference(), paymentOrderRef: 'o' };
      const first = shop.pay('purchase', card, members);
      await until(async () => (await attemptStates(members.paymentTransactionRef)).includes('CALLING'));
      expect(await shop.pay('purchase', card, { ...members, repeat: true })).toMatchObject({
        status: 409,
        body: { type: `${kontor.baseUrl}/errordetail/conflict` },
      });
      const metrics = await kontor.send('GET', '/metrics', { accessToken: null });
      const [, seconds] = /^kontor_issuer_attempt_oldest_seconds ([0-9.]+)$/m.exec(metrics.text) ?? [];
      expect(Number(seconds)).toBeGreaterThan(1);
      expect(await first).toMatchObject({
        status: 504,
        body: { type: `${kontor.baseUrl}/errordetail/gatewaytimeout` },
      });
      const repeat = await shop.pay('purchase', card, { ...members, repeat: true });
      expect(repeat.body).toMatchObject({ state: 'REVERSED', amount, remainingReversalAmount: 0 });
      expect((await shop.pay('purchase', card, members)).body.state).toBe('DUPLICATE');
      await until(async () => (await attemptStates(members.paymentTransactionRef)).includes('REVERSED'));
      const entries = await kontor.database.asAdmin(
        `select from movement where payment_id = '${repeat.body.paymentId}'`,
      );
      expect(entries).toEqual([]);
    },
    20_000,
  );

  it('is asked about with the trace that the request is part of', async () => {
    const asked: IssuerQuestion[] = [];
    const host: IssuerHost = {
      ask: async (question) => {
        asked.push(question);
        return APPROVED;
      },
      reverse: async () => ({ outcome: 'TakenBack' }),
    };
    const acquirer = sandboxIssuer({ host, isReady: () => true });
    const context = { ...kontor.service.accounts, issuers: issuerTable([LEDGER_ISSUER, acquirer]) };
    const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', isSampled: true };
    const pay = (actor: Actor) =>
      makePayment(context, {
        payeeId: kontor.payeeId,
        actor,
        paymentAccountId: card.paymentAccountId,
        operation: 'Authorize',
        amount: 100,
        currency: 'NOK',
        paymentOrderRef: 'o',
        paymentTransactionRef: newReference(),
        repeat: false,
        words: {},
        circumstances: {},
        identifier: sentIdentifier({ accountKey: card.accountKey }),
      });
    await pay({ ...SERVICE, trace });
    await pay(SERVICE);
    expect(asked.map(({ traceparent }) => traceparent)).toEqual([
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      undefined,
    ]);
  });

  it('is given up by the job where the process died between call and answer; a late approval changes nothing', async () => {
    const members = { amount: 900305, paymentTransactionRef: newReference(), paymentOrderRef: 'o' };
    const first = shop.pay('authorize', card, members);
    await until(async () => (await attemptStates(members.paymentTransactionRef)).includes('CALLING'));
    await kontor.database.asAdmin("update issuer_attempt set due_at = kontor_now() where state = 'CALLING'");
    await until(async () => (await attemptStates(members.paymentTransactionRef)).includes('REVERSED'));
    expect((await first).status).toBe(504);
    const repeat = await shop.pay('authorize', card, { ...members, repeat: true });
    expect(repeat.body.state).toBe('REVERSED');
  });
});
