import { inputError } from '../../kit/errors.ts';
import { addDays, daysBetween, isDay } from '../../kit/instants.ts';
import { STATISTICS_DAYS, STATISTICS_PAYMENTS } from '../../kit/portal-limits.ts';
import type { AskedDays, CheckedDays, CurrencyNumbers, DayNumbers, Tally } from './statistics.types.ts';

/** Days where a request names none. */
const USUAL_DAYS = '30';

/**
 * The days that a request names: how many, and the last of them, which is undefined where it is today.
 *
 * @throws Refusal `inputerror`
 */
export function readDays({ days = USUAL_DAYS, to }: AskedDays): CheckedDays {
  if (!/^[1-9]\d?$/.test(days) || Number(days) > STATISTICS_DAYS) {
    throw inputError('days', `must be a whole number from 1 to ${STATISTICS_DAYS}`);
  }
  if (to !== undefined && !isDay(to)) throw inputError('to', 'must be a day as YYYY-MM-DD');
  return { days: Number(days), to };
}

/** Whether a family had more payments than are counted. */
export function isCutOff(tallies: readonly Tally[]): boolean {
  return tallies.reduce((sum, { payments }) => sum + payments, 0) >= STATISTICS_PAYMENTS;
}

/** The numbers of each currency, the one with most payments first; each has all of the days. */
export function numbersOf(
  tallies: readonly Tally[],
  { from, to }: { readonly from: string; readonly to: string },
): readonly CurrencyNumbers[] {
  const currencies = [...new Set(tallies.map(({ currency }) => currency))];
  return currencies
    .map((currency) => {
      const own = tallies.filter((tally) => tally.currency === currency);
      return { currency, ...sumOf(own), days: daysOf(own, { from, to }), declines: declinesOf(own) };
    })
    .sort((one, other) => other.succeeded + other.failed - one.succeeded - one.failed);
}

function sumOf(tallies: readonly Tally[]): Omit<DayNumbers, 'day'> {
  const count = (outcome: Tally['outcome']) =>
    tallies.reduce((sum, tally) => (tally.outcome === outcome ? sum + tally.payments : sum), 0);
  return {
    volume: tallies.reduce((sum, { volume }) => sum + volume, 0),
    succeeded: count('succeeded'),
    failed: count('failed'),
  };
}

function daysOf(tallies: readonly Tally[], { from, to }: { readonly from: string; readonly to: string }): DayNumbers[] {
  const count = daysBetween(from, to) + 1;
  return Array.from({ length: count }, (_, index) => {
    const day = addDays(from, index);
    return { day, ...sumOf(tallies.filter((tally) => tally.day === day)) };
  });
}

function declinesOf(tallies: readonly Tally[]): { readonly problem: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { outcome, problem, payments } of tallies) {
    if (outcome === 'failed' && problem !== null) counts.set(problem, (counts.get(problem) ?? 0) + payments);
  }
  return [...counts].map(([problem, count]) => ({ problem, count })).sort((one, other) => other.count - one.count);
}
