import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import { settleForwarded } from '../../src/accounts/follow-up-payment.flow.ts';
import { giveUpAttempt } from '../../src/accounts/settle-attempt.ts';
import { makeWorkOn } from '../../src/db/rows-at-work.ts';
import { abandonAttempt } from '../../src/issuers/abandon-attempt.flow.ts';
import { noteReversed, noteVainTry, takeDue } from '../../src/issuers/attempts.ts';
import type { ExchangesService } from '../../src/issuers/exchanges.cli.ts';
import { selectOpenExchanges } from '../../src/issuers/exchanges.store.ts';
import type { DueAttempt, ForwardedAnswer } from '../../src/issuers/issuers.types.ts';
import type { FollowUpQuestion } from '../../src/issuers/questions.types.ts';
import { startRecoveringAttempts } from '../../src/issuers/recover-attempts.job.ts';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { createBackground } from '../../src/kit/work/background.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { APPROVED, type TestIssuer, testIssuer } from '../support/issuer/accounts-issuer.ts';
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
const failures: string[] = [];
const errors: unknown[] = [];
beforeAll(async () => {
  kontor = await testService();
  const shop = accountsShop(kontor);
  const [card] = shop.testCards;
  if (card === undefined) throw new Error('the sandbox has test cards');
  const pay = async () => paid(card, await shop.pay('authorize', card, { amount: AMOUNT }));
  payments = [await pay(), await pay(), await pay(), await pay(), await pay()];
  for (const payment of payments.slice(1, 3)) await shop.follow('capture', payment, { amount: 400 });
  await kontor.running.stop();
  issuer = testIssuer(kontor);
  const { transact } = kontor.service.database;
  const report = (work: string, error: unknown) => {
    failures.push(work);
    errors.push(error);
  };
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

const exchanges = (attemptId: string) =>
  kontor.database.asAdmin(
    `select kind, operation, state, stan, action_code from acquirer_exchange
     where attempt_id = '${attemptId}' order by kind`,
  );

const repeatsOf = (attemptId: string) => issuer.repeats.filter((question) => question.attemptId === attemptId);

it.each([
  ['Capture', 0, { captured: 0, cancelled: 0, reversed: 0 }, { amount: 600 as never, cancelRemainingAuth: true }],
  ['Reversal', 2, { captured: 400, cancelled: 0, reversed: 0 }, { amount: 100 as never }],
] as const)(
  '%s: given up where its process died, taken back until the issuer confirms, and a late approval changes nothing',
  async (operation, index, amounts, members) => {
    const payment = payments[index];
    if (payment === undefined) throw new Error('there are five payments');
    const begun = await issuer.begin(operation, payment, members);
    const { attemptId } = begun.question;
    expect((await stored(payment))?.['reserved']).toBeGreaterThan(0);
    const refusedBefore = issuer.refused.length;
    issuer.refuseToTakeBack(2);
    await reaches(attemptId, 'REVERSED');
    expect(await stored(payment)).toEqual({ operation, state: 'REVERSED', ...amounts, reserved: 0 });
    expect(issuer.refused.slice(refusedBefore)).toEqual([attemptId, attemptId]);
    expect(issuer.takenBack.filter((id) => id === attemptId)).toHaveLength(1);
    // Those that the issuer refused.
    expect((await attempt(attemptId))?.['tries']).toBe(2);
    // The taking back has a number of its own, and kept it.
    expect(await exchanges(attemptId)).toMatchObject([
      { kind: 'Ask', operation, state: 'Silent' },
      { kind: 'TakeBack', operation, state: 'Answered' },
    ]);
    await expect(begun.answer(APPROVED)).rejects.toMatchObject({ code: 'gatewaytimeout' });
    expect(await stored(payment)).toEqual({ operation, state: 'REVERSED', ...amounts, reserved: 0 });
    expect((await attempt(attemptId))?.['state']).toBe('REVERSED');
    expect(failures).toContain('recover-attempts');
  },
);

it('a line that breaks is no answer: 504 at once, and taken back', async () => {
  const payment = payments[0];
  if (payment === undefined) throw new Error('there are five payments');
  const begun = await issuer.begin('Capture', payment, { amount: 1000 as never });
  expect(await begun.breakOff()).toMatchObject({ code: 'gatewaytimeout' });
  expect(await stored(payment)).toMatchObject({ state: 'REVERSED', captured: 0, reserved: 0 });
  await reaches(begun.question.attemptId, 'REVERSED');
  expect(issuer.takenBack).toContain(begun.question.attemptId);
});

it('a cancel that no answer came to counts as done, and is repeated with the same number until it is acknowledged', async () => {
  const payment = payments[0];
  if (payment === undefined) throw new Error('there are five payments');
  const begun = await issuer.begin('Cancel', payment);
  const { attemptId, exchange } = begun.question;
  await begun.answer({ outcome: 'Forwarded', sent: 'Yes' });
  expect(await stored(payment)).toMatchObject({ operation: 'Cancel', state: 'OK', cancelled: 1000, reserved: 0 });
  expect((await attempt(attemptId))?.['state']).toBe('FORWARDING');
  await reaches(attemptId, 'SETTLED');
  const repeats = repeatsOf(attemptId);
  expect(repeats.map((question) => [question.exchange, question.sentBefore])).toEqual([
    [exchange, 'Yes'],
    [exchange, 'Yes'],
  ]);
  expect(await exchanges(attemptId)).toMatchObject([{ kind: 'Ask', state: 'Answered', action_code: '000' }]);
});

it('a cancel whose process died counts as done too: there is nothing in it to take back', async () => {
  const payment = payments[1];
  if (payment === undefined) throw new Error('there are five payments');
  const begun = await issuer.begin('Cancel', payment);
  const { attemptId, exchange } = begun.question;
  await reaches(attemptId, 'SETTLED');
  expect(await stored(payment)).toEqual({
    operation: 'Cancel',
    state: 'OK',
    captured: 400,
    cancelled: 600,
    reversed: 0,
    reserved: 0,
  });
  expect(issuer.takenBack).not.toContain(attemptId);
  // Whether it was sent is not known: then it is no repeat.
  expect(repeatsOf(attemptId).map((question) => [question.exchange, question.sentBefore])).toEqual([
    [exchange, 'Unknown'],
    [exchange, 'Yes'],
  ]);
});

it('a capture that releases the rest of the hold tells so by an advice of its own, once it is approved', async () => {
  const payment = payments[3];
  if (payment === undefined) throw new Error('there are five payments');
  const begun = await issuer.begin('Capture', payment, { amount: 600 as never, cancelRemainingAuth: true });
  await begun.answer(APPROVED);
  expect(await stored(payment)).toMatchObject({ operation: 'Capture', state: 'OK', captured: 600, cancelled: 400 });
  const [released] = await kontor.database.asAdmin(
    `select attempt_id, operation, amount::int, state from acquirer_exchange
     where original_attempt_id = '${(begun.question as FollowUpQuestion).original.attemptId}' and operation = 'Cancel'`,
  );
  expect(released).toMatchObject({ operation: 'Cancel', amount: 400 });
  const attemptId = String(released?.['attempt_id']);
  // Once for each time that it is told: brought back while the job has it, it would be told once more.
  await hasten(attemptId);
  await until(async () => (await attempt(attemptId))?.['tries'] === 1);
  await hasten(attemptId);
  await until(async () => (await attempt(attemptId))?.['state'] === 'SETTLED');
  const { stan } = begun.question.exchange;
  const sent = repeatsOf(attemptId);
  expect(sent).toMatchObject([
    { operation: 'Cancel', amount: 400, sentBefore: 'No' },
    { operation: 'Cancel', amount: 400, sentBefore: 'Yes' },
  ]);
  expect(sent[0]?.exchange).toEqual(sent[1]?.exchange);
  expect(sent[0]?.exchange.stan).not.toBe(stan);
});

it('a cancel does not overtake the take-back of a capture: it counts as done, and is told after it', async () => {
  const payment = payments[4];
  if (payment === undefined) throw new Error('there are five payments');
  issuer.refuseToTakeBack(1_000);
  const capture = await issuer.begin('Capture', payment, { amount: 400 as never });
  await capture.breakOff();
  const asked = issuer.questions.length;
  await issuer.followUp('Cancel', payment).result;
  expect(issuer.questions.slice(asked)).toEqual([]);
  expect(await stored(payment)).toMatchObject({ operation: 'Cancel', state: 'OK', cancelled: AMOUNT });
  const [forwarded] = await kontor.database.asAdmin(
    `select attempt_id as id from issuer_attempt where payment_id = '${payment.paymentId}' and state = 'FORWARDING'`,
  );
  const attemptId = String(forwarded?.['id']);
  const refused = issuer.refused.length;
  // The issuer is told many times to take back what came first, and nothing of the cancel.
  await until(async () => {
    await hasten(attemptId);
    await hasten(capture.question.attemptId);
    return issuer.refused.length > refused + 2;
  });
  expect(repeatsOf(attemptId)).toEqual([]);
  issuer.refuseToTakeBack(0);
  await reaches(capture.question.attemptId, 'REVERSED');
  await reaches(attemptId, 'SETTLED');
  expect(repeatsOf(attemptId)).toHaveLength(2);
});

it('what an issuer never acknowledges is named in the log after six tries, listed, and abandoned by hand', async () => {
  const payment = payments[2];
  if (payment === undefined) throw new Error('there are five payments');
  issuer.refuseToTakeBack(1_000);
  const begun = await issuer.begin('Reversal', payment, { amount: 50 as never });
  const { attemptId } = begun.question;
  await begun.breakOff();
  await until(async () => {
    await hasten(attemptId);
    return errors.some((error) => error instanceof Error && error.name === 'Unacknowledged');
  });
  const told = errors.findLast((error) => error instanceof Error && error.name === 'Unacknowledged');
  expect(String(told)).toContain(`has not acknowledged the attempt ${attemptId} after 7 tries`);
  const { transact } = kontor.service.database;
  const open = await transact(selectOpenExchanges);
  expect(open).toMatchObject([{ attemptId, state: 'REVERSING', operation: 'Reversal', amount: 50 }]);
  const reason = 'undone by the acquirer on the telephone';
  const abandon = () => abandonAttempt({ transact, settlers }, { attemptId, reason, actor: COMMAND_LINE });
  await abandon();
  expect((await attempt(attemptId))?.['state']).toBe('REVERSED');
  expect(await exchanges(attemptId)).toMatchObject([{ kind: 'Ask', state: 'Abandoned' }, { kind: 'TakeBack' }]);
  const [row] = await kontor.database.asAdmin(
    `select concat_ws(':', actor_kind, actor_id) as actor, details from audit where action = 'abandon-attempt'`,
  );
  expect(row).toMatchObject({ details: { attempt: attemptId, state: 'REVERSING', reason } });
  await expect(abandon()).rejects.toThrow('No such attempt waits for an acknowledgement.');
});

it('an issuer that stays silent delays nothing that is told to another', async () => {
  const [, first, , second] = payments;
  if (first === undefined || second === undefined) throw new Error('there are five payments');
  issuer.refuseToTakeBack(0);
  const silence = { end: (): void => undefined };
  const told = issuer.staySilent(new Promise((resolve) => (silence.end = resolve)));
  const waiting = await issuer.begin('Reversal', first, { amount: 10 as never });
  await waiting.breakOff();
  await until(() => told.includes(waiting.question.attemptId));
  const { attemptId } = (await issuer.begin('Reversal', second, { amount: 10 as never })).question;
  const isOf = (issuerId: string) =>
    kontor.database.asAdmin(`update issuer_attempt set issuer = '${issuerId}' where attempt_id = '${attemptId}'`);
  const [row] = await kontor.database.asAdmin(`select issuer from issuer_attempt where attempt_id = '${attemptId}'`);
  await isOf('another');
  await reaches(attemptId, 'REVERSING');
  // The last try of the attempt that was abandoned above may have been on its way still.
  const ofThese = told.filter((id) => id === attemptId || id === waiting.question.attemptId);
  expect(ofThese).toEqual([waiting.question.attemptId]);
  await isOf(String(row?.['issuer']));
  silence.end();
  await reaches(waiting.question.attemptId, 'REVERSED');
  await reaches(attemptId, 'REVERSED');
});

it('a try that the end of its process interrupted is none: another one takes the attempt as soon as it is free', async () => {
  await stopRecovering();
  const payment = payments[1];
  if (payment === undefined) throw new Error('there are five payments');
  const begun = await issuer.begin('Reversal', payment, { amount: 50 as never });
  const { attemptId } = begun.question;
  await begun.breakOff();
  const { transact } = kontor.service.database;
  const secondsLeft = async () => {
    const [row] = await kontor.database.asAdmin(
      `select tries, extract(epoch from due_at - kontor_now())::float8 as left from issuer_attempt where attempt_id = '${attemptId}'`,
    );
    return { tries: row?.['tries'], isSoon: Number(row?.['left']) <= 5 };
  };
  for (const _ended of [1, 2, 3, 4]) {
    const taken = await transact((transaction) => takeDue(transaction));
    expect(taken.map(({ attemptId: id, tries }) => [id, tries])).toEqual([[attemptId, 0]]);
    expect(await secondsLeft()).toEqual({ tries: 0, isSoon: true });
    await hasten(attemptId);
    // An issuer that has enough under way is left out.
    expect(
      await transact((transaction) => takeDue(transaction, { but: taken.map(({ issuerId }) => issuerId) })),
    ).toEqual([]);
  }
  const [due] = await transact((transaction) => takeDue(transaction));
  for (const tries of [1, 2, 3]) {
    await transact((transaction) => noteVainTry(transaction, due as DueAttempt));
    expect(await secondsLeft()).toEqual({ tries, isSoon: tries < 3 });
  }
});
