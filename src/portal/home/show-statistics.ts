import type { Read } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { notFound } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { rememberBriefly } from '../../kit/work/brief-memory.ts';
import { reachOf } from '../newest-first.rules.ts';
import { isCutOff, numbersOf, readDays } from './statistics.rules.ts';
import { selectGettingStarted, selectMovedCurrencies, selectPayeeDays, selectTallies } from './statistics.store.ts';
import type { AskedDays, GettingStarted, Statistics, Tally } from './statistics.types.ts';

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
      currencies.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0) >= STATISTICS_REMEMBERED_FROM,
  });
  return async (payeeId, asked) => {
    const statistics = await recall([payeeId, asked]);
    assert(statistics !== undefined, 'statistics are there, or refused');
    return statistics;
  };
}

/**
 * What a payee's payments of some days came to. A payment counts on the day on which it was made, with what was taken of
 * it so far.
 *
 * @throws Refusal `inputerror`
 */
export async function showStatistics(read: Read, payeeId: PayeeId, asked: AskedDays): Promise<Statistics> {
  const found = await selectPayeeDays(read, payeeId, readDays(asked));
  if (found === undefined) throw notFound();
  const { timeZone, firstDay, lastDay, ...period } = found;
  const days = { from: firstDay, to: lastDay };
  const tallies = await selectTallies(read, { payeeId, period, timeZone, reach: reachOf(period, undefined) });
  const shown = await inUse(read, payeeId, tallies.flat());
  return { timeZone, ...days, currencies: numbersOf(shown, days), isPartial: tallies.some(isCutOff) };
}

/**
 * The tallies of currencies in which money has moved, on these days or before. A try in another one is no figure of the
 * shop's; one in which all payments of these days failed is.
 */
async function inUse(read: Read, payeeId: PayeeId, tallies: readonly Tally[]): Promise<readonly Tally[]> {
  const moved = new Set(tallies.flatMap(({ hasMoved, currency }) => (hasMoved ? [currency] : [])));
  if (tallies.every(({ currency }) => moved.has(currency))) return tallies;
  for (const currency of await selectMovedCurrencies(read, payeeId)) moved.add(currency);
  return tallies.filter(({ currency }) => moved.has(currency));
}

/** What a payee has done so far. */
export function showGettingStarted(read: Read, payeeId: PayeeId): Promise<GettingStarted> {
  return selectGettingStarted(read, payeeId);
}
