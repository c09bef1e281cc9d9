import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { COMMAND_LINE, SERVICE } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { composeSettlements } from '../../src/settlements/compose.ts';
import { closeDay, searchDays } from '../../src/settlements/days/close-day.ts';
import { selectSettlements } from '../../src/settlements/days/shown-days.store.ts';
import { selectDifferences } from '../../src/settlements/differences.store.ts';
import { resolveDifference } from '../../src/settlements/resolve-difference.ts';
import type { DifferenceOutcome, SettlementContext } from '../../src/settlements/settlements.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import {
  agreementOf,
  type Charged,
  charge,
  fileOf,
  findOpenDays,
  importText,
  lineFor,
  NORTH,
  settling,
  TODAY,
} from '../support/settlements.ts';
import { until } from '../support/until.ts';

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

const transact: TestDatabase['transact'] = (work) => database.transact(work);
const bring = (lines: Parameters<typeof fileOf>[1]) => {
  batches += 1;
  return importText(transact, context, fileOf(`ended-${batches}`, lines));
};
const differences = (onlyOpen = true) =>
  selectDifferences(database.read, { payeeId, onlyOpen, settlementId: undefined, most: 100 });
const kinds = async () => (await differences()).map(({ kind }) => kind);
const owed = async () => {
  const [row] = await database.asAdmin(`
    select coalesce(-sum(amount), 0)::int as owed from entry where payee_id = '${payeeId}' and side = 'Issuer'`);
  return row?.['owed'];
};
const day = async () => {
  const [found] = await selectSettlements(database.read, { payeeId, day: TODAY, after: undefined, limit: 1 });
  return found;
};
const resolve = async (outcome: DifferenceOutcome, at = 0) => {
  const found = await differences();
  const differenceId = found[at]?.differenceId ?? '';
  const command = { payeeId, differenceId, outcome, reason: 'told by phone', actor: COMMAND_LINE };
  await transact((transaction) =>
    resolveDifference(transaction, context, { ...command, now: new Date().toISOString() }),
  );
};
/** Sells, closes the day, and lets three days go by. */
const sellBefore = async (amount = 12_500, more = {}): Promise<Charged> => {
  const sold = await charge(database, payeeId, { amount, ...more });
  const asked = { to: TODAY, isOne: true };
  const open = await transact((transaction) => findOpenDays(transaction, context, NORTH, asked));
  for (const one of open.filter((each) => each.payeeId === payeeId)) {
    await transact((transaction) => closeDay(transaction, context, { open: one, isReconciled: false, actor: SERVICE }));
  }
  await database.asAdmin(`
    update settlement_day set closed_at = closed_at - interval '3 days' where payee_id = '${payeeId}'`);
  return sold;
};
const sellAndMiss = async (...more: Parameters<typeof sellBefore>): Promise<Charged> => {
  const sold = await sellBefore(...more);
  await transact(searchDays);
  return sold;
};
const broken = async () => {
  const { invariants } = composeSettlements({ ...context, database });
  const { findings } = await verifyLedger(database.reports, invariants);
  return findings.flatMap(({ holds, badRow }) => (badRow === undefined ? [] : [holds]));
};

test('a late and wrong line and its adjustment end all differences of the sale', async () => {
  const sold = await sellAndMiss();
  expect(await kinds()).toEqual(['missingAtAcquirer']);
  await bring([lineFor(sold, { grossAmount: 12_501 })]);
  expect(await kinds()).toEqual(['missingAtAcquirer', 'amountDiffers']);
  await bring([lineFor(sold, { type: 'Adjustment', grossAmount: -1 })]);
  expect(await kinds()).toEqual([]);
  expect(await day()).toMatchObject({ state: 'Settled', settledAmount: 12_500 });
  expect(await owed()).toBe(0);
  expect(await broken()).toEqual([]);
});

test('what an import settles while days are searched is not missing', async () => {
  const sold = await sellBefore();
  let searching: Promise<unknown> | undefined;
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const importing: TestDatabase['transact'] = (work) =>
    transact(async (transaction) => {
      const done = await work(transaction);
      if (typeof done === 'object') {
        searching = transact(searchDays);
        await until(async () => (await database.asAdmin(waiting)).length > 0);
      }
      return done;
    });
  await importText(importing, context, fileOf('long', [lineFor(sold)]));
  await searching;
  expect([await kinds(), (await day())?.state]).toEqual([[], 'Settled']);
  expect(await transact(searchDays)).toBe(false);
});

