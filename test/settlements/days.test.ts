import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ask, Asked } from '../../src/iso8583/link/link.types.ts';
import { COMMAND_LINE, SERVICE } from '../../src/kit/caller.ts';
import { type PayeeId, uuidV7 } from '../../src/kit/ids.ts';
import { addDays } from '../../src/kit/instants.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { composeSettlements } from '../../src/settlements/compose.ts';
import { closeDay, collect, findOpenDays, searchDays } from '../../src/settlements/days/close-day.ts';
import type { ClosingDay } from '../../src/settlements/days/days.types.ts';
import { exportDay } from '../../src/settlements/days/export-day.ts';
import { reconcileDays } from '../../src/settlements/days/reconcile-days.flow.ts';
import { selectPayouts, selectSettlements } from '../../src/settlements/days/shown-days.store.ts';
import { takeDue } from '../../src/settlements/days/tell-totals.ts';
import { selectDifferences } from '../../src/settlements/differences.store.ts';
import { resolveDifference } from '../../src/settlements/resolve-difference.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { agreementOf, charge, fileOf, importText, lineFor, NORTH, settling, TODAY } from '../support/settlements.ts';

let database: TestDatabase;
let payeeId: PayeeId;
let context: SettlementContext;
/** What the acquirer says of totals: the code, or nothing; `NotSent` where there is no line to it. */
let says: string | undefined = '500';
const asked: Ask[] = [];
const link = {
  async ask(ask: Ask): Promise<Asked> {
    asked.push(ask);
    if (says === 'NotSent') return { outcome: 'NotSent', because: 'NoConnection' };
    ask.handedOver?.();
    if (says === undefined) return { outcome: 'Silent', because: 'Time' };
    const fields = { ...ask.message.fields, actionCode: says, salesAmount: '0000000000000001' };
    return {
      outcome: 'Answered',
      answer: { type: '1530', fields, tags: {} },
      wasRepeated: false,
      businessDay: undefined,
    };
  },
};

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  payeeId = await addPayee(database);
  context = settling([agreementOf(payeeId)], link);
  says = '500';
  asked.length = 0;
});

const DAY = TODAY;
const readAll = async (pieces: AsyncIterable<string>) => {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
};
const NEXT = addDays(DAY, 1);
const transact: TestDatabase['transact'] = (work) => database.transact(work);
const close = async (day = DAY, isOne = true) => {
  const asked = { to: day, isOne };
  await transact((transaction) => collect(transaction, context, NORTH));
  const open = await transact((transaction) => findOpenDays(transaction, NORTH.id, asked));
  const closed: (ClosingDay | undefined)[] = [];
  for (const one of open.filter((each) => each.payeeId === payeeId)) {
    const closing = { open: one, isReconciled: true, actor: SERVICE };
    closed.push(await transact((transaction) => closeDay(transaction, context, closing)));
  }
  return closed;
};
/** As if nothing had been collected since the beginning of a day. */
const markAt = (day: string) => database.asAdmin(`update settlement_mark set collected_to = '${day}'`);
const days = (day?: string) => selectSettlements(database.read, { payeeId, day, after: undefined, limit: 10 });
const differences = async () => {
  const found = await selectDifferences(database.read, { payeeId, onlyOpen: true, settlementId: undefined, most: 10 });
  return found.map(({ kind, ours, theirs }) => [kind, ours, theirs]);
};
const tell = async () => {
  await database.asAdmin(
    `update settlement_day set due_at = kontor_now() where due_at is not null and payee_id = '${payeeId}'`,
  );
  await reconcileDays({ transact, context }, await transact((transaction) => takeDue(transaction)));
};
const events = async () => {
  const rows = await database.asAdmin(
    `select type from event where payee_id = '${payeeId}' order by resource_kind, resource_sequence`,
  );
  return rows.map(({ type }) => type);
};

