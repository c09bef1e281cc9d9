import { addDays } from '../../kit/instants.ts';
import type { Acquirer } from './acquirers.types.ts';

const MINUTE_MS = 60_000;
/** Longer than any day, also than one on which clocks are set back. */
const LONGEST_DAY_MINUTES = 26 * 60;

/** When the days of an acquirer begin. */
export type DayClock = Pick<Acquirer, 'cutOver' | 'timeZone'>;

/**
 * The business day of an instant, `YYYY-MM-DD`: from the cut-over on it is the next day's.
 *
 * @param unixMs the instant
 */
export function businessDayOf(unixMs: number, { cutOver, timeZone }: DayClock): string {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(unixMs);
  const [date = '', time = ''] = local.split(' ');
  return time >= cutOver ? addDays(date, 1) : date;
}

/** When the business day of an instant ends by the clock: the next configured cut-over, in milliseconds. */
export function nextCutOver(unixMs: number, clock: DayClock): number {
  const minute = Math.floor(unixMs / MINUTE_MS);
  const day = businessDayOf(unixMs, clock);
  let before = 0;
  let after = LONGEST_DAY_MINUTES;
  while (after - before > 1) {
    const middle = (before + after) >> 1;
    if (businessDayOf((minute + middle) * MINUTE_MS, clock) === day) before = middle;
    else after = middle;
  }
  return (minute + after) * MINUTE_MS;
}

/**
 * The day that an acquirer says has begun, `YYYY-MM-DD`. Undefined where that is no date, or more than a day from the one by the
 * clock: sales would get into days that are never closed.
 *
 * @param told YYMMDD, or MMDD, as it came
 */
export function believedDay(told: string, unixMs: number, clock: DayClock): string | undefined {
  if (told.length !== 6 && told.length !== 4) return undefined;
  const today = businessDayOf(unixMs, clock);
  return [-1, 0, 1].map((days) => addDays(today, days)).find((day) => day.slice(2).replaceAll('-', '').endsWith(told));
}
