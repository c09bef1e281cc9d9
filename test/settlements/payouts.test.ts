import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE, nameOfActor } from '../../src/kit/caller.ts';
import { selectDifferences } from '../../src/settlements/differences.store.ts';
import { withdrawBatch } from '../../src/settlements/files/withdraw-batch.ts';
import { settlementCommands } from '../../src/settlements/settlements.cli.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { runSettlements } from '../support/run-command.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import {
  agreementOf,
  type Cells,
  charge,
  fileOf,
  importText,
  lineFor,
  MERCHANT_ID,
  numberOf,
  settling,
} from '../support/settlements.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';

let kontor: TestService;
let context: SettlementContext;
let anna: Browser;
let here: string;
const PERIOD = 'from=2026-03-01&to=2026-03-31';
const payouts = async (query = PERIOD) => (await kontor.send('GET', `/psp/payouts?${query}`)).body.payouts;
const transact: TestService['database']['transact'] = (work) => kontor.database.transact(work);
const bring = (batchId: string, lines: readonly Cells[], valueDate = '2026-03-11') =>
  importText(transact, context, fileOf(batchId, lines, { valueDate }));

beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  context = settling([agreementOf(kontor.payeeId)]);
  here = `/portal/api/payees/${kontor.payeeId}`;
  anna = await signedInAs(kontor, 'finance');
  const { database, payeeId } = kontor;
  const sold = await charge(database, payeeId, { amount: 12_500 });
  const refunded = await charge(database, payeeId, { amount: 500, type: 'Refund', of: sold });
  await bring('P1', [lineFor(sold, { feeAmount: -125 }), lineFor(refunded), { type: 'Sale', grossAmount: 700 }]);
  // None of our sales: a chargeback, a fee, an adjustment.
  await bring(
    'P2',
    [
      lineFor(sold, { type: 'Chargeback', grossAmount: -900, caseId: 'P' }),
      { type: 'Fee', grossAmount: -250 },
      { type: 'Adjustment', grossAmount: 40 },
    ],
    '2026-03-11',
  );
  await bring('P3', [{ type: 'Fee', grossAmount: 0, feeAmount: 30 }], '2026-03-12');
  await bring('P4', [{ type: 'Fee', grossAmount: 0, feeAmount: -10 }], '2026-04-01');
  await bring('P5', [{ type: 'Fee', grossAmount: 0, feeAmount: -99 }], '2026-03-12');
  const number = await numberOf(database, payeeId, 'P5');
  const command = { payeeId, number, reason: 'wrong', actor: COMMAND_LINE };
  await transact((one) => withdrawBatch(one, context, { ...command, now: new Date().toISOString() }));
});
afterAll(() => kontor.stop());

/** What `kontor settlements …` prints. */
async function run(...words: string[]): Promise<string> {
  return runSettlements(kontor, settlementCommands, [...words, '--payee', kontor.payeeId]);
}

test('each batch of a period is listed, whether it has a sale of ours or not, and comes to what it pays', async () => {
  const { payoutList, days, hasMore } = await payouts();
  expect(hasMore).toBe(false);
  expect(payoutList).toMatchObject([
    { batch: 'P5', state: 'Withdrawn', fees: -99, net: -99, withdrawnBecause: 'wrong' },
    { batch: 'P3', valueDate: '2026-03-12', gross: 0, fees: 30, net: 30 },
    { batch: 'P2', gross: 0, fees: -250, chargebacks: -900, adjustments: 40, net: -1_110, unmatchedLines: 1 },
    { batch: 'P1', gross: 12_700, fees: -125, otherFees: -125, chargebacks: 0, net: 12_575, unmatchedLines: 1 },
  ]);
  for (const {
    gross,
    fees,
    chargebacks,
    adjustments,
    reserves,
    net,
    interchange,
    schemeFees,
    otherFees,
  } of payoutList) {
    expect(gross + fees + chargebacks + adjustments + reserves).toBe(net);
    expect(interchange + schemeFees + otherFees).toBe(fees);
  }
  // What was withdrawn is paid on no day.
  expect(days).toMatchObject([
    { day: '2026-03-12', currency: 'NOK', payouts: 1, seen: 0, fees: 30, net: 30 },
    { day: '2026-03-11', payouts: 2, gross: 12_700, fees: -375, chargebacks: -900, adjustments: 40, net: 11_465 },
  ]);
});

test('a page leads to the next one, and a period is two days in their order', async () => {
  const first = await kontor.send('GET', `/psp/payouts?${PERIOD}&limit=3`);
  const [next] = first.body.operations;
  const second = await kontor.send('GET', next.href.replace(kontor.baseUrl, ''));
  expect(second.body.payouts.payoutList).toMatchObject([{ batch: 'P1' }]);
  expect((await payouts('from=2026-03-12')).payoutList).toHaveLength(3);
  for (const query of ['from=2026-02-30&to=2026-03-01', 'from=2026-03-02&to=2026-03-01']) {
    expect((await kontor.send('GET', `/psp/payouts?${query}`)).status, query).toBe(400);
  }
});

