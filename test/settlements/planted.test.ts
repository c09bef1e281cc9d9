import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE } from '../../src/kit/caller.ts';
import { expandUuid, type PayeeId } from '../../src/kit/ids.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { composeSettlements } from '../../src/settlements/compose.ts';
import { closeDay, searchDays } from '../../src/settlements/days/close-day.ts';
import { reconcileDays } from '../../src/settlements/days/reconcile-days.flow.ts';
import { selectSettlements } from '../../src/settlements/days/shown-days.store.ts';
import { takeDue } from '../../src/settlements/days/tell-totals.ts';
import { selectDifferences } from '../../src/settlements/differences.store.ts';
import { selectDisputes } from '../../src/settlements/disputes/disputes.store.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { acquirerBench } from '../support/issuer/acquirer-bench.ts';
import { composed } from '../support/issuer/iso8583-messages.ts';
import { agreementOf, charge, findOpenDays, importText, NORTH, settling } from '../support/settlements.ts';

const bench = acquirerBench();
let database: TestDatabase;
let payeeId: PayeeId;

beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
});
afterAll(() => database.drop());

const transact: TestDatabase['transact'] = (work) => database.transact(work);
const PLANTED = [900370, 900371, 900372, 900373, 900374];
/** What is charged without a difference, and given back of it. */
const GOOD = [12_500, 300, 25_000];
const GIVEN_BACK = 4_000;

/** Charges at the acquirer, over its socket, and stores what the service would have stored. */
async function sell(amount: number) {
  const sent = composed('Purchase', amount);
  await bench.ask(sent);
  const attemptId = expandUuid(sent.attemptId) ?? '';
  const sold = await charge(database, payeeId, {
    amount,
    names: { attemptId, retrievalReference: sent.retrievalReference },
  });
  return { sent, sold };
}

test('a day with all planted differences: each is found once, and nothing else; the books sum', async () => {
  const settlementDirectory = join(bench.folder, 'settlement');
  await bench.start({ settlementDirectory });
  const context = settling([agreementOf(payeeId)], bench.link);
  for (const amount of [...GOOD, ...PLANTED]) {
    const { sent, sold } = await sell(amount);
    if (amount !== 12_500) continue;
    const back = composed('Reversal', GIVEN_BACK, { of: sent });
    await bench.ask(back);
    await charge(database, payeeId, {
      amount: GIVEN_BACK,
      type: 'Refund',
      of: sold,
      names: { attemptId: expandUuid(back.attemptId) ?? '', retrievalReference: sent.retrievalReference },
    });
  }
  const day = bench.host.acquirer.books.bookings()[0]?.day ?? '';
  const isoDay = `20${day.slice(0, 2)}-${day.slice(2, 4)}-${day.slice(4)}`;
  await database.asAdmin(`update acquirer_exchange set business_day = '${isoDay}' where payee_id = '${payeeId}'`);

  const close = async (of: string) => {
    const asked = { to: of, isOne: true };
    const open = await transact((transaction) => findOpenDays(transaction, context, NORTH, asked));
    for (const one of open) {
      await transact((transaction) =>
        closeDay(transaction, context, { open: one, isReconciled: true, actor: SERVICE }),
      );
    }
  };
  await close(isoDay);
  await reconcileDays({ transact, context }, await transact((transaction) => takeDue(transaction)));
  const files = () =>
    readdirSync(settlementDirectory)
      .sort()
      .map((name) => readFileSync(join(settlementDirectory, name), 'utf8'));
  const [first = ''] = files();
  const settled = await importText(transact, context, first);
  // All but the one that is missing, the one of another amount: with the refund.
  expect(settled).toMatchObject({ matched: GOOD.length + 1 + 3, differences: 2, disputes: 0, refused: [] });
  expect(await importText(transact, context, first)).toMatchObject({ isKnown: true, matched: 0, differences: 0 });

  // The chargeback is in the file after.
  const chargeback = chargebackOf(first, 900373);
  expect(await importText(transact, context, chargeback)).toMatchObject({ disputes: 1, differences: 0, refused: [] });

  await database.asAdmin(`update settlement_day set closed_at = closed_at - interval '3 days'`);
  await transact(searchDays);
  const found = await selectDifferences(database.read, { payeeId, onlyOpen: true, settlementId: undefined, most: 100 });
  expect(found.map(({ kind, ours, theirs }) => [kind, ours, theirs]).toSorted()).toEqual([
    ['amountDiffers', 900371, 900372],
    ['missingAtAcquirer', 900370, null],
    ['totalsDiffer', expect.any(Number), expect.any(Number)],
    ['twice', 900372, 900372],
  ]);
  const disputes = await selectDisputes(database.read, { payeeId, state: undefined, after: undefined, limit: 10 });
  expect(disputes).toMatchObject([{ amount: 900373, state: 'Open', stage: 'Chargeback', category: 'Fraud' }]);
  const [closed] = await selectSettlements(database.read, { payeeId, day: isoDay, after: undefined, limit: 10 });
  const sales = [...GOOD, ...PLANTED].reduce((sum, amount) => sum + amount, 0);
  expect(closed).toMatchObject({
    state: 'Different',
    salesNumber: GOOD.length + PLANTED.length,
    salesAmount: sales,
    refundsAmount: GIVEN_BACK,
    net: sales - GIVEN_BACK,
    // The test acquirer counts one more than we and it have booked.
    acquirerTotals: { salesAmount: sales + 1, refundsAmount: GIVEN_BACK },
    openDifferences: 4,
  });
  // What is owed still is what was not settled.
  const [row] = await database.asAdmin(
    `select -sum(amount)::int as owed from entry where payee_id = '${payeeId}' and side = 'Issuer'`,
  );
  expect(row?.['owed']).toBe(900370 + 900371);
  const { invariants } = composeSettlements({ ...context, database });
  const { findings } = await verifyLedger(database.reports, invariants);
  expect(findings.filter(({ badRow }) => badRow !== undefined)).toEqual([]);
});

/** What the acquirer writes into its next file, made of the line of the sale. */
function chargebackOf(file: string, amount: number): string {
  const [header = '', ...lines] = file.trim().split('\r\n');
  const columns = header.split(',');
  const at = (name: string) => columns.indexOf(name);
  const sale = lines.map((line) => line.split(',')).find((cells) => cells[at('grossAmount')] === String(amount)) ?? [];
  const write = (cells: Readonly<Record<string, string>>) =>
    columns.map((column, index) => cells[column] ?? sale[index] ?? '').join(',');
  const gross = String(-amount);
  const common = { batchId: 'next', feeAmount: '0', interchangeAmount: '', schemeFeeAmount: '', netAmount: gross };
  return `${[
    header,
    write({ ...common, lineId: '1', type: 'Chargeback', grossAmount: gross, reasonCode: '10.4', caseId: 'C1' }),
    write({ ...common, lineId: '2', type: 'Payout', grossAmount: '0' }),
  ].join('\r\n')}\r\n`;
}
