import type { Read } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { notFound } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import { rememberBriefly } from '../../kit/work/brief-memory.ts';
import { selectMoney } from '../ledger/movements.store.ts';
import { reachOf } from '../newest-first.rules.ts';
import type { GettingStarted } from './home.wire.ts';
import { isCutOff, numbersOf, readDays, sizeOf } from './statistics.rules.ts';
import { selectCounts, selectGettingStarted, selectMovedCurrencies, selectPayeeDays } from './statistics.store.ts';
import type { AskedDays, Statistics, Tallies } from './statistics.types.ts';

/**
 * Payments from which on statistics are remembered, and for how many milliseconds: to count fewer takes some hundredths of
 * a second and shows what happened just now, to count all that may be counted some tenths.
 */
export const STATISTICS_REMEMBERED_FROM = 20_000;
export const STATISTICS_MAX_AGE_MS = 60_000;
/** Statistics that are remembered at once: of each currency and day some hundred bytes. */
const STATISTICS_REMEMBERED = 200;

/** Shows statistics as `showStatistics` does; those of very many payments are remembered for a minute. */
export type StatisticsReader = (payeeId: PayeeId, asked: AskedDays) => Promise<Statistics>;

/**
 * Makes a reader of statistics. People open the portal's first screen again and again, and what a large shop has taken in
 * a month changes little in a minute; a user who asks for what is being counted waits for the same answer.
 *
 * @param now milliseconds of a clock that does not jump
 */
export function statisticsReader(read: Read, now: () => number): StatisticsReader {
  const recall = rememberBriefly<readonly [PayeeId, AskedDays], Statistics>({
    now,
    maxAgeMs: STATISTICS_MAX_AGE_MS,
    entries: STATISTICS_REMEMBERED,
    nameOf: ([payeeId, { days, to }]) => JSON.stringify([payeeId, days, to]),
    ask: ([payeeId, asked]) => showStatistics(read, payeeId, asked),
    isKept: ({ currencies }) =>
      currencies.reduce((sum, numbers) => sum + sizeOf(numbers), 0) >= STATISTICS_REMEMBERED_FROM,
  });
  return async (payeeId, asked) => {
    const statistics = await recall([payeeId, asked]);
    assert(statistics !== undefined, 'statistics are there, or refused');
    return statistics;
  };
}

/**
 * What some days came to. Money counts on the day on which it moved, so a month that is over stays as it is; a payment or an
 * order counts on the day on which it was made.
 *
 * @throws Refusal `inputerror`
 */
export async function showStatistics(read: Read, payeeId: PayeeId, asked: AskedDays): Promise<Statistics> {
  const found = await selectPayeeDays(read, payeeId, readDays(asked));
  if (found === undefined) throw notFound();
  const { timeZone, firstDay, lastDay, ...period } = found;
  const days = { from: firstDay, to: lastDay };
  const counted = { payeeId, period, timeZone, reach: reachOf(period, undefined) };
  const [money, counts] = await Promise.all([selectMoney(read, counted), selectCounts(read, counted)]);
  const tallies = { money, ...counts };
  const currencies = await inUse(read, payeeId, tallies);
  return { timeZone, ...days, currencies: numbersOf(tallies, currencies, days), isPartial: isCutOff(tallies) };
}

/**
 * The currencies in which money has moved, on these days or before. A try in another one is no figure of the shop's; one in
 * which all payments of these days failed is.
 */
async function inUse(read: Read, payeeId: PayeeId, { money, counts }: Tallies): Promise<readonly Currency[]> {
  const counted = counts.flatMap(({ rows }) => rows);
  const moved = new Set([
    ...money.flatMap(({ figure, currency }) => (figure === null ? [] : [currency])),
    ...counted.flatMap(({ hasMoved, currency }) => (hasMoved ? [currency] : [])),
  ]);
  const tried = new Set(counted.map(({ currency }) => currency));
  if ([...tried].some((currency) => !moved.has(currency))) {
    const before = await selectMovedCurrencies(read, payeeId);
    for (const currency of before) if (tried.has(currency)) moved.add(currency);
  }
  return [...moved];
}

/** What a payee has done so far. */
export function showGettingStarted(read: Read, payeeId: PayeeId): Promise<GettingStarted> {
  return selectGettingStarted(read, payeeId);
}
