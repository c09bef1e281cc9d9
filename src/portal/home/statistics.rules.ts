import { inputError } from '../../kit/errors.ts';
import { addDays, daysBetween, isDay } from '../../kit/instants.ts';
import type { Currency } from '../../kit/money.ts';
import { STATISTICS_DAYS, STATISTICS_ROWS } from '../../kit/portal-limits.ts';
import type { Figure } from '../ledger/ledger.types.ts';
import type {
  AskedDays,
  CheckedDays,
  Counted,
  Counts,
  CountTally,
  CurrencyNumbers,
  Decline,
  DeclineTally,
  MoneyTally,
  Numbers,
  Payable,
  Tallies,
} from './statistics.types.ts';

/** Days where a request names none. */
const USUAL_DAYS = '30';

/**
 * The days that a request names: how many, and the last of them, which is undefined where it is today.
 *
 * @throws Refusal `inputerror`
 */
export function readDays({ days = USUAL_DAYS, to }: AskedDays): CheckedDays {
  if (!/^[1-9]\d{0,2}$/.test(days) || Number(days) > STATISTICS_DAYS) {
    throw inputError('days', `must be a whole number from 1 to ${STATISTICS_DAYS}`);
  }
  if (to !== undefined && !isDay(to)) throw inputError('to', 'must be a day as YYYY-MM-DD');
  return { days: Number(days), to };
}

/** Whether a table had more rows than are counted. */
export function isCutOff({ money, counts }: Tallies): boolean {
  const all = [money.map(({ movements }) => movements), ...counts.map(({ rows }) => rows.map(({ count }) => count))];
  return all.some((some) => some.reduce((sum, count) => sum + count, 0) >= STATISTICS_ROWS);
}

/** How much was counted. */
export function sizeOf({ paid, declined }: Numbers): number {
  return paid.payments + paid.orders + declined.payments + declined.orders;
}

/** The numbers of each currency, the one with most payments first; each has all of the days. */
export function numbersOf(
  tallies: Tallies,
  currencies: readonly Currency[],
  { from, to }: { readonly from: string; readonly to: string },
): readonly CurrencyNumbers[] {
  return currencies
    .map((currency) => {
      const own = <Row extends { readonly currency: Currency }>(rows: readonly Row[]) =>
        rows.filter((row) => row.currency === currency);
      const ownOf = <Row extends { readonly currency: Currency }>(tables: readonly Counted<Row>[]) =>
        tables.map(({ of, rows }) => ({ of, rows: own(rows) }));
      const [money, counts] = [own(tallies.money), ownOf(tallies.counts)];
      return {
        currency,
        ...sumOf(money, counts),
        days: daysFrom(from, to).map((day) => ({ day, ...sumOf(onDay(money, day), ofDay(counts, day)) })),
        declines: declinesOf(ownOf(tallies.declines)),
      };
    })
    .sort((one, other) => sizeOf(other) - sizeOf(one));
}

const daysFrom = (from: string, to: string) =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));

const onDay = <Row extends { readonly day: string }>(rows: readonly Row[], day: string) =>
  rows.filter((row) => row.day === day);

const ofDay = (counts: readonly Counted<CountTally>[], day: string) =>
  counts.map(({ of, rows }) => ({ of, rows: onDay(rows, day) }));

function sumOf(money: readonly MoneyTally[], counts: readonly Counted<CountTally>[]): Numbers {
  const sum = (wanted: Figure, what: 'came' | 'went') =>
    money.reduce((total, tally) => (tally.figure === wanted ? total + tally[what] : total), 0);
  const net = (wanted: Figure) => sum(wanted, 'came') - sum(wanted, 'went');
  const counted = (outcome: CountTally['outcome']) =>
    byPayable(counts, ({ outcome: own, count }) => (own === outcome ? count : 0));
  return {
    volume: net('volume'),
    captured: sum('volume', 'came'),
    refunded: sum('volume', 'went'),
    sold: net('sold'),
    spent: net('spent'),
    paid: counted('paid'),
    declined: counted('declined'),
  };
}

function byPayable<Row>(tables: readonly Counted<Row>[], countOf: (row: Row) => number): Counts {
  const sum = (wanted: Payable) =>
    tables
      .filter(({ of }) => of === wanted)
      .flatMap(({ rows }) => rows)
      .reduce((total, row) => total + countOf(row), 0);
  return { payments: sum('payments'), orders: sum('orders') };
}

function declinesOf(tables: readonly Counted<DeclineTally>[]): Decline[] {
  const all = tables.flatMap(({ rows }) => rows);
  return [...new Set(all.map(({ problem }) => problem))]
    .map((problem) => ({
      problem,
      attempts: all.reduce((sum, row) => (row.problem === problem ? sum + row.attempts : sum), 0),
      ...byPayable(tables, (row) => (row.problem === problem ? row.count : 0)),
    }))
    .sort((one, other) => other.attempts - one.attempts);
}
