import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { businessDayOf } from '../../sandbox/acquirer/start-test-acquirer.ts';
import { requestOutcome } from '../../src/iso8583/answers.rules.ts';
import { type Composition, compose } from '../../src/iso8583/compose.rules.ts';
import { readDialect } from '../../src/iso8583/dialects/dialect-file.rules.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import type { Asked } from '../../src/iso8583/link/link.types.ts';
import { timesOf } from '../../src/iso8583/times.ts';
import { wireOf } from '../../src/iso8583/wire.rules.ts';
import { Secret } from '../../src/kit/secret.ts';
import { acquirerBench, codeOf } from '../support/issuer/acquirer-bench.ts';
import { FAR_CUT_OVER } from '../support/issuer/cut-over.ts';
import { asking } from '../support/issuer/iso8583-host.ts';
import { composed } from '../support/issuer/iso8583-messages.ts';
import { until } from '../support/until.ts';

const bench = acquirerBench();

describe('a day', () => {
  const day = () => businessDayOf(new Date(), FAR_CUT_OVER, 'Europe/Oslo');
  async function reconcile(sales: readonly number[], refunds: readonly number[] = []): Promise<Asked> {
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
    const { stan } = composed('Verify', 0);
    const message = compose(ISO93, {
      kind: 'Reconcile',
      fields: {
        ...timesOf(new Date(), 'UTC'),
        stan,
        acquiringInstitution: '957800',
        forwardingInstitution: '957801',
        merchantId: '000012345678901',
        reconciliationDay: day(),
        reconciliationNumber: '001',
        reconciliationCurrency: '578',
        refundsNumber: String(refunds.length),
        refundReversalsNumber: '0',
        salesNumber: String(sales.length),
        saleReversalsNumber: '0',
        refundsAmount: String(sum(refunds)),
        refundReversalsAmount: '0',
        salesAmount: String(sum(sales)),
        saleReversalsAmount: '0',
        netAmount: `D${String(sum(sales) - sum(refunds)).padStart(16, '0')}`,
      },
    });
    return await asking(bench.link, message);
  }

  test('is in balance, or tells its own totals', async () => {
    await bench.start();
    const sale = composed('Purchase', 25_000);
    await bench.ask(sale);
    await bench.ask(composed('Reversal', 4_000, { of: sale }));
    expect(codeOf(await reconcile([25_000], [4_000]))).toBe('500');
    expect(await reconcile([25_000])).toMatchObject({
      answer: { fields: { actionCode: '501', refundsAmount: '0000000000004000', netAmount: 'D0000000000021000' } },
    });
  });

  test('differs with 900374', async () => {
    await bench.start();
    await bench.ask(composed('Purchase', 900374));
    expect(codeOf(await reconcile([900374]))).toBe('501');
  });

  test('becomes a file with all planted differences, whose lines sum to its payout', async () => {
    await bench.start({ settlementDirectory: join(bench.folder, 'settlement') });
    for (const amount of [1_000, 900370, 900371, 900372, 900373]) await bench.ask(composed('Purchase', amount));
    await reconcile([]);
    const [file = ''] = readdirSync(join(bench.folder, 'settlement'));
    const [header = '', ...lines] = readFileSync(join(bench.folder, 'settlement', file), 'utf8')
      .trim()
      .split('\r\n');
    const columns = header.split(',');
    const rows = lines.map((line) =>
      Object.fromEntries(line.split(',').map((value, index) => [columns[index], value])),
    );
    const gross = rows.filter(({ type }) => type === 'Sale').map(({ grossAmount }) => Number(grossAmount));
    expect(gross).toEqual([1_000, 900372, 900372, 900372, 900373]);
    const net = rows.filter(({ type }) => type !== 'Payout').reduce((sum, row) => sum + Number(row['netAmount']), 0);
    expect(rows.at(-1)).toMatchObject({ type: 'Payout', netAmount: String(net), currency: 'NOK' });
    for (const row of rows.slice(0, -1)) {
      expect(Number(row['grossAmount']) + Number(row['feeAmount'])).toBe(Number(row['netAmount']));
    }
    // The chargeback is in the next file.
    expect(rows.some(({ type }) => type === 'Chargeback')).toBe(false);
  });
});

/** Times and numbers of the acquirer's own, which may have the four digits of an expiry in them. */
const DRAWN =
  /"(at|transmittedAt|sentAt|acquirerReference|schemeTransactionId|approvalCode)":"[^"]*"|(?<="message":"\d{4} \d{6} )\d{12}/g;

test('the journal has each message and each change, and nothing secret', async () => {
  await bench.start();
  const sent = composed('Authorize', 12_500, {
    tags: { cvc: new Secret('739'), payerAddress: '192.0.2.7', billingAddress: '0155 Storgata 1' },
  });
  await bench.ask(sent);
  const text = bench.journalText();
  for (const secret of ['4925000000000004', '"739"', '192.0.2.7', 'Storgata 1"']) expect(text).not.toContain(secret);
  expect(text.replace(DRAWN, '')).not.toContain('3912');
  const entries = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries.filter(({ event }) => event === 'books')).toMatchObject([
    { change: 'Hold', attemptId: sent.attemptId, amount: 12_500, held: 12_500, captured: 0 },
  ]);
  expect(entries.find(({ type }) => type === '1100').fields.cardNumber).toBe('492500******0004');
  expect(entries.filter(({ event }) => event === 'sent').map(({ type }) => type)).toEqual(['1814', '1110']);
});

