import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import { acquirerHost } from '../../src/issuers/acquirers/acquirer-host.flow.ts';
import type { Acquirer } from '../../src/issuers/acquirers/acquirers.types.ts';
import type { ApprovalQuestion, IssuerHost } from '../../src/issuers/questions.types.ts';
import { Secret } from '../../src/kit/secret.ts';
import { acquirerBench } from '../support/issuer/acquirer-bench.ts';
import { until } from '../support/until.ts';
import { ACQUIRER, approvalOf, followUp, SIGNAL, takeBack } from './acquirer-questions.ts';

const bench = acquirerBench();
async function start(
  others: Partial<Acquirer> = {},
  ofHost: Parameters<typeof bench.start>[0] = {},
): Promise<IssuerHost> {
  await bench.start(ofHost);
  return acquirerHost({ acquirer: { ...ACQUIRER, ...others }, dialect: ISO93, link: bench.link });
}

/** The same host for what it answers: where a test waits for a silence, an answer may come too late on a busy machine. */
const patient = () => acquirerHost({ acquirer: ACQUIRER, dialect: ISO93, link: bench.link });

/** The held, captured and refunded amounts at the acquirer, of the payment that this attempt made. */
const books = (question: ApprovalQuestion) => {
  const attemptId = question.attemptId.replaceAll('-', '');
  const payment = bench.host.acquirer.books.bookings().find((one) => one.attemptId === attemptId)?.payment;
  return payment === undefined ? undefined : [payment.held, payment.captured, payment.refunded];
};

function script(lines: readonly object[]): string {
  const path = join(bench.folder, 'script');
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  return path;
}

const APPROVED = { outcome: 'Approved', responseCode: '000' };
const declined = (problem: string, advice: string) => ({ outcome: 'Declined', problem, retry: { advice } });

/** What an authorization of each amount comes to; a text where the host rejects. */
const OUTCOMES: [amount: number, outcome: object | string][] = [
  [900313, declined('acquirerinvalidamount', 'NewData')],
  [900334, declined('acquirerpossiblefraud', 'Never')],
  [900343, declined('acquirercardstolen', 'Never')],
  [900351, declined('carddeclined', 'Later')],
  [900354, declined('acquirercardexpired', 'NewData')],
  [900359, declined('acquirerpossiblefraud', 'Never')],
  [900361, declined('acquirerinsufficientfunds', 'Later')],
  [900362, declined('carddeclined', 'Later')],
  [900391, declined('acquirergatewayerror', 'Later')],
  [900304, 'Time'],
  [900305, APPROVED],
  [900306, 'Time'],
  [900307, APPROVED],
  [900308, APPROVED],
  [900309, 'Broken'],
  [900310, 'Broken'],
  [900311, 'Broken'],
  [900312, 'Time'],
  [900314, 'Broken'],
  [900315, APPROVED],
  [900316, APPROVED],
  [900317, APPROVED],
  [900318, APPROVED],
  [900319, { outcome: 'NotUsable' }],
  [900320, { outcome: 'PartiallyApproved', approvedAmount: 450160 }],
  [900321, APPROVED],
  [900322, 'Time'],
  [900323, { outcome: 'NotUsable', responseCode: '923' }],
  [900324, APPROVED],
  [900325, { ...declined('acquirergatewayerror', 'Later'), takeBack: true }],
  [900326, APPROVED],
  [900327, APPROVED],
  [900328, APPROVED],
  [900329, { outcome: 'NotUsable' }],
  [900330, APPROVED],
  [900331, APPROVED],
  [900332, { outcome: 'NotUsable' }],
  [900333, { outcome: 'NotUsable' }],
  [900335, { outcome: 'NotUsable' }],
  [900336, { outcome: 'NotUsable' }],
  [900337, { outcome: 'NotUsable' }],
  [900338, APPROVED],
  [900339, APPROVED],
  [900340, APPROVED],
  [900341, APPROVED],
  [900342, APPROVED],
  [900344, APPROVED],
  [900345, APPROVED],
  [900346, { outcome: 'Approved', references: {} }],
  [
    900347,
    { outcome: 'Approved', references: { schemeTransactionId: expect.stringMatching(/^ \d{9} {2}\d{6} {2}$/) } },
  ],
  [900348, { outcome: 'Approved', cvcResult: 'N' }],
  [900349, APPROVED],
  [900350, APPROVED],
  [900352, APPROVED],
  [900353, declined('carddeclined', 'Later')],
  [900355, APPROVED],
  [900365, { outcome: 'AuthenticationRequired', responseCode: '180' }],
  [12500, APPROVED],
];

