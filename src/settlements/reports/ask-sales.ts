import type { Read } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { inputError } from '../../kit/errors.ts';
import { addSeconds } from '../../kit/instants.ts';
import { LIABILITY_AGE_SECONDS } from '../../kit/limits.ts';
import type { Currency } from '../../kit/money.ts';
import { nextPortion } from '../../kit/work/next-portion.ts';
import { selectSales } from './sales.store.ts';
import type { Sales, SalesAsked, SalesLine, SalesSums } from './sales.types.ts';
import { periodUntilNow } from './trial-balance.rules.ts';
import { selectPeriod } from './trial-balance.store.ts';
import type { TrialBalancePeriod } from './trial-balance.types.ts';

/** Lines of one report: a hundred shops on each day of half a year. */
const LINES = 20_000;

/** Hours of a payee's sales that one statement sums: first, and at most. A merchant with many sales has fewer summed at once. */
const PACE = { first: 24, most: 24 * 31 };

/** How long a report may take, and how it is read. */
export interface SalesPace {
  /** Milliseconds after which nothing more is read; undefined: as long as it takes. */
  readonly withinMs?: number;
  readonly first?: number;
  readonly most?: number;
}

/** For a caller who waits for the answer. */
export const WHILE_WAITED_FOR: SalesPace = { withinMs: 4_000 };

/**
 * What was sold and given back on some days, by what it is to be told apart by.
 *
 * @throws Refusal `inputerror` for days that have not begun, where there are too many lines, or where it takes too long: nothing is left out
 * silently
 */
export async function askSales(read: Read, asked: SalesAsked, pace: SalesPace = {}): Promise<Sales> {
  const days = await selectPeriod(read, asked, LIABILITY_AGE_SECONDS);
  assert(days !== undefined, 'the payee was looked up before');
  const period = periodUntilNow(days);
  const lines = await readLines(read, asked, period, { ...PACE, ...pace });
  const { timeZone, from, to } = period;
  return { timeZone, from, to, by: asked.by, lines, totals: totalsOf(lines) };
}

/** Sums some hours after the others: those of years come to more than one statement may take. */
async function readLines(
  read: Read,
  asked: SalesAsked,
  { timeZone, from, to }: Pick<TrialBalancePeriod, 'timeZone' | 'from' | 'to'>,
  { withinMs = Number.POSITIVE_INFINITY, first, most }: SalesPace & typeof PACE,
): Promise<readonly SalesLine[]> {
  const lines = new Map<string, SalesLine>();
  const begunAt = performance.now();
  let [at, hours] = [from, first];
  while (at < to) {
    if (performance.now() - begunAt > withinMs) {
      throw inputError(
        'to',
        'is too far away: more was sold than is summed while you wait. Ask for fewer days, or run kontor ledger sales',
      );
    }
    const until = addSeconds(at, hours * 60 * 60);
    const end = until < to ? until : to;
    const startedAt = performance.now();
    for (const line of await selectSales(read, asked, { timeZone, from: at, to: end, most: LINES + 1 })) {
      const key = JSON.stringify(ORDER.map((column) => line[column]));
      const known = lines.get(key);
      lines.set(key, known === undefined ? line : { ...line, ...added(known, line) });
    }
    if (lines.size > LINES) {
      throw inputError('by', `comes to more than ${LINES} lines: ask for fewer days, or fewer columns`);
    }
    hours = nextPortion(hours, performance.now() - startedAt, { most });
    at = end;
  }
  return [...lines.values()].sort(inOrder);
}

/** What lines are in the order of. */
const ORDER = ['day', 'currency', 'shop', 'site', 'terminal', 'means', 'brand', 'vatRate'] as const;

function inOrder(one: SalesLine, other: SalesLine): number {
  const column = ORDER.find((name) => one[name] !== other[name]);
  if (column === undefined) return 0;
  const [a, b] = [one[column], other[column]];
  // What is not known stands last.
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

function totalsOf(lines: readonly SalesSums[]): readonly SalesSums[] {
  const totals = new Map<Currency, SalesSums>();
  for (const one of lines) {
    const sum = totals.get(one.currency);
    totals.set(one.currency, sum === undefined ? sumsOf(one) : added(sum, one));
  }
  return [...totals.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** Two sums of one currency. */
function added(one: SalesSums, other: SalesSums): SalesSums {
  return {
    currency: one.currency,
    sales: one.sales + other.sales,
    salesAmount: one.salesAmount + other.salesAmount,
    salesVat: one.salesVat + other.salesVat,
    refunds: one.refunds + other.refunds,
    refundsAmount: one.refundsAmount + other.refundsAmount,
    refundsVat: one.refundsVat + other.refundsVat,
    net: one.net + other.net,
    fees: one.fees + other.fees,
  };
}

function sumsOf({ currency, sales, salesAmount, salesVat, refunds, refundsAmount, refundsVat, net, fees }: SalesSums) {
  return { currency, sales, salesAmount, salesVat, refunds, refundsAmount, refundsVat, net, fees };
}