test('with a journal it has its books again after it was killed, and books nothing twice', async () => {
  await bench.start();
  const [taken, followed, part] = [500, 12_500, 900_320].map((amount) => composed('Authorize', amount));
  if (taken === undefined || followed === undefined || part === undefined) throw new Error('there are three');
  const capture = composed('Capture', 10_000, { of: followed });
  const cancel = composed('Cancel', 2_000, { of: followed });
  const takeBack = composed('TakeBack', 500, { of: taken, reason: 'Silence' });
  for (const sent of [taken, followed, part, capture, cancel, takeBack]) await bench.ask(sent);
  const books = () => [taken, followed, part].map((sent) => bench.books(sent));
  expect(books()).toEqual([
    [0, 0, 0],
    [500, 10_000, 0],
    [450_160, 0, 0],
  ]);
  const bookings = bench.host.acquirer.books.bookings();
  await bench.start();
  expect(bench.host.acquirer.books.bookings()).toEqual(bookings);
  const outcomes: unknown[] = [];
  for (const sent of [taken, followed, part, capture, cancel, takeBack]) outcomes.push(await bench.outcomeOf(sent));
  expect(outcomes).toEqual(['000', '000', '002', '900', '400', '400']);
  expect(await bench.outcomeOf(composed('Reversal', 4_000, { of: followed }))).toBe('000');
  expect(await bench.outcomeOf(composed('TakeBack', 900_320, { of: part, reason: 'Silence' }))).toBe('400');
  expect(books()).toEqual([
    [0, 0, 0],
    [500, 10_000, 4_000],
    [0, 0, 0],
  ]);
});

test('a script does what the table lacks', async () => {
  const scriptFile = join(bench.folder, 'script');
  writeFileSync(
    scriptFile,
    '{"type": "1100", "amount": 500, "number": 2, "does": "Refuse", "code": "116"}\n{"amount": 600, "does": "CloseWithoutAnswer"}\n',
  );
  await bench.start({ scriptFile });
  const outcomes: unknown[] = [];
  for (const amount of [500, 500, 500, 600]) outcomes.push(await bench.outcomeOf(composed('Authorize', amount)));
  expect(outcomes).toEqual(['000', '116', '000', 'Silent Broken']);
});

test('it names itself at sign-on, so that production can refuse it', async () => {
  await bench.start();
  await until(() => bench.link.ready() === 1);
  expect(bench.link.hostText()).toBe('KONTOR-TEST');
});

test('the same seed makes the same codes, another one others', async () => {
  const codes: unknown[] = [];
  const sent = composed('Authorize', 100);
  await bench.start();
  for (const seed of [1, 1, 2]) {
    await bench.start({ seed });
    const asked = await bench.ask(sent);
    codes.push(asked.outcome === 'Answered' ? asked.answer.fields.approvalCode : asked.outcome);
  }
  expect(codes[1]).toBe(codes[0]);
  expect(codes[2]).not.toBe(codes[0]);
});

test('days change at the cut-over', async () => {
  await bench.start();
  const dayAt = (time: string) => businessDayOf(new Date(time), '23:00', 'Europe/Oslo');
  expect(dayAt('2026-03-09T21:59:59Z')).toBe('260309');
  expect(dayAt('2026-03-09T22:00:00Z')).toBe('260310');
  expect(dayAt('2026-12-31T22:30:00Z')).toBe('270101');
});

describe('another dialect, from a file', () => {
  const south = readDialect(
    JSON.parse(readFileSync(join(import.meta.dirname, '../../examples/dialect-south.json'), 'utf8')),
  );
  const inSouth = (kind: Composition['kind'], amount: number, others: Parameters<typeof composed>[2] = {}) =>
    composed(kind, amount, { dialect: south, ...others });

  test('goes through a payment’s life with no other code', async () => {
    await bench.start({ dialect: south }, { wire: wireOf(south, '957801') });
    const authorized = inSouth('Authorize', 12_500);
    const approval = await bench.ask(authorized);
    expect(approval).toMatchObject({ outcome: 'Answered', answer: { type: '0110', fields: { actionCode: '010' } } });
    expect(await bench.outcomeOf(inSouth('Capture', 10_000, { of: authorized, isOther: true }))).toBe('900');
    expect(await bench.outcomeOf(inSouth('Cancel', 2_500, { of: authorized }))).toBe('400');
    const refunded = inSouth('Reversal', 4_000, { of: authorized });
    expect(await bench.outcomeOf(refunded)).toBe('010');
    expect(await bench.outcomeOf(inSouth('TakeBack', 4_000, { of: refunded, reason: 'Silence' }))).toBe('400');
    expect(bench.books(authorized)).toEqual([0, 10_000, 0]);
    const declined = await bench.ask(inSouth('Purchase', 900361));
    if (declined.outcome !== 'Answered') throw new Error('no answer');
    expect(requestOutcome(south.actionCodes, declined.answer, false)).toMatchObject({
      outcome: 'Declined',
      problem: 'acquirerinsufficientfunds',
    });
    expect(await bench.link.echo()).toBeGreaterThan(0);
    expect(bench.heard.faults).toEqual([]);
  });

  test.each([
    [900304, 'Silent Time'],
    [900309, 'Silent Broken'],
    [900317, '010'],
    [900319, 'Silent Unusable'],
  ])('%i: %s', async (amount, outcome) => {
    await bench.start({ dialect: south }, { wire: wireOf(south, '957801') });
    expect(await bench.outcomeOf(inSouth('Authorize', amount), outcome === 'Silent Time' ? 100 : 3_000)).toBe(outcome);
  });
});