test.each(OUTCOMES)('an authorization of %i', async (amount, outcome) => {
  const host = await start(outcome === 'Time' ? { answerMs: 60 } : {});
  const asked = host.ask(approvalOf(amount), SIGNAL);
  if (typeof outcome === 'string') await expect(asked).rejects.toThrow(`the acquirer has not answered: ${outcome}`);
  else expect(await asked).toMatchObject(outcome);
});

describe('what follows a payment', () => {
  test('is captured, released and given back', async () => {
    const host = await start();
    const authorized = approvalOf(12_500);
    expect(await host.ask(authorized, SIGNAL)).toMatchObject({
      approvalCode: expect.stringMatching(/^[0-9A-F]{6}$/),
      cvcResult: 'M',
      references: {
        schemeTransactionId: expect.any(String),
        retrievalReference: authorized.exchange.retrievalReference,
      },
    });
    expect(await host.ask(followUp('Capture', 10_000, authorized), SIGNAL)).toMatchObject({
      outcome: 'Approved',
      responseCode: '900',
      references: { acquirerReference: expect.stringMatching(/^7/) },
    });
    expect(await host.ask(followUp('Cancel', 2_500, authorized), SIGNAL)).toMatchObject({ outcome: 'Approved' });
    expect(await host.ask(followUp('Reversal', 4_000, authorized), SIGNAL)).toMatchObject(APPROVED);
    expect(books(authorized)).toEqual([0, 10_000, 4_000]);
  });

  test.each(['Capture', 'Cancel', 'Reversal'] as const)('%s: is declined by its amount', async (operation) => {
    const host = await start();
    const authorized = approvalOf(9_000_000);
    await host.ask(authorized, SIGNAL);
    const answer = await host.ask(followUp(operation, 900313, authorized), SIGNAL);
    const problem = operation === 'Reversal' ? 'acquirererror' : 'acquirerinvalidamount';
    // Nothing was captured: there the books refuse before the amount does.
    expect(answer).toMatchObject({ outcome: 'Declined', problem });
  });

  test.each([900329, 900336])('a refund of %i, which is approved without a code, is done', async (amount) => {
    const host = await start();
    const sale = approvalOf(9_000_000, { operation: 'Purchase' });
    await host.ask(sale, SIGNAL);
    const answer = await host.ask(followUp('Reversal', amount, sale), SIGNAL);
    expect(answer).toMatchObject(APPROVED);
    expect(answer).not.toHaveProperty('approvalCode');
    expect(books(sale)).toEqual([0, 9_000_000, amount]);
  });

  test('a capture that no line took is kept as long as that is wanted; one that was sent before always', async () => {
    const authorized = approvalOf(12_500);
    const capture = followUp('Capture', 10_000, authorized);
    const { releasedAmount, sequence } = capture;
    const kept = { outcome: 'Kept', releasedAmount, sequence };
    const away = await start({ sendMs: 100 });
    await bench.link.close();
    expect(await away.ask(capture, SIGNAL)).toEqual(kept);
    const never = await start({ sendMs: 100, forwardHours: 0 });
    await bench.link.close();
    expect(await never.ask(capture, SIGNAL)).toMatchObject({ outcome: 'NotSent' });
    expect(await never.ask({ ...capture, sentBefore: 'Unknown' }, SIGNAL)).toEqual(kept);
  });

  test('a capture that is not answered rejects, after one repeat; a cancel is forwarded', async () => {
    const host = await start({ answerMs: 80 });
    const authorized = approvalOf(9_000_000);
    await patient().ask(authorized, SIGNAL);
    const capture = followUp('Capture', 900304, authorized);
    await expect(host.ask(capture, SIGNAL)).rejects.toThrow('has not answered');
    const cancel = followUp('Cancel', 900304, authorized);
    expect(await host.ask(cancel, SIGNAL)).toEqual({ outcome: 'Forwarded', sent: 'Yes' });
    // Told again with the same exchange it is acknowledged, and released once.
    expect(await patient().ask(cancel, SIGNAL)).toMatchObject({ outcome: 'Approved' });
    expect(await patient().reverse(takeBack(capture), SIGNAL)).toMatchObject({ outcome: 'TakenBack' });
    expect(books(authorized)).toEqual([9_000_000 - 900304, 0, 0]);
  });
});

