import { instantOf, unixMsOf } from '../../../kit/instants.ts';
import type { DayClock } from '../business-day.rules.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Clocks are set back once a year, in some places not each year. */
const SEARCHED_DAYS = 3 * 366;

/** Times of a day between which the clock shows each time twice, when it is set back: `HH:MM`, the last one is left out. */
export interface RepeatedHour {
  readonly from: string;
  readonly to: string;
}

/** The times that come twice in a time zone, from an instant on; undefined where clocks are not set back. */
export function repeatedHour(timeZone: string, unixMs: number): RepeatedHour | undefined {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  /** Minutes by which the clocks there are ahead of UTC. */
  const ahead = (ms: number) => (unixMsOf(`${local.format(ms).replace(' ', 'T')}Z`) - ms) / MINUTE_MS;
  const start = Math.floor(unixMs / DAY_MS) * DAY_MS;
  for (let day = 0; day < SEARCHED_DAYS; day++) {
    let before = start + day * DAY_MS;
    let after = before + DAY_MS;
    if (ahead(after) >= ahead(before)) continue;
    while (after - before > MINUTE_MS) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
      if (ahead(middle) > ahead(after)) before = middle;
      else after = middle;
    }
    const [from, last] = [local.format(after).slice(11), local.format(before).slice(11)];
    return { from, to: minuteAfter(last) };
  }
  return undefined;
}

/** Whether business days of an acquirer go back, and forth again, when its clock is set back. */
export function goesBack({ cutOver, timeZone }: DayClock, unixMs: number): boolean {
  const repeated = repeatedHour(timeZone, unixMs);
  return repeated !== undefined && cutOver > repeated.from && cutOver < repeated.to;
}

function minuteAfter(time: string): string {
  return instantOf(unixMsOf(`2000-01-01T${time}Z`) + MINUTE_MS).slice(11, 16);
}
