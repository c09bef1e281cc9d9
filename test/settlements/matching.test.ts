import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { selectDifferences } from '../../src/settlements/differences.store.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { agreementOf, type Charged, charge, fileOf, importText, lineFor, settling } from '../support/settlements.ts';

let database: TestDatabase;
let payeeId: PayeeId;
let context: SettlementContext;
let batches = 0;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  payeeId = await addPayee(database);
  context = settling([agreementOf(payeeId)]);
});

const { transact } = { transact: ((work) => database.transact(work)) as TestDatabase['transact'] };
const bring = (lines: Parameters<typeof fileOf>[1]) => {
  batches += 1;
  return importText(transact, context, fileOf(`batch-${batches}`, lines));
};
const differences = async (onlyOpen = false) => {
  const found = await selectDifferences(database.read, { payeeId, onlyOpen, settlementId: undefined, most: 100 });
  return found.map(({ kind, state, ours, theirs }) => [kind, state, ours, theirs]);
};
const sides = async () => {
  const rows = await database.asAdmin(`
    select m.kind, e.side, sum(e.amount)::int as amount
    from movement m join entry e using (payee_id, movement_id)
    where m.payee_id = '${payeeId}' and m.kind in ('Settlement', 'Dispute')
    group by 1, 2 order by 1 desc, 2`);
  return rows.map(({ kind, side, amount }) => [kind, side, amount]);
};
const owed = async () => {
  const [row] = await database.asAdmin(`
    select coalesce(-sum(amount), 0)::int as owed from entry where payee_id = '${payeeId}' and side = 'Issuer'`);
  return row?.['owed'];
};
test('the audit trail names the file of a batch by its name and digest, and what was paid', async () => {
  const sold = await charge(database, payeeId, { amount: 1_500 });
  await bring([lineFor(sold)]);
  const [row] = await database.asAdmin(`
    select a.details, encode(f.digest, 'hex') as digest from audit a, settlement_file f
    where a.payee_id = '${payeeId}' and a.action = 'import-settlement-batch' and f.name = 'file.csv'
    order by f.imported_at desc limit 1`);
  expect(row?.['details']).toEqual({
    amount: expect.any(Number),
    currency: 'NOK',
    lines: expect.any(Number),
    file: 'file.csv',
    digest: row?.['digest'],
  });
});

/** Another attempt of a payment, which its acquirer has approved. */
const otherAttempt = async ({ attemptId }: Charged, { operation = '', acquirer = '' }) => {
  const other = randomUUID();
  const ofCharged = `where payee_id = '${payeeId}' and attempt_id = '${attemptId}'`;
  await database.asAdmin(`
    insert into issuer_attempt (payee_id, attempt_id, payment_id, transaction_id, issuer, state, subject, created_at)
    select payee_id, '${other}', payment_id, '${randomUUID()}', '${acquirer}', state, subject, created_at
    from issuer_attempt ${ofCharged};
    insert into acquirer_exchange (payee_id, attempt_id, kind, acquirer, agreement, merchant_id, terminal_id, operation, stan,
      sent_at, retrieval_reference, amount, currency, state, action_code, answered_at)
    select payee_id, '${other}', kind, '${acquirer}', agreement, merchant_id, 'WEB00002', '${operation}', stan,
      sent_at, retrieval_reference, amount, currency, state, action_code, answered_at
    from acquirer_exchange ${ofCharged}`);
  return other.replaceAll('-', '');
};
const sale = (amount = 12_500, more = {}) => charge(database, payeeId, { amount, ...more });

