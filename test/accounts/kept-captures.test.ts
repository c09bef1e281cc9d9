import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import { settleForwarded } from '../../src/accounts/follow-up-payment.flow.ts';
import { giveUpAttempt } from '../../src/accounts/settle-attempt.ts';
import { makeWorkOn } from '../../src/db/rows-at-work.ts';
import { abandonAttempt } from '../../src/issuers/abandon-attempt.flow.ts';
import { noteReversed } from '../../src/issuers/attempts.ts';
import type { ExchangesService } from '../../src/issuers/exchanges.cli.ts';
import type { DueAttempt, ForwardedAnswer } from '../../src/issuers/issuers.types.ts';
import type { FollowUpQuestion } from '../../src/issuers/questions.types.ts';
import { startRecoveringAttempts } from '../../src/issuers/recover-attempts.job.ts';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { createBackground } from '../../src/kit/work/background.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { selectStory } from '../../src/portal/payments/story.store.ts';
import { type TestIssuer, testIssuer } from '../support/issuer/accounts-issuer.ts';
import { refuteLedger } from '../support/issuer/accounts-ledger.ts';
import { type TestService, testService } from '../support/service.ts';
import { accountsShop, type Paid, paid } from '../support/shop/accounts-shop.ts';
import { jobsOn } from '../support/shop/events.ts';
import { until } from '../support/until.ts';

// The service that answered the shop has stopped, so that only the job of this test looks after attempts.

const AMOUNT = 1000;

let kontor: TestService;
let issuer: TestIssuer;
let payments: Paid[];
let stopRecovering: () => Promise<void>;
let settlers: ExchangesService['settlers'];
beforeAll(async () => {
  kontor = await testService();
  const shop = accountsShop(kontor);
  const [card] = shop.testCards;
  if (card === undefined) throw new Error('the sandbox has test cards');
  const pay = async () => paid(card, await shop.pay('authorize', card, { amount: AMOUNT }));
  payments = [await pay(), await pay()];
  await kontor.running.stop();
  issuer = testIssuer(kontor);
  const { transact } = kontor.service.database;
  const report = () => undefined;
  const { context } = issuer;
  const settler = {
    giveUp: (attempt: DueAttempt) => giveUpAttempt(context, attempt),
    settleForwarded: (attempt: DueAttempt, answer: ForwardedAnswer) => settleForwarded(context, attempt, answer),
    noteTakenBack: (attempt: DueAttempt) => transact((transaction) => noteReversed(transaction, attempt)),
  };
  settlers = { AccountPayment: settler, CardPayment: settler };
  const jobs = { ...jobsOn(kontor.service.database), transact };
  stopRecovering = startRecoveringAttempts(
    { ...jobs, asker: context, settlers, background: createBackground(report), workOn: makeWorkOn(transact, report) },
    20,
  );
});
afterAll(async () => {
  await stopRecovering();
  expect(await refuteLedger(kontor.database)).toEqual([]);
  const { findings } = await verifyLedger(kontor.database.reports, accountInvariants());
  expect(findings.filter(({ badRow }) => badRow !== undefined)).toEqual([]);
  await kontor.stop();
});

const attempt = async (attemptId: string) => {
  const [row] = await kontor.database.asAdmin(
    `select state, tries from issuer_attempt where attempt_id = '${attemptId}'`,
  );
  return row;
};
const hasten = (attemptId: string) =>
  kontor.database.asAdmin(
    `update issuer_attempt set due_at = kontor_now() where attempt_id = '${attemptId}' and due_at is not null`,
  );
/** Lets the attempt's time come, again and again, until it has the state. */
const reaches = (attemptId: string, state: string) =>
  until(async () => {
    if ((await attempt(attemptId))?.['state'] === state) return true;
    await hasten(attemptId);
    return false;
  });
const stored = async ({ paymentId }: Paid) => {
  const rows = await kontor.database.asAdmin(
    `select t.operation, t.state, p.captured::int, p.cancelled::int, p.reversed::int,
       p.reserved_hold::int + p.reserved_reversal::int as reserved
     from payment p join payment_transaction t using (payee_id, payment_id)
     where payment_id = '${paymentId}' order by t.created_at desc, t.transaction_id desc limit 1`,
  );
  return rows[0];
};

const KEPT = (question: FollowUpQuestion) =>
  ({ outcome: 'Kept', releasedAmount: question.releasedAmount, sequence: question.sequence }) as const;

/** Lets the time of all come that is forwarded of a payment, until nothing is. */
const isForwarded = async ({ paymentId }: Paid) => {
  const which = `from issuer_attempt where payment_id = '${paymentId}' and state = 'FORWARDING'`;
  // Looked at apart: what is being changed would not be seen with what comes behind it.
  if ((await kontor.database.asAdmin(`select ${which}`)).length === 0) return true;
  await kontor.database.asAdmin(
    `update issuer_attempt set due_at = least(due_at, case when forward_at is null then kontor_now() end),
       forward_at = case when forward_at is not null then kontor_now() end
     where state = 'FORWARDING' and attempt_id in (select attempt_id ${which})`,
  );
  return false;
};

