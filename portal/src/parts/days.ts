/** Days as YYYY-MM-DD, where the payee is. */
export interface Days {
  readonly from?: string;
  readonly to?: string;
}

/**
 * The days as the instants that the API takes: from the first one's midnight to the end of the last one.
 *
 * @param timeZone the payee's, as in `Europe/Oslo`: a day is the same for each reader, wherever the browser is
 */
export function daysOf(
  { from, to }: Days,
  timeZone: string,
): { readonly from: string | undefined; readonly to: string | undefined } {
  return {
    from: from === undefined ? undefined : dayStart(from, { daysLater: 0, timeZone }),
    to: to === undefined ? undefined : dayStart(to, { daysLater: 1, timeZone }),
  };
}

/** Midnight of a day, some days later, as an instant. Undefined where the text is no day. */
function dayStart(
  day: string,
  { daysLater, timeZone }: { readonly daysLater: number; readonly timeZone: string },
): string | undefined {
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number);
  const midnight = Date.UTC(year, month - 1, date + daysLater);
  if (Number.isNaN(midnight)) return undefined;
  // The clock may change between midnight in UTC and midnight there: the second look is at the right side of the change.
  const near = midnight - aheadOfUtc(midnight, timeZone);
  const first = midnight - aheadOfUtc(near, timeZone);
  // Where midnight comes twice, the hour between belongs to the day before, as in all reports.
  const second = first + HOUR_MS;
  return new Date(second + aheadOfUtc(second, timeZone) === midnight ? second : first).toISOString();
}

const HOUR_MS = 3_600_000;

/** Milliseconds by which the clocks of a time zone are ahead of UTC at an instant. */
function aheadOfUtc(unixMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(unixMs);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(unixMs / 1000) * 1000;
}

/** The day of an instant, `YYYY-MM-DD`, in a time zone. */
export function dayIn(timeZone: string, unixMs: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(unixMs);
}

/** A day without a time, `YYYY-MM-DD`, as an instant of it wherever the reader is. */
export function atNoon(day: string): string {
  return `${day}T12:00`;
}