test('a person marks what stands on the statement, and the audit trail has who', async () => {
  const mark = async (name: string, isSeen: boolean) => {
    const number = await numberOf(kontor.database, kontor.payeeId, name);
    return anna.post(`${here}/seen-payouts`, { number, isSeen });
  };
  expect((await mark('P1', true)).status).toBe(200);
  await mark('P1', true);
  const { payoutList, days } = await payouts('from=2026-03-11&to=2026-03-11');
  expect(payoutList).toMatchObject([
    { batch: 'P2', state: 'Paid' },
    { batch: 'P1', state: 'Seen' },
  ]);
  expect(days).toMatchObject([{ payouts: 2, seen: 1 }]);
  expect(await run('seen', 'P1', '--not')).toBe('It is no longer noted as seen.');
  expect((await payouts('from=2026-03-11&to=2026-03-11')).payoutList[1].state).toBe('Paid');
  expect((await mark('P5', true)).status).toBe(404);
  const audited = await kontor.database.asAdmin(`
    select concat_ws(':', actor_kind, actor_id) as actor, details from audit where action = 'mark-payout' and object_id = 'P1' order by audit_id`);
  expect(audited).toEqual([
    { actor: expect.stringMatching(/^portal-user:/), details: { state: 'Seen', address: '127.0.0.1' } },
    { actor: nameOfActor(COMMAND_LINE), details: { state: 'NotSeen' } },
  ]);
});

test('the command, its JSON and both tables say the same', async () => {
  const period = ['--from', '2026-03-01', '--to', '2026-03-31'];
  const said = await run('payouts', ...period);
  expect(said).toMatch(
    /2026-03-11 +P1 +north +\d+ +127\.00 NOK +-1\.25 NOK +0\.00 NOK +0\.00 NOK +0\.00 NOK +125\.75 NOK +1/,
  );
  expect(said).toMatch(
    /2026-03-11 +2 +127\.00 NOK +-3\.75 NOK +-9\.00 NOK +0\.40 NOK +0\.00 NOK +114\.65 NOK +2 +0 of 2/,
  );
  expect(said).toMatch(/P5 .*withdrawn: wrong/);
  const { payouts: listed, days } = JSON.parse(await run('payouts', ...period, '--json'));
  expect([listed.length, days.length]).toEqual([4, 2]);
  const table = await run('payouts', ...period, '--format', 'csv');
  expect(table).toMatch(/2026-03-11,P1,north,NOK,127\.00,0\.00,0\.00,-1\.25,-1\.25,0\.00,0\.00,0\.00,125\.75,1,/);
  const downloaded = (await anna.get(`${here}/payouts.csv?${PERIOD}`)).text;
  expect(downloaded.trim().split(/\r?\n/)).toEqual(table.split(/\r?\n/));
  await expect(run('payouts', '--from', '2026-03-02', '--to', '2026-03-01')).rejects.toThrow(
    '--from must not be after',
  );
});

test('a fee above 0 is a difference of its own, and the amount of a line about a fee is a fee', async () => {
  const asked = { payeeId: kontor.payeeId, onlyOpen: true, settlementId: undefined, most: 100 };
  const found = await selectDifferences(kontor.database.read, asked);
  expect(found.filter(({ kind }) => kind === 'feeAboveZero')).toMatchObject([{ batch: 'P3', lineId: '1', theirs: 30 }]);
  const rows = await kontor.database.asAdmin(`
    select settlement_line.gross::int, settlement_line.fee::int from settlement_line join settlement_batch using (payee_id, acquirer, batch_id) where name = 'P2' and type = 'Fee'`);
  expect(rows).toEqual([{ gross: 0, fee: -250 }]);
});

test('what is held back and released is no difference and no sale: it is held until it is released', async () => {
  const before = await run('differences', '--open', '--json');
  await bring('R1', [{ type: 'Reserve', grossAmount: -1_000 }], '2026-05-02');
  await bring('R2', [{ type: 'Reserve', grossAmount: -500 }], '2026-05-09');
  await bring('R3', [{ type: 'Reserve', grossAmount: 1_000 }], '2026-05-31');
  const may = await payouts('from=2026-05-01&to=2026-05-15');
  expect(may.payoutList).toMatchObject([
    { batch: 'R2', gross: 0, adjustments: 0, reserves: -500, net: -500, unmatchedLines: 0 },
    { batch: 'R1', reserves: -1_000, net: -1_000 },
  ]);
  expect(may.reserves).toEqual([{ acquirer: 'north', merchantId: MERCHANT_ID, currency: 'NOK', held: 1_500 }]);
  expect((await payouts('from=2026-05-01&to=2026-05-31')).reserves).toMatchObject([{ held: 500 }]);
  expect((await payouts()).reserves).toEqual([]);
  const period = ['--from', '2026-05-01', '--to', '2026-05-31'];
  expect(await run('payouts', ...period)).toMatch(/north +\d+ +5\.00 NOK/);
  const quiet = await run('payouts', '--from', '2026-06-29', '--to', '2026-06-30');
  expect(quiet).toMatch(/^Nothing is paid on these days\.\n[\s\S]*north +\d+ +5\.00 NOK/);
  expect((await anna.get(`${here}/payouts.csv?from=2026-05-01&to=2026-05-31`)).text).toMatch(/,R3,.*,10\.00,10\.00,0,/);
  expect(await run('differences', '--open', '--json')).toBe(before);
  const { database, payeeId } = kontor;
  const number = await numberOf(database, payeeId, 'R3');
  const command = { payeeId, number, reason: 'wrong', actor: COMMAND_LINE };
  await transact((one) => withdrawBatch(one, context, { ...command, now: new Date().toISOString() }));
  expect((await payouts('from=2026-05-01&to=2026-05-31')).reserves).toMatchObject([{ held: 1_500 }]);
  const broken = await kontor.database.asAdmin(
    `select count(*)::int as lines from settlement_line where type = 'Reserve' and booked_by is not null`,
  );
  expect(broken).toEqual([{ lines: 0 }]);
});
