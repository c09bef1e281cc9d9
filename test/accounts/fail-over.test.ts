import { afterAll, beforeAll, expect, it } from 'vitest';
import { sentIdentifier } from '../../src/accounts/account-requests.http.ts';
import type { AccountsContext } from '../../src/accounts/accounts.types.ts';
import { followUpPayment } from '../../src/accounts/follow-up-payment.flow.ts';
import { makePayment } from '../../src/accounts/make-payment.flow.ts';
import { giveUpAttempt } from '../../src/accounts/settle-attempt.ts';
import type { DueAttempt, Issuer } from '../../src/issuers/issuers.types.ts';
import type { FollowUpQuestion, IssuerAnswer } from '../../src/issuers/questions.types.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import { type ScriptedAcquirers, SILENCE, scriptedAcquirers } from '../support/issuer/card-payments-issuer.ts';
import { type TestService, testService } from '../support/service.ts';
import { accountsShop, newReference } from '../support/shop/accounts-shop.ts';

let kontor: TestService;
let acquirers: ScriptedAcquirers;
let context: AccountsContext;
let terms: Record<string, Partial<Issuer>> = {};
let card: { paymentAccountId: string; accountKey: string };
beforeAll(async () => {
  kontor = await testService();
  acquirers = scriptedAcquirers(kontor.service.accounts.issuers, ['907'], (id) => terms[id] ?? {});
  context = { ...kontor.service.accounts, issuers: acquirers.issuers };
  const [first] = accountsShop(kontor).testCards;
  if (first === undefined) throw new Error('the sandbox has test cards');
  card = first;
});
afterAll(() => kontor.stop());

const NOT_SENT = { outcome: 'NotSent', cause: 'NoConnection' } as const;
const DECLINED = { outcome: 'Declined', problem: 'acquirergatewayerror', retry: { advice: 'Later' } } as const;

const common = () => ({
  payeeId: kontor.payeeId,
  actor: SERVICE,
  paymentAccountId: card.paymentAccountId,
  paymentOrderRef: 'o',
  paymentTransactionRef: newReference(),
  repeat: false,
  words: {},
  circumstances: {},
});

const pay = (others: Partial<Parameters<typeof makePayment>[1]> = {}) =>
  makePayment(context, {
    ...common(),
    operation: 'Authorize',
    amount: 1500,
    currency: 'NOK',
    identifier: sentIdentifier({ accountKey: card.accountKey }),
    ...others,
  });

/** The acquirers that a payment asked, in order, and what became of it. */
async function payWith(...answers: readonly (IssuerAnswer | typeof SILENCE)[]) {
  const before = acquirers.questions.length;
  acquirers.answerNext(...answers);
  const made = await pay().catch(() => undefined);
  const asked = acquirers.questions.slice(before);
  return { asked: asked.map(({ exchange }) => exchange.acquirerId), questions: asked, payment: made?.payment };
}

const attempts = (paymentId = '') =>
  kontor.database.asAdmin(
    `select a.issuer, a.state, e.state as exchange from issuer_attempt a
     join acquirer_exchange e on e.attempt_id = a.attempt_id and e.kind = 'Ask'
     where a.payment_id = '${paymentId}' order by a.issuer`,
  );

it('a question that was not sent goes to another acquirer, as an attempt of its own, and so does what follows', async () => {
  const { asked, questions, payment } = await payWith(NOT_SENT);
  expect(asked).toEqual(['sandbox', 'second']);
  expect(questions[0]?.attemptId).not.toBe(questions[1]?.attemptId);
  expect(questions[1]?.agreement.id).toBe('second');
  expect(payment).toMatchObject({ state: 'OK', echo: { issuer: 'second' } });
  expect(await attempts(payment?.paymentId)).toEqual([
    { issuer: 'sandbox', state: 'SETTLED', exchange: 'NotSent' },
    { issuer: 'second', state: 'SETTLED', exchange: 'Answered' },
  ]);
  await followUpPayment(context, {
    ...common(),
    paymentId: payment?.paymentId ?? '',
    operation: 'Capture',
    amount: 1500,
    cancelRemainingAuth: false,
    block: false,
  });
  expect(acquirers.questions.at(-1)).toMatchObject({
    operation: 'Capture',
    agreement: { id: 'second' },
    original: { attemptId: questions[1]?.attemptId },
  });
});

