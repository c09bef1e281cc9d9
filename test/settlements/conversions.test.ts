import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { COMMAND_LINE, SERVICE } from '../../src/kit/caller.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { composeSettlements } from '../../src/settlements/compose.ts';
import { closeDay } from '../../src/settlements/days/close-day.ts';
import { exportDay } from '../../src/settlements/days/export-day.ts';
import { selectDifferences } from '../../src/settlements/differences.store.ts';
import { withdrawBatch } from '../../src/settlements/files/withdraw-batch.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import {
  agreementOf,
  type Cells,
  type Charged,
  charge,
  fileOf,
  findOpenDays,
  importText,
  lineFor,
  NORTH,
  numberOf,
  settling,
} from '../support/settlements.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';

const DAY = '2026-03-09';
const MARCH = 'from=2026-03-01&to=2026-03-31';
let kontor: TestService;
let context: SettlementContext;
let anna: Browser;

beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  context = settling([{ ...agreementOf(kontor.payeeId), currencies: ['NOK', 'EUR'] }]);
  anna = await signedInAs(kontor, 'finance');
});
afterAll(() => kontor.stop());

const transact: TestService['database']['transact'] = (work) => kontor.database.transact(work);
const bring = (name: string, lines: readonly Cells[]) =>
  importText(transact, context, fileOf(name, lines), { ...NORTH, now: new Date('2026-03-11T08:00:00Z') });
const THEN = { day: DAY, at: `${DAY}T10:00:00Z` };
const sell = (amount: number, when: { readonly day?: string; readonly at?: string } = {}, currency = 'EUR') =>
  charge(kontor.database, kontor.payeeId, { amount, currency, ...when });
/** A line that pays in NOK what is in EUR. */
const paid = (sold: Charged, grossAmount: number, more: Cells = {}) =>
  lineFor(sold, { grossAmount, transactionCurrency: 'EUR', transactionAmount: sold.amount, ...more });
const withdraw = async (name: string) => {
  const number = await numberOf(kontor.database, kontor.payeeId, name);
  const command = { payeeId: kontor.payeeId, number, reason: 'wrong', actor: COMMAND_LINE };
  return transact((one) => withdrawBatch(one, context, { ...command, now: new Date().toISOString() }));
};
/** What each side has, by currency. */
const sides = async () => {
  const rows = await kontor.database.asAdmin(`
    select side || ' ' || currency as name, sum(amount)::int as amount from entry
    where payee_id = '${kontor.payeeId}' and side in ('Issuer', 'Clearing', 'Conversion') group by 1 having sum(amount) <> 0`);
  return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]));
};
const broken = async () => {
  const { invariants } = composeSettlements({ ...context, database: kontor.database });
  const { findings } = await verifyLedger(kontor.database.reports, invariants);
  return findings.flatMap(({ holds, badRow }) => (badRow === undefined ? [] : [`${holds} ${JSON.stringify(badRow)}`]));
};
const differences = async () => {
  const asked = { payeeId: kontor.payeeId, onlyOpen: true, settlementId: undefined, most: 100 };
  return selectDifferences(kontor.database.read, asked);
};
const ties = async () => {
  const { body } = await kontor.send('GET', `/psp/trial-balance?${MARCH}`);
  return body.trialBalance.ties.filter(({ difference }: { difference: number }) => difference !== 0);
};
const disputed = async ({ paymentId }: Charged) => {
  const [row] = await kontor.database.asAdmin(`
    select p.disputed::int as blocked, d.taken::int as taken, d.amount::int as amount, d.currency, d.state
    from card_payment p left join dispute d using (payee_id, payment_id) where payment_id = '${paymentId}'`);
  return row;
};

test('a sale in one currency is paid in another, and the difference stands on a side of its own in both', async () => {
  const [sold, other] = [await sell(10_000, THEN), await sell(3_000, THEN)];
  const back = await charge(kontor.database, kontor.payeeId, {
    amount: 2_000,
    currency: 'EUR',
    type: 'Refund',
    ...THEN,
    of: sold,
  });
  const here = await sell(500, THEN, 'NOK');
  expect(await sides()).toEqual({
    'Issuer EUR': -11_000,
    'Clearing EUR': 11_000,
    'Issuer NOK': -500,
    'Clearing NOK': 500,
  });
  const found = await bring('C1', [
    paid(sold, 115_000, { feeAmount: -1_500, exchangeRate: '11.5' }),
    // By its content: the payment's reference, with the currency and amount of the transaction.
    paid(other, 34_600, { attemptReference: '', acquirerReference: '', exchangeRate: '"11,5333"' }),
    paid(back, -23_100),
    lineFor(here, { transactionCurrency: 'NOK', transactionAmount: 500, exchangeRate: '1' }),
    { type: 'Fee', feeAmount: -40, grossAmount: 0, transactionCurrency: 'EUR', transactionAmount: -4 },
  ]);
  expect(found).toMatchObject({ matched: 4, differences: 0, refused: [] });
  expect(await sides()).toEqual({
    'Conversion EUR': -11_000,
    'Clearing EUR': 11_000,
    'Conversion NOK': 126_500,
    'Clearing NOK': -126_500,
  });
  expect([await broken(), await ties()]).toEqual([[], []]);
  const { trialBalance } = (await kontor.send('GET', `/psp/trial-balance?${MARCH}`)).body;
  expect(trialBalance.lines).toContainEqual(
    expect.objectContaining({ side: 'Conversion', currency: 'NOK', agreement: 'demo-nok', closing: 126_500 }),
  );
  for (const { opening, closing } of trialBalance.totals) expect([opening, closing]).toEqual([0, 0]);
});

