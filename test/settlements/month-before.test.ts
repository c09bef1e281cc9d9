import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import type { Command } from '../../src/kit/command.ts';
import { closeDueDays } from '../../src/settlements/days/close-days.flow.ts';
import { disputeCommands } from '../../src/settlements/disputes/disputes.cli.ts';
import { changeDispute } from '../../src/settlements/disputes/save-dispute.ts';
import { trialBalance } from '../../src/settlements/reports/trial-balance.cli.ts';
import { settlementCommands } from '../../src/settlements/settlements.cli.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { runSettlements } from '../support/run-command.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import {
  agreementOf,
  type Cells,
  type Charged,
  charge,
  fileOf,
  importText,
  lineFor,
  NORTH,
  settling,
} from '../support/settlements.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';
import { differing, linesOf, minor, type Shown, sum } from './month-figures.ts';

// A February that is paid in March, and a March with a sale that is charged back, contested, and given back in April.

const MARCH = 'from=2026-03-01&to=2026-03-31';
/** The first of March where the payee is, while it is February at the acquirer. */
const BETWEEN = '2026-02-28T23:30:00Z';

let kontor: TestService;
let context: SettlementContext;
let anna: Browser;
let contested: Charged;

const sell = (amount: number, at: string, more = {}) =>
  charge(kontor.database, kontor.payeeId, { amount, at, day: at.slice(0, 10), ...more });
const bring = (batch: string, valueDate: string, lines: readonly Cells[]) =>
  importText((work) => kontor.database.transact(work), context, fileOf(batch, lines, { valueDate }), {
    ...NORTH,
    now: new Date(`${valueDate}T05:00:00Z`),
  });
const chargedBack = (sold: Charged, caseId: string) =>
  lineFor(sold, { type: 'Chargeback', grossAmount: -sold.amount, reasonCode: '10.4', caseId });
const givenBack = (sold: Charged, caseId: string) =>
  lineFor(sold, { type: 'ChargebackReversal', grossAmount: sold.amount, caseId });

beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  context = settling([agreementOf(kontor.payeeId)]);
  anna = await signedInAs(kontor, 'finance');
  const [early, february, between] = [
    await sell(100_000, '2026-02-10T10:00:00Z'),
    await sell(70_000, '2026-02-26T10:00:00Z'),
    await sell(25_000, BETWEEN),
  ];
  contested = await sell(90_000, '2026-03-05T10:00:00Z');
  const [won, late, sold] = [
    await sell(44_000, '2026-03-05T11:00:00Z'),
    await sell(30_000, '2026-03-06T10:00:00Z'),
    await sell(12_500, '2026-03-06T11:00:00Z'),
  ];
  const refunded = await sell(4_000, '2026-03-07T10:00:00Z', { type: 'Refund', of: sold });
  await sell(33_300, '2026-03-31T20:00:00Z');
  await bring('F1', '2026-02-12', [lineFor(early, { feeAmount: -900 })]);
  await bring('M1', '2026-03-02', [lineFor(february, { feeAmount: -700 }), lineFor(between, { feeAmount: -250 })]);
  await bring('M2', '2026-03-09', [
    lineFor(contested, { feeAmount: -900 }),
    lineFor(won, { feeAmount: -440 }),
    lineFor(sold, { feeAmount: -125 }),
    lineFor(refunded),
    { type: 'Reserve', grossAmount: -20_000 },
  ]);
  await bring('M3', '2026-03-12', [chargedBack(contested, 'C1'), chargedBack(won, 'C2')]);
  await bring('M4', '2026-03-20', [givenBack(won, 'C2'), { type: 'Reserve', grossAmount: 5_000 }]);
  await bring('M5', '2026-03-27', [lineFor(late, { feeAmount: -300 }), { type: 'Fee', feeAmount: -4_900 }]);
  const closed = new Date('2026-04-05T12:00:00Z');
  await closeDueDays((work) => kontor.database.transact(work), context, NORTH, closed);
});
afterAll(() => kontor.stop());