describe('a day', () => {
  test('is closed once, with the sums of its sales, refunds and take-backs', async () => {
    const sold = await charge(database, payeeId, { amount: 12_500 });
    await charge(database, payeeId, { amount: 500 });
    await charge(database, payeeId, { amount: 4_000, type: 'Refund', of: sold });
    await charge(database, payeeId, { amount: 700, takenBack: 'Known' });
    await charge(database, payeeId, { amount: 800, takenBack: 'Unknown' });
    expect(await close()).toMatchObject([
      {
        day: DAY,
        net: 9_000,
        salesNumber: 3,
        salesAmount: 13_700,
        saleReversalsNumber: 1,
        saleReversalsAmount: 700,
        refundsNumber: 1,
        refundsAmount: 4_000,
        refundReversalsNumber: 0,
      },
    ]);
    expect(await close()).toEqual([]);
    expect(await days()).toHaveLength(1);
    expect(await events()).toEqual(['settlement.closed']);
    // A line for each, and two for what was taken back: so the table comes to the same.
    const lines = (await readAll(exportDay(database.read, payeeId, DAY))).trim().split(/\r?\n/).slice(1);
    const told = lines.map((line) => line.split(',')).map((cells) => [cells[2], cells[4]]);
    expect(told.toSorted()).toEqual([
      ['Refund', '-40.00'],
      ['Sale', '125.00'],
      ['Sale', '5.00'],
      ['Sale', '7.00'],
      ['SaleReversal', '-7.00'],
    ]);
  });

  test('that is closed stays so: what comes later is of the day after', async () => {
    await charge(database, payeeId, { amount: 100 });
    await close();
    await charge(database, payeeId, { amount: 30 });
    expect(await close()).toEqual([]);
    expect(await close(NEXT)).toMatchObject([{ day: NEXT, salesAmount: 30 }]);
    expect((await days()).map(({ day, salesAmount }) => [day, salesAmount])).toEqual([
      [NEXT, 30],
      [DAY, 100],
    ]);
  });

  test('is closed at any age: an outage of months loses no sale', async () => {
    await charge(database, payeeId, { amount: 100 });
    await close();
    for (const [age, amount] of [
      [4, 7],
      [100, 30],
    ] as const) {
      await charge(database, payeeId, { amount, agreement: 'demo-old', day: addDays(DAY, -age) });
    }
    await database.asAdmin(`
      update acquirer_exchange set answered_at = business_day + interval '12 hours'
      where payee_id = '${payeeId}' and agreement = 'demo-old'`);
    // No closing and no import since: the service was away.
    await markAt(addDays(DAY, -101));
    expect(await close(DAY, false)).toMatchObject([
      { day: addDays(DAY, -100), net: 30 },
      { day: addDays(DAY, -4), net: 7 },
    ]);
    expect(await close(DAY, false)).toEqual([]);
  });

  test('that was open before open days were noted is closed', async () => {
    await charge(database, payeeId, { amount: 100 });
    await transact((transaction) => collect(transaction, context, NORTH));
    await database.asAdmin('delete from settlement_open_day; delete from settlement_mark');
    expect(await close()).toMatchObject([{ day: DAY, net: 100 }]);
  });

  test('is not closed while the ledger has booked something else', async () => {
    await charge(database, payeeId, { amount: 12_500 });
    await charge(database, payeeId, { amount: 400, isBooked: false });
    await expect(close()).rejects.toThrow(
      'its transactions come to 129.00 NOK, and the ledger has booked 125.00 NOK, 4.00 NOK less',
    );
    expect(await days()).toEqual([]);
    await database.asAdmin(`
      delete from settlement_item where payee_id = '${payeeId}';
      delete from acquirer_exchange where payee_id = '${payeeId}'`);
  });

  test('of another payee is not in the list', async () => {
    await charge(database, payeeId, { amount: 1 });
    await close();
    const other = await addPayee(database);
    expect(await selectSettlements(database.read, { payeeId: other, day: DAY, after: undefined, limit: 10 })).toEqual(
      [],
    );
  });
});