describe('a line is matched', () => {
  test('by the attempt, and the batch books what it pays', async () => {
    const sold = await sale();
    const refunded = await sale(4_000, { type: 'Refund', of: sold });
    expect(await owed()).toBe(8_500);
    expect(await bring([lineFor(sold, { feeAmount: -125 }), lineFor(refunded)])).toMatchObject({
      lines: 3,
      batches: 1,
      matched: 2,
      differences: 0,
      refused: [],
    });
    expect(await differences()).toEqual([]);
    expect(await sides()).toEqual([
      ['Settlement', 'Clearing', -8_500],
      ['Settlement', 'Issuer', 8_500],
    ]);
    expect(await owed()).toBe(0);
  });

  test.each([
    ['the acquirer’s reference', { attemptReference: '', retrievalReference: '' }],
    ['the payment’s reference and the content', { attemptReference: '', acquirerReference: '' }],
    ['the attempt with dashes', 'dashes'],
  ])('by %s', async (_, hidden) => {
    const sold = await sale();
    const names = hidden === 'dashes' ? { attemptReference: sold.attemptId } : (hidden as Record<string, string>);
    expect(await bring([lineFor(sold, names)])).toMatchObject({ matched: 1, differences: 0 });
  });

  test('each to another one of captures that are alike', async () => {
    const first = await sale(1_000);
    const second = await sale(1_000, { of: first });
    const bare = (one: Charged) => lineFor(one, { attemptReference: '', acquirerReference: '' });
    expect(await bring([bare(first), bare(second)])).toMatchObject({ matched: 2, differences: 0 });
    // A third one is one too many.
    expect(await bring([bare(first)])).toMatchObject({ matched: 0, differences: 1 });
    expect(await differences()).toEqual([['twice', 'Open', 1_000, 1_000]]);
  });

  test('not to another payee’s transaction', async () => {
    const other = await addPayee(database);
    const foreign = await charge(database, other, { amount: 500 });
    expect(await bring([lineFor(foreign)])).toMatchObject({ matched: 0, differences: 1 });
    expect(await differences()).toEqual([['unknownToUs', 'Open', null, 500]]);
  });

  test('not to what was taken back', async () => {
    const gone = await sale(700, { takenBack: 'Known' });
    await bring([lineFor(gone)]);
    expect(await differences()).toEqual([['takenThoughRefused', 'Open', null, 700]]);
  });

  test('not to a capture that is forwarded still: it has not failed', async () => {
    const waiting = await sale(700);
    await database.asAdmin(
      `update issuer_attempt set state = 'FORWARDING', due_at = 'infinity', forward_at = 'infinity'
       where attempt_id = '${waiting.attemptId}'`,
    );
    await database.asAdmin(`delete from settlement_item where attempt_id = '${waiting.attemptId}'`);
    await bring([lineFor(waiting)]);
    expect(await differences()).toEqual([['unknownToUs', 'Open', null, 700]]);
  });

  test('not to another capture of the payment where it names one that failed', async () => {
    const captured = await sale(700);
    const failed = await sale(700, { of: captured, takenBack: 'Known' });
    // Both captures have the payment's reference, and all that they say is alike.
    expect(await bring([lineFor(failed, { acquirerReference: '' }), lineFor(captured)])).toMatchObject({
      matched: 1,
      differences: 1,
    });
    expect(await differences()).toEqual([['takenThoughRefused', 'Open', null, 700]]);
    await bring([lineFor(failed, { type: 'Adjustment', grossAmount: -700, acquirerReference: '' })]);
    expect(await differences(true)).toEqual([]);
  });

  test.each([
    ['the authorization of its payment', 'Authorize', 'north'],
    ['what another acquirer was asked for', 'Capture', 'south'],
  ])('by the content where it names %s, which has not failed', async (_, operation, acquirer) => {
    const captured = await sale(700);
    const named = await otherAttempt(captured, { operation, acquirer });
    const names = { attemptReference: named, acquirerReference: '' };
    expect(await bring([lineFor(captured, names)])).toMatchObject({ matched: 1, differences: 0 });
    // What else it names so is no transaction that was refused: to give that back would lose the money.
    await bring([lineFor(captured, { ...names, retrievalReference: 'other' })]);
    expect(await differences()).toEqual([['unknownToUs', 'Open', null, 700]]);
  });
});

describe('a line differs', () => {
  const one = (more: Record<string, string | number>) => async () => {
    const sold = await sale();
    await bring([lineFor(sold, more)]);
  };
  test.each([
    ['amountDiffers', one({ grossAmount: 12_501 }), 12_500, 12_501],
    ['merchantDiffers', one({ merchantId: '000012345678902' }), 12_500, 12_500],
    ['unknownToUs', one({ attemptReference: '', acquirerReference: 'x', retrievalReference: 'y' }), null, 12_500],
    ['amountDiffers', one({ type: 'Refund', grossAmount: -12_500 }), 12_500, -12_500],
  ])('%s', async (kind, prepare, ours, theirs) => {
    await prepare();
    expect(await differences()).toEqual([[kind, 'Open', ours, theirs]]);
    // Nothing of it is booked.
    expect(await sides()).toEqual([]);
    expect(await owed()).toBe(12_500);
  });

  test('currencyDiffers', async () => {
    const sold = await sale(900, { currency: 'SEK' });
    await bring([lineFor(sold)]);
    expect(await differences()).toEqual([['currencyDiffers', 'Open', 900, 900]]);
  });

  test('twice, in one file and in the next', async () => {
    const sold = await sale();
    expect(await bring([lineFor(sold), lineFor(sold)])).toMatchObject({ matched: 1, differences: 1 });
    expect(await bring([lineFor(sold)])).toMatchObject({ matched: 0, differences: 1 });
    expect(await differences()).toEqual([
      ['twice', 'Open', 12_500, 12_500],
      ['twice', 'Open', 12_500, 12_500],
    ]);
    expect(await owed()).toBe(0);
  });
});