test.each(['BlankCode', 'NoCode'])('a verification and a credit with %s are approved; a sale is not', async (does) => {
  const host = await start({}, { scriptFile: script([{ does }]) });
  expect(await host.ask(approvalOf(0, { operation: 'Verify' }), SIGNAL)).toMatchObject(APPROVED);
  expect(await host.ask(approvalOf(1_000, { operation: 'Credit' }), SIGNAL)).toMatchObject(APPROVED);
  expect(await host.ask(approvalOf(1_000, { operation: 'Purchase' }), SIGNAL)).toEqual({ outcome: 'NotUsable' });
});

describe('a repeat that is refused', () => {
  test.each(['913', '902', '904', '914', '110'])('with %s: the capture was taken', async (code) => {
    const scriptFile = script([{ type: '1220', does: 'RefuseRepeat', code }]);
    const host = await start({ answerMs: 600 }, { scriptFile });
    const authorized = approvalOf(12_500);
    await host.ask(authorized, SIGNAL);
    const capture = followUp('Capture', 10_000, authorized);
    const asked = host.ask(capture, SIGNAL);
    if (code === '913') expect(await asked).toMatchObject({ outcome: 'Approved', responseCode: '913' });
    else {
      // It is not known: taken back, the hold is there again.
      await expect(asked).rejects.toThrow('has not answered');
      expect(books(authorized)).toEqual([2_500, 10_000, 0]);
      expect(await host.reverse(takeBack(capture), SIGNAL)).toMatchObject({ outcome: 'TakenBack' });
      expect(books(authorized)).toEqual([12_500, 0, 0]);
    }
  });

  test.each(['902', '904', '914', '110'])('with %s, of a capture that is forwarded', async (code) => {
    const scriptFile = script([{ type: '1220', does: 'RefuseRepeat', code }]);
    const host = await start({ answerMs: 600 }, { scriptFile });
    const authorized = approvalOf(12_500);
    await host.ask(authorized, SIGNAL);
    const capture = { ...followUp('Capture', 10_000, authorized), sentBefore: 'No' } as const;
    await expect(host.ask(capture, SIGNAL)).rejects.toThrow('has not answered');
    const again = await host.ask({ ...capture, sentBefore: 'Yes' }, SIGNAL);
    // A refusal says nothing of the first message, and the next repeat would be refused too: it is taken back.
    if (code !== '914') expect(again).toEqual({ outcome: 'NotUsable', responseCode: code });
    else {
      // The host may not have got the first message: it gets it again.
      expect(again).toMatchObject({ outcome: 'Kept', isUnknown: true });
      const first = await host.ask({ ...capture, sentBefore: 'Unknown' }, SIGNAL);
      expect(first).toEqual({ outcome: 'NotUsable', responseCode: code });
    }
  });

  test('a cancel that was told before: a duplicate is done, a refusal is told again, 914 counts the second time', async () => {
    const scriptFile = script([
      { type: '1420', amount: 1_000, does: 'RefuseRepeat' },
      { type: '1420', amount: 2_000, does: 'RefuseRepeat', code: '902' },
      { type: '1420', amount: 3_000, does: 'RefuseRepeat', code: '914' },
    ]);
    const host = await start({ answerMs: 100 }, { scriptFile });
    const answers: unknown[] = [];
    for (const amount of [1_000, 2_000, 3_000]) {
      const authorized = approvalOf(12_500);
      await patient().ask(authorized, SIGNAL);
      const cancel = followUp('Cancel', amount, authorized);
      expect(await host.ask(cancel, SIGNAL)).toEqual({ outcome: 'Forwarded', sent: 'Yes' });
      answers.push(await patient().ask({ ...cancel, sentBefore: 'Yes' }, SIGNAL));
    }
    expect(answers).toMatchObject([
      { outcome: 'Approved', responseCode: '913' },
      { outcome: 'Forwarded' },
      { outcome: 'Forwarded', unknownOriginal: '914' },
    ]);
  });

  test('a take-back that was told before: a duplicate is done', async () => {
    const scriptFile = script([{ type: '1420', does: 'RefuseRepeat' }]);
    const host = await start({ answerMs: 100 }, { scriptFile });
    const question = approvalOf(12_500);
    await patient().ask(question, SIGNAL);
    const again = takeBack(question);
    await expect(host.reverse(again, SIGNAL)).rejects.toThrow('has not acknowledged');
    expect(await patient().reverse({ ...again, sentBefore: 'Yes' }, SIGNAL)).toMatchObject({ outcome: 'TakenBack' });
    expect(books(question)).toEqual([0, 0, 0]);
  });
});