describe('the totals', () => {
  test('are told again, the same message, until they are answered', async () => {
    await charge(database, payeeId, { amount: 12_500 });
    await close();
    says = undefined;
    await tell();
    says = '909';
    await tell();
    says = '500';
    await tell();
    await tell();
    expect(asked.map(({ message }) => message.type)).toEqual(['1520', '1521', '1521']);
    expect(new Set(asked.map(({ message }) => JSON.stringify(message.fields))).size).toBe(1);
    expect(asked[0]?.message.fields).toMatchObject({
      reconciliationDay: DAY.slice(2).replaceAll('-', ''),
      merchantId: '000012345678901',
      reconciliationCurrency: '578',
      salesNumber: '1',
      salesAmount: '12500',
      netAmount: 'D0000000000012500',
    });
    expect(await days()).toMatchObject([{ state: 'Reconciled' }]);
    expect(await events()).toEqual(['settlement.closed']);
  });

  test('are told for the first time until they were handed over', async () => {
    await charge(database, payeeId, { amount: 12_500 });
    await close();
    for (const one of ['NotSent', 'NotSent', undefined, 'NotSent', '500']) {
      says = one;
      await tell();
    }
    expect(asked.map(({ message }) => message.type)).toEqual(['1520', '1520', '1520', '1521', '1521']);
    expect(new Set(asked.map(({ message }) => JSON.stringify(message.fields))).size).toBe(1);
    expect(await days()).toMatchObject([{ state: 'Reconciled' }]);
  });

  test('are told by another name where their repeat is a duplicate: that says nothing of them', async () => {
    await charge(database, payeeId, { amount: 12_500 });
    await close();
    for (const one of [undefined, '913', '500']) {
      says = one;
      await tell();
    }
    expect(asked.map(({ message }) => message.type)).toEqual(['1520', '1521', '1520']);
    expect(new Set(asked.map(({ message }) => message.fields.stan)).size).toBe(2);
    expect(await days()).toMatchObject([{ state: 'Reconciled' }]);
  });

  test.each(['501', '502', '504'])('that differ by %s are stored, and become a difference', async (code) => {
    await charge(database, payeeId, { amount: 12_500 });
    await close();
    says = code;
    await tell();
    expect(await days()).toMatchObject([
      { state: 'Different', acquirerTotals: { salesNumber: 1, salesAmount: 1 }, openDifferences: 1 },
    ]);
    expect(await differences()).toEqual([['totalsDiffer', 12_500, 1]]);
    expect(await events()).toEqual(['settlement.closed', 'settlement.different']);
  });
});

describe('a closed day', () => {
  test('is settled once all of it was paid', async () => {
    const sold = await charge(database, payeeId, { amount: 12_500 });
    const other = await charge(database, payeeId, { amount: 300 });
    await close();
    await tell();
    await importText(transact, context, fileOf(uuidV7(Date.now()), [lineFor(sold, { feeAmount: -25 })]));
    expect(await days()).toMatchObject([{ state: 'Reconciled', settledNumber: 1, settledAmount: 12_500 }]);
    await importText(transact, context, fileOf(uuidV7(Date.now()), [lineFor(other)]));
    const [day] = await days();
    expect(day).toMatchObject({ state: 'Settled', settledNumber: 2 });
    expect(await selectPayouts(database.read, payeeId, day?.settlementId ?? '', 10)).toMatchObject([
      { valueDate: '2026-03-11', gross: 12_500, fee: -25, amount: 12_475 },
      { valueDate: '2026-03-11', gross: 300, fee: 0, amount: 300 },
    ]);
  });

  test('misses what no line has come for in three days, once, until one comes', async () => {
    const sold = await charge(database, payeeId, { amount: 12_500 });
    const paid = await charge(database, payeeId, { amount: 300 });
    await close();
    await importText(transact, context, fileOf(uuidV7(Date.now()), [lineFor(paid)]));
    await transact(searchDays);
    expect(await differences()).toEqual([]);
    await database.asAdmin(`
      update settlement_day set closed_at = closed_at - interval '3 days' where payee_id = '${payeeId}'`);
    await transact(searchDays);
    await transact(searchDays);
    expect(await differences()).toEqual([['missingAtAcquirer', 12_500, null]]);
    await importText(transact, context, fileOf(uuidV7(Date.now()), [lineFor(sold)]));
    expect(await differences()).toEqual([]);
  });

  test('that differs is settled when the difference is resolved', async () => {
    const sold = await charge(database, payeeId, { amount: 12_500 });
    await close();
    says = '501';
    await tell();
    await importText(transact, context, fileOf(uuidV7(Date.now()), [lineFor(sold)]));
    expect(await days()).toMatchObject([{ state: 'Different' }]);
    const [difference] = await selectDifferences(database.read, {
      payeeId,
      onlyOpen: true,
      settlementId: undefined,
      most: 1,
    });
    const resolve = (of: PayeeId) =>
      transact((transaction) =>
        resolveDifference(transaction, context, {
          outcome: 'AcquirersMistake',
          now: new Date().toISOString(),
          payeeId: of,
          differenceId: difference?.differenceId ?? '',
          reason: 'told by phone',
          actor: COMMAND_LINE,
        }),
      );
    await expect(resolve(await addPayee(database))).rejects.toMatchObject({ code: 'notfound' });
    await resolve(payeeId);
    expect(await days()).toMatchObject([{ state: 'Settled', openDifferences: 0 }]);
    const [row] = await database.asAdmin(`
      select details from audit where payee_id = '${payeeId}' and action = 'resolve-difference'`);
    expect(row).toEqual({ details: { reason: 'told by phone', outcome: 'AcquirersMistake' } });
    await expect(resolve(payeeId)).rejects.toMatchObject({ code: 'notfound' });
  });
});