test('payouts, the table of the day and the sales show both amounts', async () => {
  const asked = { to: DAY, isOne: true };
  for (const open of await transact((one) => findOpenDays(one, context, NORTH, asked))) {
    await transact((one) => closeDay(one, context, { open, isReconciled: false, actor: SERVICE }));
  }
  const { payoutList } = (await kontor.send('GET', '/psp/payouts?from=2026-03-01&to=2026-03-31')).body.payouts;
  expect(payoutList).toMatchObject([
    { batch: 'C1', gross: 127_000, currency: 'NOK', converted: [{ currency: 'EUR', amount: 11_000, paid: 126_500 }] },
  ]);
  const here = `/portal/api/payees/${kontor.payeeId}`;
  const table = (await anna.get(`${here}/payouts.csv?from=2026-03-01&to=2026-03-31`)).text;
  expect(table).toMatch(/,110\.00 EUR as 1265\.00 NOK\r?\n/);
  let items = '';
  for await (const text of exportDay(kontor.database.read, kontor.payeeId, DAY)) items += text;
  expect(items).toMatch(/,EUR,100\.00,.*,C1,1,,-15\.00,1135\.00,.*,NOK,1150\.00,11\.5\r?\n/);
  expect(items).toMatch(/,EUR,30\.00,.*,NOK,346\.00,11\.5333\r?\n/);
  expect(items).toMatch(/,NOK,5\.00,.*,NOK,5\.00,\r?\n/);
  const { lines } = (await kontor.send('GET', `/psp/sales?${MARCH}&by=means`)).body.salesReport;
  expect(lines).toMatchObject([
    { currency: 'EUR', sales: 2, salesAmount: 13_000, refundsAmount: 2_000, net: 11_000, fees: 0 },
    { currency: 'NOK', sales: 1, salesAmount: 500, net: 500, fees: -1_500 },
  ]);
  const days = (await kontor.send('GET', `/psp/settlements?day=${DAY}`)).body.settlements.settlementList;
  const euro = days.find(({ currency }: { currency: string }) => currency === 'EUR');
  expect(euro).toMatchObject({ totals: { net: 11_000 }, settled: { amount: 11_000 } });
  const { settlement } = (await kontor.send('GET', euro.id)).body;
  expect(settlement.payouts).toMatchObject([{ batch: 'C1', gross: 127_000, currency: 'NOK' }]);
});

test('another amount of the transaction is a difference in its currency, which an adjustment of that currency cures', async () => {
  const before = await sides();
  const sold = await sell(8_000);
  const owed = await sides();
  expect(await bring('C2', [paid(sold, 92_000, { transactionAmount: 7_900 })])).toMatchObject({ matched: 0 });
  expect(await differences()).toMatchObject([
    { kind: 'amountDiffers', currency: 'EUR', ours: 8_000, theirs: 7_900, theirCurrency: null },
  ]);
  // In the payout's currency alone it says nothing of the sale.
  await bring('C3', [lineFor(sold, { type: 'Adjustment', grossAmount: 100 })]);
  expect((await differences()).map(({ kind }) => kind)).toEqual(['amountDiffers', 'unknownToUs']);
  await bring('C4', [paid(sold, 1_150, { type: 'Adjustment', transactionAmount: 100 })]);
  expect((await differences()).map(({ kind }) => kind)).toEqual(['unknownToUs']);
  expect(await sides()).toEqual({
    'Conversion EUR': (before['Conversion EUR'] as number) - 8_000,
    'Clearing EUR': owed['Clearing EUR'],
    'Conversion NOK': (before['Conversion NOK'] as number) + 93_150,
    'Clearing NOK': (before['Clearing NOK'] as number) - 93_150,
  });
  expect([await broken(), await ties()]).toEqual([[], []]);
  for (const name of ['C4', 'C3', 'C2']) expect(await withdraw(name), name).toBe(true);
  expect(await sides()).toEqual(owed);
  expect([await differences(), await broken(), await ties()]).toEqual([[], [], []]);
  // In the sale's own currency it is settled as ever.
  await importText(transact, context, fileOf('C5', [lineFor(sold, { currency: 'EUR' })], { currency: 'EUR' }));
  expect((await sides())['Issuer EUR']).toBeUndefined();
});