describe('taking back', () => {
  test.each([
    ...[900304, 900306, 900309, 900310, 900311, 900312, 900314, 900319, 900320, 900323, 900325],
    ...[900329, 900332, 900333, 900335, 900336, 900337],
  ])('what became of %i leaves nothing held', async (amount) => {
    const host = await start({ answerMs: 60 });
    const question = approvalOf(amount);
    const answer = await host.ask(question, SIGNAL).catch(() => undefined);
    await until(() => (books(question)?.[0] ?? 0) > 0);
    const approved = answer?.outcome === 'PartiallyApproved' ? { amount: answer.approvedAmount } : {};
    expect(await patient().reverse(takeBack(question, approved), SIGNAL)).toMatchObject({ outcome: 'TakenBack' });
    expect(books(question)).toEqual([0, 0, 0]);
  });

  test('900321 is silent three times; 900322 is never known', async () => {
    const host = await start({ answerMs: 60 });
    const stubborn = approvalOf(900321);
    await patient().ask(stubborn, SIGNAL);
    const again = takeBack(stubborn, { reason: 'TooLate' });
    for (let turn = 0; turn < 3; turn++) {
      await expect(host.reverse({ ...again, sentBefore: turn > 0 ? 'Yes' : 'No' }, SIGNAL)).rejects.toThrow(
        'has not acknowledged',
      );
    }
    expect(await patient().reverse({ ...again, sentBefore: 'Yes' }, SIGNAL)).toMatchObject({ outcome: 'TakenBack' });
    const unknown = approvalOf(900322);
    await expect(host.ask(unknown, SIGNAL)).rejects.toThrow();
    expect(await patient().reverse(takeBack(unknown), SIGNAL)).toEqual({
      outcome: 'OriginalUnknown',
      responseCode: '914',
    });
  });
});

describe('the acquirer is not asked', () => {
  test.each([
    ['with a track', { track2: new Secret('x') }],
    ['with a PIN block', { encryptedPin: new Secret('x') }],
  ])('%s', async (_name, secrets) => {
    const host = await start();
    const question = approvalOf(100);
    const answer = await host.ask({ ...question, card: { ...question.card, ...secrets } }, SIGNAL);
    expect(answer).toMatchObject(declined('acquirererror', 'Never'));
    expect(bench.journalText()).not.toContain('"type":"1100"');
  });

  test('for a payment by the merchant that cannot name the one that stored its card', async () => {
    const initiator = { by: 'Merchant', channel: 'Api', credential: { use: 'Recurring', step: 'Subsequent' } } as const;
    expect(await (await start()).ask(approvalOf(100, { initiator }), SIGNAL)).toMatchObject({
      problem: 'acquirererror',
    });
    const sending = await start({ withoutSchemeReference: 'send' });
    expect(await sending.ask(approvalOf(100, { initiator }), SIGNAL)).toMatchObject({ responseCode: '180' });
  });

  test('where no line is there', async () => {
    const host = await start({ sendMs: 30 });
    await bench.link.close();
    expect(await host.ask(approvalOf(100), SIGNAL)).toEqual({ outcome: 'NotSent', cause: 'Closing' });
  });
});