test('what holds of settlement is broken by none of this, and by each row that is changed', async () => {
  const { invariants } = composeSettlements({ ...context, database: { ...database } });
  const broken = async () => {
    const { findings } = await verifyLedger(database.reports, invariants);
    return findings.filter(({ badRow }) => badRow !== undefined).map(({ holds }) => holds);
  };
  const sold = await charge(database, payeeId, { amount: 12_500 });
  await close();
  await importText(transact, context, fileOf('verified', [lineFor(sold)]));
  await importText(
    transact,
    context,
    fileOf('disputed', [lineFor(sold, { type: 'Chargeback', grossAmount: -12_500, caseId: 'V' })]),
  );
  const later = await charge(database, payeeId, { amount: 900 });
  await close(NEXT);
  expect(await broken()).toEqual([]);
  for (const [damage, repair, holds = ''] of [
    [
      `update settlement_day set closed_at = closed_at + interval '2 hours', updated_at = updated_at + interval '2 hours';
       create table lost as select * from settlement_item where attempt_id = '${later.attemptId}';
       delete from settlement_item where attempt_id = '${later.attemptId}'`,
      `update settlement_day set closed_at = closed_at - interval '2 hours', updated_at = updated_at - interval '2 hours';
       insert into settlement_item select * from lost; drop table lost`,
      'belongs to a business day',
    ],
    [
      `update settlement_item set day = day + 400 where attempt_id = '${later.attemptId}'`,
      `update settlement_item set day = day - 400 where attempt_id = '${later.attemptId}'`,
      'of a business day that is open or closed',
    ],
    [
      `create table named as select attempt_id, retrieval_reference from acquirer_exchange where payee_id = '${payeeId}';
       update acquirer_exchange set approval_code = 'A1B2C3', retrieval_reference = '633200000001', business_day = '${NEXT}'
       where attempt_id in ('${sold.attemptId}', '${later.attemptId}')`,
      `update acquirer_exchange x set approval_code = null, retrieval_reference = n.retrieval_reference from named n
       where n.attempt_id = x.attempt_id; drop table named`,
      'two payments',
    ],
    [
      `update settlement_item set amount = amount + 1 where attempt_id = '${later.attemptId}'`,
      `update settlement_item set amount = amount - 1 where attempt_id = '${later.attemptId}'`,
      'each agreement still has to pay',
    ],
    [
      'update settlement_day set net = net + 1, sales_amount = sales_amount + 1',
      'update settlement_day set net = net - 1, sales_amount = sales_amount - 1',
    ],
    [
      'update settlement_batch set net = net + 1, gross = gross + 1',
      'update settlement_batch set net = net - 1, gross = gross - 1',
    ],
    [
      "update settlement_line set booked_by = null where type = 'Sale'",
      "update settlement_line set booked_by = batch_id where type = 'Sale'",
    ],
    ['update card_payment set disputed = disputed + 1', 'update card_payment set disputed = disputed - 1'],
    [
      `alter table settlement_share disable trigger all; update settlement_share set amount = amount + 1`,
      `update settlement_share set amount = amount - 1; alter table settlement_share enable trigger all`,
      'parts that agreements have',
    ],
    [
      `alter table settlement_share disable trigger all; update settlement_share set agreement = agreement || '-other'`,
      `update settlement_share set agreement = left(agreement, -6); alter table settlement_share enable trigger all`,
      'booked for each agreement',
    ],
  ] as const) {
    await database.asAdmin(damage);
    expect((await broken()).join(' '), damage).toMatch(new RegExp(`.+${holds}`));
    await database.asAdmin(repair);
  }
  await database.asAdmin(`update settlement_day set state = 'Settled', due_at = null where payee_id = '${payeeId}';
    update settlement_item set batch_id = null, line_id = null where payee_id = '${payeeId}'`);
  expect(await broken()).toEqual([
    'A settled day has no sale and no refund that was not paid.',
    'What the ledger says that each agreement still has to pay is what its open sales and refunds come to.',
    'What the ledger has booked for each agreement is what its open sales and refunds come to.',
  ]);
});