test('a chargeback takes of the sale what it says in its currency, and its reversal gives that back at another rate', async () => {
  const sold = await sell(6_000);
  await bring('D1', [paid(sold, 69_000)]);
  const before = await sides();
  const charged = (more: Cells) =>
    paid(sold, -35_000, { type: 'Chargeback', caseId: 'D', transactionAmount: -3_000, ...more });
  expect(await bring('D2', [charged({}), charged({ caseId: 'E', transactionAmount: -3_100 })])).toMatchObject({
    disputes: 1,
  });
  expect((await differences()).map(({ kind, theirs, currency }) => [kind, theirs, currency])).toEqual([
    ['amountDiffers', -3_100, 'EUR'],
  ]);
  expect(await disputed(sold)).toMatchObject({ blocked: 6_000, currency: 'EUR' });
  expect(await sides()).toEqual({
    ...before,
    'Conversion EUR': (before['Conversion EUR'] as number) + 3_000,
    'Clearing EUR': (before['Clearing EUR'] as number) - 3_000,
    'Conversion NOK': (before['Conversion NOK'] as number) - 35_000,
    'Clearing NOK': (before['Clearing NOK'] as number) + 35_000,
  });
  expect([await broken(), await ties()]).toEqual([[], []]);
  await withdraw('D2');
  expect([await sides(), await broken()]).toEqual([before, []]);
  await bring('D3', [charged({ caseId: 'F' })]);
  await bring('D4', [
    charged({ type: 'ChargebackReversal', caseId: 'F', grossAmount: 34_000, transactionAmount: 3_000 }),
  ]);
  const [row] = await kontor.database.asAdmin(`select taken::int, state from dispute where case_id = 'F'`);
  expect(row).toEqual({ taken: 0, state: 'Won' });
  // What the rates have cost.
  expect((await sides())['Clearing NOK']).toBe((before['Clearing NOK'] as number) + 1_000);
  expect([await broken(), await ties()]).toEqual([[], []]);
});

test.each<[string, Cells, string, string]>([
  ['an amount without its currency', { transactionAmount: 100 }, 'transactionCurrency', 'currencyMissing'],
  ['a currency without an amount', { transactionCurrency: 'EUR' }, 'transactionAmount', 'noAmount'],
  ['no currency', { transactionCurrency: 'EURO', transactionAmount: 100 }, 'transactionCurrency', 'unknownCurrency'],
  ['another sign', { transactionCurrency: 'EUR', transactionAmount: -100 }, 'transactionAmount', 'signDiffers'],
  [
    'another amount in the same currency',
    { transactionCurrency: 'NOK', transactionAmount: 999 },
    'transactionAmount',
    'sameCurrencyDiffers',
  ],
  ['no rate', { transactionCurrency: 'EUR', transactionAmount: 100, exchangeRate: '-1' }, 'exchangeRate', 'noRate'],
  [
    'a rate of nothing',
    { transactionCurrency: 'EUR', transactionAmount: 100, exchangeRate: '0.00' },
    'exchangeRate',
    'noRate',
  ],
])('%s refuses the batch', async (_, cells, column, code) => {
  const found = await bring('R1', [{ type: 'Sale', grossAmount: 1_000, ...cells }]);
  expect(found).toMatchObject({ batches: 0, refused: [{ reason: { code, column, line: 2 } }] });
});

test.each<[string, string, string]>([
  [
    'a conversion that the batch does not name',
    `update settlement_batch set conversion_ids = '{}' where name = 'C1'`,
    'Each batch has converted',
  ],
  [
    'another amount of the transaction',
    `update settlement_line set transaction_amount = transaction_amount + 1 where transaction_amount = 10000`,
    'The side Conversion has',
  ],
  [
    'another amount of the payout',
    `update settlement_line set gross = gross + 1 where transaction_amount = 10000`,
    'Each batch has converted',
  ],
  [
    'the same currency twice',
    `update settlement_line set transaction_currency = currency where transaction_amount = 10000`,
    'A line says its amount in another currency',
  ],
  [
    'another sign',
    `update settlement_line set transaction_amount = -transaction_amount where transaction_amount = 10000`,
    'A line says its amount in another currency',
  ],
])('%s is found', async (_, sql, holds) => {
  expect(await broken()).toEqual([]);
  onTestFinished(async () => {
    await kontor.database.asAdmin(`
      update settlement_line l
      set gross = k.gross, transaction_amount = k.transaction_amount, transaction_currency = k.transaction_currency
      from kept_line k
      where (k.payee_id, k.acquirer, k.batch_id, k.line_id) = (l.payee_id, l.acquirer, l.batch_id, l.line_id);
      update settlement_batch b set conversion_ids = k.conversion_ids from kept_batch k where k.number = b.number;
      alter table settlement_line add constraint line_gross_and_fee_are_net check (gross + fee = net or type = 'Payout');
      drop table kept_line; drop table kept_batch`);
  });
  await kontor.database.asAdmin(`
    create table kept_line as select * from settlement_line; create table kept_batch as select * from settlement_batch;
    alter table settlement_line drop constraint line_gross_and_fee_are_net; ${sql};`);
  expect(await broken()).toEqual(expect.arrayContaining([expect.stringContaining(holds)]));
});