describe('a capture that no line took', () => {
  it('is kept, waits for what came before, and is told until it is answered: once, with the release after it', async () => {
    const payment = payments[0];
    if (payment === undefined) throw new Error('there are two payments');
    const first = await issuer.begin('Capture', payment, { amount: 300 as never });
    await expect(first.answer(KEPT(first.question as FollowUpQuestion))).rejects.toMatchObject({
      code: 'conflict',
      retryAfterSeconds: 60,
    });
    expect(await stored(payment)).toMatchObject({ state: 'CALLING', captured: 0, reserved: 300 });
    // What follows is not asked while it waits.
    const asked = issuer.questions.length;
    const second = issuer.followUp('Capture', payment, { amount: 400 as never, cancelRemainingAuth: true });
    await expect(second.result).rejects.toMatchObject({ code: 'conflict', retryAfterSeconds: 60 });
    const refund = issuer.followUp('Reversal', payment, { amount: 300 as never });
    await expect(refund.result).rejects.toMatchObject({ code: 'conflict', retryAfterSeconds: 60 });
    expect(issuer.questions.length).toBe(asked);
    expect(await stored(payment)).toMatchObject({ captured: 0, reserved: AMOUNT });
    expect(await refuteLedger(kontor.database)).toEqual([]);
    const { payeeId, service } = kontor;
    const story = await selectStory(
      service.database.read,
      { payeeId, paymentId: payment.paymentId as never },
      'account',
    );
    expect(story.transactions.map(({ type, state, amount }) => [type, state, amount])).toEqual([
      ['Capture', 'CALLING', 300],
      ['Capture', 'CALLING', 400],
    ]);

    await until(() => isForwarded(payment));
    expect(await stored(payment)).toMatchObject({ captured: 700, cancelled: 300, reserved: 0 });
    const told = issuer.repeats.filter(
      ({ original }) => original.attemptId === (first.question as FollowUpQuestion).original.attemptId,
    );
    // On a machine that has other work to do, time comes again while an answer is still under way: what was sent is repeated.
    const each = told.map(({ operation, amount, sentBefore, sequence }) => [operation, amount, sentBefore, sequence]);
    expect(each.filter((one, at) => JSON.stringify(one) !== JSON.stringify(each[at - 1]))).toEqual([
      ['Capture', 300, 'No', { number: 1, isLast: false }],
      ['Capture', 300, 'Yes', { number: 1, isLast: false }],
      ['Capture', 400, 'No', { number: 2, isLast: true }],
      ['Capture', 400, 'Yes', { number: 2, isLast: true }],
      ['Cancel', 300, 'No', expect.anything()],
      ['Cancel', 300, 'Yes', expect.anything()],
    ]);
    expect(told[0]?.exchange).toEqual(first.question.exchange);
    expect(told[1]?.exchange).toEqual(first.question.exchange);
  });

  it.each([
    ['was sent: it fails, and is taken back', 'Silent', 'REVERSED', 'REVERSED'],
    ['was not: it fails, and may be asked for again', 'Stored', 'SETTLED', 'FAILED'],
  ] as const)('and whose time is over, which %s', async (_, exchange, ends, state) => {
    const payment = payments[1];
    if (payment === undefined) throw new Error('there are two payments');
    const begun = await issuer.begin('Capture', payment, { amount: 500 as never });
    const { attemptId } = begun.question;
    const told = issuer.repeats.length;
    await expect(begun.answer(KEPT(begun.question as FollowUpQuestion))).rejects.toMatchObject({ code: 'conflict' });
    await kontor.database.asAdmin(
      `with old as (update acquirer_exchange set state = '${exchange}' where attempt_id = '${attemptId}' and kind = 'Ask')
       update issuer_attempt set created_at = created_at - interval '24 hours', forward_at = kontor_now() where attempt_id = '${attemptId}'`,
    );
    await reaches(attemptId, ends);
    expect(await stored(payment)).toMatchObject({ state, captured: 0, reserved: 0 });
    expect(issuer.repeats.length).toBe(told);
    expect(issuer.takenBack.includes(attemptId)).toBe(ends === 'REVERSED');
  });

  it('and that is abandoned fails, and is taken back', async () => {
    const payment = payments[1];
    if (payment === undefined) throw new Error('there are two payments');
    const begun = await issuer.begin('Capture', payment, { amount: 500 as never });
    const { attemptId } = begun.question;
    await expect(begun.answer(KEPT(begun.question as FollowUpQuestion))).rejects.toMatchObject({ code: 'conflict' });
    const { transact } = kontor.service.database;
    await abandonAttempt({ transact, settlers }, { attemptId, reason: 'told by phone', actor: COMMAND_LINE });
    expect(await stored(payment)).toMatchObject({ state: 'REVERSED', captured: 0, reserved: 0 });
    await reaches(attemptId, 'REVERSED');
  });
});