it('an acquirer that wants the card again gets it with what follows, and is not asked where it is held no more', async () => {
  terms = { second: { needCard: ['Capture'] } };
  const { payment } = await payWith(NOT_SENT);
  const capture = (amount: number) =>
    followUpPayment(context, {
      ...common(),
      paymentId: payment?.paymentId ?? '',
      operation: 'Capture',
      amount,
      cancelRemainingAuth: false,
      block: false,
    });
  await capture(500);
  const question = acquirers.questions.at(-1) as FollowUpQuestion;
  expect(question.card?.number.reveal()).toMatch(/^[0-9]{16}$/);
  await kontor.database.asAdmin('delete from held_card');
  const before = acquirers.questions.length;
  await expect(capture(500)).rejects.toMatchObject({ code: 'forbidden' });
  terms = { second: { operations: ['Authorize'] } };
  await expect(capture(500)).rejects.toMatchObject({ code: 'forbidden' });
  expect(acquirers.questions).toHaveLength(before);
  const [row] = await kontor.database.asAdmin(
    `select reserved_hold::integer as kept from payment where payment_id = '${payment?.paymentId}'`,
  );
  expect(row).toEqual({ kept: 0 });
  terms = {};
});

it('so does one whose answer says that no issuer was asked, and what follows goes to who has approved', async () => {
  const { asked, questions, payment } = await payWith({ ...DECLINED, responseCode: '907' });
  expect(asked).toEqual(['sandbox', 'second']);
  const { payeeId, paymentId } = { payeeId: kontor.payeeId, paymentId: payment?.paymentId } as never;
  const original = await context.originalExchange({ payeeId, paymentId });
  expect(original?.attemptId).toBe(questions[1]?.attemptId);
});

it.each([
  ['silence', SILENCE],
  ['an answer that cannot be used', { outcome: 'NotUsable', responseCode: '911' }],
  ['a decline', { ...DECLINED, responseCode: '100' }],
  ['a malfunction that may have charged', { ...DECLINED, responseCode: '907', takeBack: true }],
] as const)('%s does not: the card may be charged', async (_, answer) => {
  expect((await payWith(answer)).asked).toEqual(['sandbox']);
});

it('two acquirers are asked at most', async () => {
  const { asked, payment } = await payWith(NOT_SENT, NOT_SENT);
  expect(asked).toEqual(['sandbox', 'second']);
  expect(payment).toMatchObject({ state: 'FAILED', problem: 'acquirergatewayerror' });
});

it('the attempt before ends nothing any more, when a job has taken it and comes late', async () => {
  let isLate = false;
  const slow: AccountsContext = {
    ...context,
    withDeadline: async (_ms, work) => {
      const { questions } = acquirers;
      const answer = await work(new AbortController().signal);
      if (isLate) {
        const { attemptId } = questions.at(-2) ?? {};
        const [due] = await kontor.database.asAdmin(
          `select payee_id as "payeeId", attempt_id as "attemptId", payment_id as "paymentId", account_id as "accountId",
             issuer as "issuerId", transaction_id as "transactionId", 'Authorize' as operation
           from issuer_attempt where attempt_id = '${attemptId}'`,
        );
        await giveUpAttempt(context, due as unknown as DueAttempt);
      }
      isLate = true;
      return answer;
    },
  };
  acquirers.answerNext(NOT_SENT);
  const { payment } = await makePayment(slow, {
    ...common(),
    operation: 'Purchase',
    amount: 700,
    currency: 'NOK',
    identifier: sentIdentifier({ accountKey: card.accountKey }),
  });
  expect(payment).toMatchObject({ state: 'OK', captured: 700 });
});

it('a repeat finds the payment that the other acquirer has approved', async () => {
  acquirers.answerNext(NOT_SENT);
  const paymentTransactionRef = newReference();
  const first = await pay({ paymentTransactionRef });
  const before = acquirers.questions.length;
  const again = await pay({ paymentTransactionRef, repeat: true });
  expect(again.payment).toEqual(first.payment);
  expect(acquirers.questions.length).toBe(before);
});