describe('a later line cures', () => {
  test('another amount, by the adjustment to ours', async () => {
    const sold = await sale();
    await bring([lineFor(sold, { grossAmount: 12_501 })]);
    await bring([lineFor(sold, { type: 'Adjustment', grossAmount: -1 })]);
    expect(await differences()).toEqual([['amountDiffers', 'Cured', 12_500, 12_501]]);
    expect(await owed()).toBe(0);
  });

  test('a line that came twice, by the adjustment to nothing', async () => {
    const sold = await sale();
    await bring([lineFor(sold), lineFor(sold)]);
    await bring([lineFor(sold, { type: 'Adjustment', grossAmount: -12_500 })]);
    expect(await differences()).toEqual([['twice', 'Cured', 12_500, 12_500]]);
    expect(await owed()).toBe(0);
  });

  test('not where the sum is not right', async () => {
    const sold = await sale();
    await bring([lineFor(sold, { grossAmount: 12_501 })]);
    await bring([lineFor(sold, { type: 'Adjustment', grossAmount: -2 })]);
    expect(await differences()).toEqual([
      ['amountDiffers', 'Open', 12_500, 12_501],
      ['unknownToUs', 'Open', 12_500, -2],
    ]);
  });

  test('another merchant number, by the line with ours', async () => {
    const sold = await sale();
    await bring([lineFor(sold, { merchantId: '000012345678902' })]);
    await bring([lineFor(sold)]);
    expect(await differences()).toEqual([['merchantDiffers', 'Cured', 12_500, 12_500]]);
  });
});

describe('a file', () => {
  test('again imports nothing', async () => {
    const sold = await sale();
    const text = fileOf('again', [lineFor(sold)]);
    expect(await importText(transact, context, text)).toMatchObject({ lines: 2, matched: 1, isKnown: false });
    expect(await importText(transact, context, text)).toMatchObject({ lines: 0, matched: 0, isKnown: true });
    // The same batch in another file is known by its lines, and is not the same with others.
    const other = fileOf('beside', [lineFor(await sale())]);
    const both = text + other.slice(other.indexOf('\r\n') + 2);
    expect(await importText(transact, context, both)).toMatchObject({ batches: 1, known: 1, matched: 1, refused: [] });
    expect(await importText(transact, context, fileOf('again', [lineFor(await sale())]))).toMatchObject({
      batches: 0,
      refused: [{ batch: 'again', reason: { code: 'anotherBatch' } }],
    });
    expect(await differences()).toEqual([]);
  });

  test('with a batch that does not sum is refused for that batch alone', async () => {
    const [good, bad] = [await sale(), await sale(300)];
    const broken = fileOf('broken', [lineFor(bad)], { netAmount: 299 });
    const both = fileOf('sound', [lineFor(good)]) + broken.slice(broken.indexOf('\r\n') + 2);
    expect(await importText(transact, context, both)).toMatchObject({
      batches: 1,
      matched: 1,
      refused: [{ batch: 'broken', reason: { code: 'sumsDiffer' } }],
    });
    expect(await owed()).toBe(300);
  });

  test('with something like a card number is refused whole', async () => {
    const sold = await sale();
    const text = fileOf('leak', [lineFor(sold, { reasonCode: '4925 0000 0000 0004' })]);
    const importing = importText(transact, context, text);
    await expect(importing).rejects.toThrow(/^Line 2, column 19, holds something like a card number/);
    await expect(importing).rejects.not.toThrow(/4925/);
    expect(await owed()).toBe(12_500);
  });

  test('with one line number twice changes nothing', async () => {
    const sold = await sale();
    const text = fileOf('doubled', [lineFor(sold, { lineId: 1 }), lineFor(await sale(), { lineId: 1 })]);
    await expect(importText(transact, context, text)).rejects.toThrow('two lines with the same lineId');
    expect(await owed()).toBe(25_000);
  });
});