test('the right line ends a line of another amount, and none that came twice', async () => {
  const sold = await sellAndMiss();
  await bring([lineFor(sold, { grossAmount: 12_501 })]);
  await bring([lineFor(sold), lineFor(sold)]);
  expect(await kinds()).toEqual(['twice']);
});

test('the right line and an adjustment of the wrong one settle the sale once', async () => {
  const sold = await sellAndMiss();
  await bring([lineFor(sold, { grossAmount: 12_501 })]);
  await bring([lineFor(sold), lineFor(sold, { type: 'Adjustment', grossAmount: -1 })]);
  expect([await kinds(), await owed(), await broken()]).toEqual([['unknownToUs'], 0, []]);
});

test('a sale that is paid does not end the difference of its chargeback', async () => {
  const sold = await charge(database, payeeId, { amount: 12_500 });
  const chargeback = { type: 'Chargeback', grossAmount: -12_500, merchantId: '000012345678902', caseId: 'E1' };
  await bring([lineFor(sold, chargeback)]);
  await bring([lineFor(sold)]);
  expect(await kinds()).toEqual(['merchantDiffers']);
  expect(await broken()).toEqual([]);
});

test.each(['WrittenOff', 'PaidOtherwise'] as const)(
  '%s books what is owed, and the day is settled',
  async (outcome) => {
    const sold = await sellAndMiss();
    await bring([lineFor(sold, { merchantId: '000012345678902' })]);
    expect(await owed()).toBe(12_500);
    await resolve(outcome, 1);
    expect(await kinds()).toEqual([]);
    expect(await owed()).toBe(0);
    expect(await day()).toMatchObject({ state: 'Settled', settledNumber: 1, openDifferences: 0 });
    const [row] = await database.asAdmin(`
    select details from audit where payee_id = '${payeeId}' and action = 'resolve-difference'`);
    expect(row).toEqual({ details: { reason: 'told by phone', outcome, amount: 12_500, currency: 'NOK' } });
    expect(await broken()).toEqual([]);
    // What comes for it later is one line too many.
    await bring([lineFor(sold)]);
    expect(await kinds()).toEqual(['twice']);
    expect(await owed()).toBe(0);
  },
);

test('a refund that the acquirer never took is written off the other way', async () => {
  const sold = await charge(database, payeeId, { amount: 500 });
  await bring([lineFor(sold)]);
  await sellAndMiss(200, { type: 'Refund', of: sold });
  expect(await owed()).toBe(-200);
  await resolve('WrittenOff');
  expect(await owed()).toBe(0);
  expect(await day()).toMatchObject({ state: 'Settled' });
  expect(await broken()).toEqual([]);
});

test('an acquirer’s mistake books nothing, and the sale waits for its line', async () => {
  const sold = await sellAndMiss();
  await resolve('AcquirersMistake');
  expect(await kinds()).toEqual([]);
  expect([await owed(), (await day())?.state]).toEqual([12_500, 'Closed']);
  await bring([lineFor(sold)]);
  expect([await owed(), (await day())?.state]).toEqual([0, 'Settled']);
});

test('what nothing is owed for is not booked', async () => {
  const sold = await charge(database, payeeId, { amount: 500 });
  await bring([lineFor(sold), lineFor(sold)]);
  await expect(resolve('WrittenOff')).rejects.toThrow('Nothing is owed for this difference.');
  expect(await kinds()).toEqual(['twice']);
  await resolve('AcquirersMistake');
  expect(await kinds()).toEqual([]);
});

test('what holds of ended sales is broken by each row that is changed', async () => {
  await sellAndMiss();
  await resolve('WrittenOff');
  expect(await broken()).toEqual([]);
  const ofPayee = `where payee_id = '${payeeId}'`;
  for (const [damage, repair] of [
    [
      `update settlement_difference set outcome = 'AcquirersMistake' ${ofPayee}`,
      `update settlement_difference set outcome = 'WrittenOff' ${ofPayee}`,
    ],
    [
      `create table lost as select movement_id from settlement_difference ${ofPayee};
       update settlement_difference set movement_id = null ${ofPayee}`,
      `update settlement_difference set movement_id = (select movement_id from lost) ${ofPayee}; drop table lost`,
    ],
  ] as const) {
    await database.asAdmin(damage);
    expect(await broken(), damage).toContain(
      'Each sale and refund that a person has ended is ended once, and booked as its difference says.',
    );
    await database.asAdmin(repair);
  }
  expect(await broken()).toEqual([]);
});
