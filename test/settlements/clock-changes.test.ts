import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDaysOf } from '../../src/portal/days-of-payee.ts';
import { showStatistics } from '../../src/portal/home/show-statistics.ts';
import { askSales } from '../../src/settlements/reports/ask-sales.ts';
import { askTrialBalance } from '../../src/settlements/reports/ask-trial-balance.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { charge } from '../support/settlements.ts';

// Each sale is of one day, and all figures of a day say which, where clocks are set back or on: in the night, and at midnight itself.

let kontor: TestService;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
});
afterAll(() => kontor.stop());

const HOUR_MS = 3_600_000;
const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 24 * HOUR_MS).toISOString().slice(0, 10);

test.each([
  ['Europe/Oslo', '2025-10-26'],
  ['Europe/Oslo', '2026-03-29'],
  // Midnight comes twice, so that a day begins twice; and not at all.
  ['Atlantic/Azores', '2025-10-26'],
  ['America/Havana', '2025-11-02'],
  ['Asia/Beirut', '2026-03-29'],
])('in %s on %s', async (timeZone, day) => {
  const { payeeId } = await kontor.addPayee();
  const { database } = kontor;
  await database.asAdmin(`update payee set time_zone = '${timeZone}' where payee_id = '${payeeId}'`);
  // Of other amounts each, so that a sum tells which.
  const begins = Date.parse(addDays(day, -1));
  const sold = Array.from({ length: 36 }, (_, n) => ({
    at: new Date(begins + n * 1.5 * HOUR_MS).toISOString(),
    amount: 2 ** (n % 30),
  }));
  for (const one of sold) await charge(database, payeeId, { ...one, day: one.at.slice(0, 10) });
  const table: { readonly day: string; readonly salesAmount: number }[] = [];
  const lines = inDaysOf(database.read, payeeId, async function* (dayOf) {
    for (const { at, amount } of sold) yield JSON.stringify({ day: dayOf(at), salesAmount: amount });
  });
  for await (const line of lines) table.push(JSON.parse(line));
  const days = [-2, -1, 0, 1, 2].map((more) => addDays(day, more));
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const sales = await askSales(database.read, { payeeId, from, to, by: ['day'] });
  const home = await showStatistics(database.read, payeeId, { days: '5', to });
  const ofDay = (all: readonly { readonly day: string | null; readonly salesAmount: number }[], one: string) =>
    all.filter((line) => line.day === one).reduce((sum, { salesAmount }) => sum + salesAmount, 0);
  const figures = await Promise.all(
    days.map(async (one) => {
      const alone = await askSales(database.read, { payeeId, from: one, to: one, by: ['day'] });
      const shown = await showStatistics(database.read, payeeId, { days: '1', to: one });
      const books = await askTrialBalance(database.read, { payeeId, from: one, to: one });
      return {
        day: one,
        sales: ofDay(sales.lines, one),
        table: ofDay(table, one),
        salesAlone: alone.lines.map((line) => [line.day, line.salesAmount]),
        home: home.currencies[0]?.days.find((line) => line.day === one)?.captured,
        homeAlone: shown.currencies[0]?.captured ?? 0,
        books: books.lines.filter(({ side }) => side === 'Clearing').reduce((sum, { credit }) => sum + credit, 0),
      };
    }),
  );
  for (const one of figures) {
    const { sales: sum } = one;
    expect(one).toEqual({
      day: one.day,
      sales: sum,
      table: sum,
      salesAlone: sum === 0 ? [] : [[one.day, sum]],
      home: sum,
      homeAlone: sum,
      books: sum,
    });
  }
  expect(figures.reduce((sum, one) => sum + one.sales, 0)).toBe(home.currencies[0]?.captured);
});