/** What people at the command line are shown of March, or what they are given. */
const said = (commands: readonly Command<never>[], name: string, ...more: string[]) =>
  runSettlements(kontor, commands, [name, '--from', '2026-03-01', '--to', '2026-03-31', ...more]);
const api = async (path: string) => (await kontor.send('GET', path)).body;
const table = async (name: string) => linesOf((await anna.get(`/portal/api/payees/${kontor.payeeId}/${name}`)).text);
const nok = (amount: number): Shown => (amount === 0 ? {} : { NOK: amount });
type Sums = { readonly currency: string } & Readonly<Record<string, number>>;
const of = (rows: readonly Sums[], name: string) => sum(rows, ({ [name]: amount = 0 }) => amount as number);
const column = (rows: Awaited<ReturnType<typeof table>>, name: string) =>
  sum(rows, (row) => minor(row[name], row.currency));
type Balance = Sums & { readonly side: string };
const issuer = (rows: readonly Balance[], name: string) =>
  of(
    rows.filter(({ side }) => side === 'Issuer'),
    name,
  );

/** What payouts of March come to, by each place. */
async function paid(figure: string, lived: number): Promise<Record<string, Shown>> {
  const { payouts } = await api(`/psp/payouts?${MARCH}`);
  const command = JSON.parse(await said(settlementCommands, 'payouts', '--json'));
  return {
    'as it was lived': nok(lived),
    'GET /psp/payouts': of(payouts.payoutList, figure),
    'days of GET /psp/payouts': of(payouts.days, figure),
    'kontor settlements payouts': of(command.payouts, figure),
    'days of kontor settlements payouts': of(command.days, figure),
    'kontor settlements payouts --format csv': column(
      linesOf(await said(settlementCommands, 'payouts', '--format', 'csv')),
      figure,
    ),
    'payouts.csv': column(await table(`payouts.csv?${MARCH}`), figure),
  };
}

