import type { Read } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { inputError } from '../../kit/errors.ts';
import { LIABILITY_AGE_SECONDS } from '../../kit/limits.ts';
import type { Currency } from '../../kit/money.ts';
import { selectSales } from './sales.store.ts';
import type { Sales, SalesAsked, SalesSums } from './sales.types.ts';
import { periodUntilNow } from './trial-balance.rules.ts';
import { selectPeriod } from './trial-balance.store.ts';

/** Lines of one report: a hundred shops on each day of half a year. */
const LINES = 20_000;

/**
 * What was sold and given back on some days, by what it is to be told apart by.
 *
 * @throws Refusal `inputerror` for days that have not begun, or where there are too many lines: none is left out silently
 */
export async function askSales(read: Read, asked: SalesAsked): Promise<Sales> {
  const days = await selectPeriod(read, asked, LIABILITY_AGE_SECONDS);
  assert(days !== undefined, 'the payee was looked up before');
  const { timeZone, from, to } = periodUntilNow(days);
  const lines = await selectSales(read, asked, { timeZone, from, to, most: LINES + 1 });
  if (lines.length > LINES) {
    throw inputError('by', `comes to more than ${LINES} lines: ask for fewer days, or fewer columns`);
  }
  return { timeZone, from, to, by: asked.by, lines, totals: totalsOf(lines) };
}

function totalsOf(lines: readonly SalesSums[]): readonly SalesSums[] {
  const totals = new Map<Currency, SalesSums>();
  for (const one of lines) {
    const sum = totals.get(one.currency);
    totals.set(
      one.currency,
      sum === undefined
        ? sumsOf(one)
        : {
            currency: one.currency,
            sales: sum.sales + one.sales,
            salesAmount: sum.salesAmount + one.salesAmount,
            salesVat: sum.salesVat + one.salesVat,
            refunds: sum.refunds + one.refunds,
            refundsAmount: sum.refundsAmount + one.refundsAmount,
            refundsVat: sum.refundsVat + one.refundsVat,
            net: sum.net + one.net,
            fees: sum.fees + one.fees,
          },
    );
  }
  return [...totals.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

function sumsOf({ currency, sales, salesAmount, salesVat, refunds, refundsAmount, refundsVat, net, fees }: SalesSums) {
  return { currency, sales, salesAmount, salesVat, refunds, refundsAmount, refundsVat, net, fees };
}
