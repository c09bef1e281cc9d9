import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { showStatistics } from '../../src/portal/home/show-statistics.ts';
import type { CurrencyNumbers, Statistics } from '../../src/portal/home/statistics.types.ts';
import { listMovements } from '../../src/portal/ledger/browse-ledger.ts';
import { exportMovements } from '../../src/portal/ledger/export-ledger.ts';
import type { Figure } from '../../src/portal/ledger/ledger.types.ts';
import { searchOrders } from '../../src/portal/orders/search-orders.ts';
import { exportPayments } from '../../src/portal/payments/export-payments.ts';
import { countSearched, searchPayments } from '../../src/portal/payments/search-payments.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { MonthRows } from './month-rows.ts';

// Each figure of the portal's first screen beside the list that it leads to, its file and the ledger, over a month in which
// clocks change. Rows reach beyond both of its ends: what was captured in it is of payments before, and refunds come after.

const SEED = 20_261_001;
/** October where the payee is: clocks go back on the 25th. */
const PERIOD = { from: '2026-09-30T22:00:00.000Z', to: '2026-10-31T23:00:00.000Z' };
const ASKED = { days: '31', to: '2026-10-31' };
const OUTCOMES = [
  ['paid', 'Succeeded'],
  ['declined', 'Declined'],
] as const;
const FIGURES: readonly Figure[] = ['volume', 'spent', 'sold'];

let database: TestDatabase;
let payeeId: PayeeId;
let made: MonthRows;
let shown: Statistics;
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
  await database.asAdmin(`update payee set time_zone = 'Europe/Oslo' where payee_id = '${payeeId}'`);
  made = new MonthRows(payeeId, SEED, { from: '2026-09-20T00:00:00Z', to: '2026-11-08T00:00:00Z' });
  await made.write(database);
  await new MonthRows(await addPayee(database), SEED + 1, PERIOD).write(database);
  shown = await showStatistics(database.read, payeeId, ASKED);
}, 60_000);
afterAll(() => database.drop());

const DAYS = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' });
const dayOf = (at: string) => DAYS.format(new Date(at));
const isInMonth = ({ at }: { readonly at: string }) => dayOf(at).startsWith('2026-10');

/** The figures of a currency as the builder knows them, of some days. */
function known(currency: string, isOf: (day: string) => boolean) {
  const money = made.movements.filter((one) => one.currency === currency && isInMonth(one) && isOf(dayOf(one.at)));
  const ended = made.payables.filter((one) => one.currency === currency && isInMonth(one) && isOf(dayOf(one.at)));
  const sum = (figure: Figure, isCounted = (_: number) => true) =>
    money.reduce((total, one) => (one.figure === figure && isCounted(one.amount) ? total + one.amount : total), 0);
  const count = (outcome: string) => ({
    payments: ended.filter((one) => one.of === 'payments' && one.outcome === outcome).length,
    orders: ended.filter((one) => one.of === 'orders' && one.outcome === outcome).length,
  });
  return {
    volume: sum('volume'),
    captured: sum('volume', (amount) => amount > 0),
    refunded: 0 - sum('volume', (amount) => amount < 0),
    sold: sum('sold'),
    spent: sum('spent'),
    paid: count('paid'),
    declined: count('declined'),
  };
}

const figuresOf = ({ volume, captured, refunded, sold, spent, paid, declined }: Omit<CurrencyNumbers, 'currency'>) => ({
  ...{ volume, captured, refunded, sold, spent, paid, declined },
});

async function everyRow<Row>(
  page: (cursor: string | undefined) => Promise<{ rows: readonly Row[]; next: string | null }>,
) {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const { rows: some, next } = await page(cursor);
    rows.push(...some);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

async function linesOf(table: AsyncIterable<string>): Promise<string[][]> {
  let text = '';
  for await (const some of table) text += some;
  return text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','));
}

test(`the month of seed ${SEED} has something of everything`, () => {
  expect(shown.currencies.map(({ currency }) => currency).toSorted()).toEqual(['EUR', 'JPY', 'NOK']);
  for (const one of shown.currencies) {
    const { volume, refunded, sold, spent, paid, declined, declines } = one;
    expect([volume, refunded, sold, spent, paid.payments, paid.orders].every((value) => value > 0)).toBe(true);
    expect(declined.payments * declined.orders).toBeGreaterThan(0);
    expect(declines.length).toBeGreaterThan(1);
  }
});