async function figures() {
  const balance = async (query: string) => (await api(`/psp/trial-balance?${query}`)).trialBalance;
  const march = await balance(MARCH);
  const february = await balance('from=2026-02-01&to=2026-02-28');
  const command = JSON.parse(await said([trialBalance], 'trial-balance', '--json'));
  const csv = linesOf(await said([trialBalance], 'trial-balance', '--format', 'csv'));
  const ofIssuer = (name: string) =>
    column(
      csv.filter(({ side, line }) => side === 'Issuer' && line === 'Line'),
      name,
    );
  const { payouts } = await api(`/psp/payouts?${MARCH}`);
  const ofCommand = JSON.parse(await said(settlementCommands, 'payouts', '--json'));
  const { sales } = { sales: (await api(`/psp/sales?${MARCH}&by=means`)).salesReport.lines as readonly Sums[] };
  const days = JSON.parse(await said(settlementCommands, 'business-days', '--json'));
  const shownDays = (await anna.get(`/portal/api/payees/${kontor.payeeId}/business-days?${MARCH}`)).body;
  const daysTable = await table(`business-days.csv?${MARCH}`);
  return {
    'owed at the beginning': {
      'as it was lived': nok(-70_000),
      'closing of February': issuer(february.lines, 'closing'),
      'GET /psp/trial-balance': issuer(march.lines, 'opening'),
      'kontor ledger trial-balance': issuer(command.lines, 'opening'),
      'kontor ledger trial-balance --format csv': ofIssuer('opening'),
    },
    'owed at the end': {
      'as it was lived': nok(-33_300),
      'GET /psp/trial-balance': issuer(march.lines, 'closing'),
      'kontor ledger trial-balance': issuer(command.lines, 'closing'),
      'kontor ledger trial-balance --format csv': ofIssuer('closing'),
      'missing of settlements.csv': sum(await table('settlements.csv'), (row) => -minor(row['missing'], row.currency)),
      'OpenItems of the trial balance': of(
        march.ties.filter(({ what }: { what: string }) => what === 'OpenItems'),
        'counted',
      ),
    },
    gross: await paid('gross', 70_000 + 25_000 + 90_000 + 44_000 + 12_500 - 4_000 + 30_000),
    fees: await paid('fees', -700 - 250 - 900 - 440 - 125 - 300 - 4_900),
    chargebacks: await paid('chargebacks', -90_000),
    reserves: await paid('reserves', -15_000),
    net: await paid('net', 267_500 - 7_615 - 90_000 - 15_000),
    'held in reserve': {
      'as it was lived': nok(15_000),
      'GET /psp/payouts': of(payouts.reserves, 'held'),
      'kontor settlements payouts': of(ofCommand.reserves, 'held'),
    },
    'fees of the sales of March': {
      'as it was lived': nok(-250 - 900 - 440 - 125 - 300),
      'GET /psp/sales': of(sales, 'fees'),
      'CSV of each day': sum(
        (await Promise.all(['2026-02-28', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-31'].map(items))).flat(),
        ({ fee, currency }) => minor(fee, currency),
      ),
    },
    'of the business day before': {
      'as it was lived': nok(25_000),
      'kontor settlements business-days': of(days.totals, 'calendarDayAlone'),
      'business days of the portal': of(shownDays.totals, 'calendarDayAlone'),
      'business-days.csv': column(
        daysTable.filter(({ line }) => line === 'CalendarDayAlone'),
        'net',
      ),
    },
  };
}

const items = async (day: string) =>
  linesOf(await runSettlements(kontor, settlementCommands, ['export', '--day', day]));

/** What disputes have taken by now, by each place. */
async function taken() {
  const listed = JSON.parse(await runSettlements(kontor, disputeCommands, ['list', '--json']));
  const { disputes } = await api('/psp/disputes');
  const [booked] = await kontor.database.asAdmin(`
    select coalesce(sum(e.amount), 0)::int as amount from movement m join entry e using (payee_id, movement_id)
    where m.payee_id = '${kontor.payeeId}' and m.kind = 'Dispute' and e.side = 'Issuer'`);
  return {
    'kontor disputes list': of(listed, 'taken'),
    'GET /psp/disputes': of(disputes.disputeList, 'taken'),
    'disputes.csv': column(await table('disputes.csv'), 'taken'),
    ledger: nok(Number(booked?.['amount'])),
  };
}

test('a month after another one begins with what that one left, and says the same wherever it is shown', async () => {
  const shown = await figures();
  expect(differing({ ...shown, 'taken by disputes': { 'as it was lived': nok(90_000), ...(await taken()) } })).toEqual(
    [],
  );
});

test('a sale that is given back in April leaves March as it is', async () => {
  const before = await figures();
  const balance = async () => (await api(`/psp/trial-balance?${MARCH}`)).trialBalance.lines;
  const linesBefore = await balance();
  const { disputes } = await api('/psp/disputes?state=Open');
  const { disputeId } = disputes.disputeList[0];
  const { payeeId } = kontor;
  await kontor.database.transact((one) =>
    changeDispute(one, { payeeId, disputeId, step: 'represent', actor: COMMAND_LINE }),
  );
  expect(differing({ taken: { 'as it was lived': nok(90_000), ...(await taken()) } })).toEqual([]);
  await bring('A1', '2026-04-02', [givenBack(contested, 'C1')]);
  expect(differing({ taken: { 'as it was lived': {}, ...(await taken()) } })).toEqual([]);
  expect(await figures()).toEqual(before);
  expect(await balance()).toEqual(linesBefore);
  const april = (await api('/psp/payouts?from=2026-04-01&to=2026-04-30')).payouts.payoutList;
  expect(of(april, 'chargebacks')).toEqual(nok(90_000));
});