test('each figure of each day and of the month is what was made', () => {
  for (const one of shown.currencies) {
    expect(figuresOf(one), one.currency).toEqual(known(one.currency, () => true));
    for (const { day, ...numbers } of one.days) {
      expect(figuresOf({ ...one, ...numbers }), `${one.currency} ${day}`).toEqual(
        known(one.currency, (of) => of === day),
      );
    }
  }
});

describe('each figure is the sum of the list that it leads to', () => {
  test.each(FIGURES)('%s: movements, their file, and the ledger', async (figure) => {
    for (const { currency, ...numbers } of shown.currencies) {
      const asked = { ...PERIOD, currency, figure };
      const rows = await everyRow((cursor) =>
        listMovements(database.read, payeeId, { ...asked, cursor, limit: '100' }),
      );
      const side = figure === 'sold' ? 'Funding' : 'Clearing';
      const sign = figure === 'sold' ? -1 : 1;
      const listed = rows.flatMap(({ entries }) => entries.filter((entry) => entry.side === side));
      expect(listed.reduce((sum, { amount }) => sum + sign * amount, 0)).toBe(numbers[figure]);
      const file = (await linesOf(exportMovements(database.read, payeeId, asked))).filter((line) => line[5] === side);
      expect(file.reduce((sum, line) => sum + sign * Number(line[8]), 0)).toBe(numbers[figure]);
    }
  });

  test('volume: what the ledger has between issuers and the payee, without what banks moved', async () => {
    for (const { currency, volume } of shown.currencies) {
      const [row] = await database.asAdmin(`
        select sum(e.amount)::bigint::text as sum
        from entry e join movement m using (payee_id, movement_id)
        where payee_id = '${payeeId}' and e.side = 'Issuer' and m.currency = '${currency}'
          and m.kind not in ('Settlement', 'Dispute') and m.happened_at >= '${PERIOD.from}' and m.happened_at < '${PERIOD.to}'`);
      expect(-Number(row?.['sum'])).toBe(volume);
    }
  });

  test.each(OUTCOMES)('%s: payments, their count and their file, and orders', async (outcome, state) => {
    for (const { currency, ...numbers } of shown.currencies) {
      const asked = { ...PERIOD, currency, state };
      const { payments, orders } = numbers[outcome];
      const rows = await everyRow((cursor) =>
        searchPayments(database.read, payeeId, { ...asked, cursor, limit: '100' }),
      );
      expect(rows).toHaveLength(payments);
      expect(await countSearched(database.read, payeeId, asked)).toEqual({ count: payments, isMore: false });
      expect(await linesOf(exportPayments(database.read, payeeId, asked))).toHaveLength(payments);
      const { state: status, ...same } = asked;
      const found = await everyRow((cursor) =>
        searchOrders(database.read, payeeId, { ...same, status, cursor, limit: '100' }),
      );
      expect(found).toHaveLength(orders);
    }
  });

  test('each reason: the payments and orders in which an attempt failed by it, paid ones too', async () => {
    for (const { currency, declines } of shown.currencies) {
      const ended = made.payables.filter((one) => one.currency === currency && isInMonth(one));
      for (const { problem, attempts, payments, orders } of declines) {
        const having = ended.filter(({ problems }) => problems.includes(problem));
        const all = having.flatMap(({ problems }) => problems.filter((one) => one === problem));
        expect([problem, attempts]).toEqual([problem, all.length]);
        expect([payments, orders]).toEqual(
          ['payments', 'orders'].map((of) => having.filter((one) => one.of === of).length),
        );
        const asked = { ...PERIOD, currency, problem, limit: '100' };
        const rows = await everyRow((cursor) => searchPayments(database.read, payeeId, { ...asked, cursor }));
        const found = await everyRow((cursor) => searchOrders(database.read, payeeId, { ...asked, cursor }));
        expect([problem, rows.length, found.length]).toEqual([problem, payments, orders]);
      }
    }
  });
});

test('a month that is over stays as it is, whatever becomes of its payments', async () => {
  const before = shown.currencies.map(figuresOf);
  const later = new MonthRows(payeeId, SEED + 2, { from: '2026-11-08T00:00:00Z', to: '2026-11-20T00:00:00Z' });
  await later.write(database);
  await database.asAdmin(`update card_payment set captured = amount, reversed = amount where payee_id = '${payeeId}'`);
  const { currencies } = await showStatistics(database.read, payeeId, ASKED);
  expect(currencies.map(figuresOf)).toEqual(before);
});
