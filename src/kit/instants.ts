/**
 * Instants as ISO 8601 texts in UTC with three digits of milliseconds, as the database gives them. They sort as texts, so
 * `<` and `>` compare them.
 */

const DAY_MS = 86_400_000;
/** Days whose texts are kept: what is written is of today, or as many days from now as holds and codes last. */
const DAYS_KEPT = 64;
const dayTexts = new Map<number, string>();
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

/**
 * The instant so many whole milliseconds after the start of 1970, or before it. A payment writes some five of them; the
 * language's own `toISOString` takes three times as long.
 *
 * @throws RangeError where the day is none that a `Date` can have (ECMA-262, section 21.4.1.1)
 */
export function instantOf(unixMs: number): string {
  const day = Math.floor(unixMs / DAY_MS);
  const ms = unixMs - day * DAY_MS;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  return `${dayTexts.get(day) ?? keepDay(day)}T${time}.${THREE_DIGITS[ms % 1000]}Z`;
}

function keepDay(day: number): string {
  const text = new Date(day * DAY_MS).toISOString().replace(/T.*/, '');
  if (dayTexts.size === DAYS_KEPT) dayTexts.clear();
  dayTexts.set(day, text);
  return text;
}

/** The sum that was asked for last: the payments of one batch ask for the same. */
let latestSum = { instant: '', seconds: Number.NaN, sum: '' };

/** The instant so many seconds after this one. */
export function addSeconds(instant: string, seconds: number): string {
  if (instant !== latestSum.instant || seconds !== latestSum.seconds) {
    latestSum = { instant, seconds, sum: instantOf(Date.parse(instant) + seconds * 1000) };
  }
  return latestSum.sum;
}

/** The later of two instants. */
export function later(a: string, b: string): string {
  return a < b ? b : a;
}

/** The month of an instant in UTC, `YYYY-MM`. */
export function monthOf(instant: string): string {
  return instant.slice(0, 7);
}

/**
 * The month that it still is somewhere on earth, `YYYY-MM`: in UTC−12 a month ends last. A card may be used to the end of the
 * month on it, where its holder is, which is not known: so it has expired only once that month is over everywhere.
 */
export function oldestMonthOf(instant: string): string {
  return monthOf(addSeconds(instant, -12 * 3600));
}

/** Whether a text is a day of this millennium that the calendar has, as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^2\d{3}-\d\d-\d\d$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

/** Whether a text is an instant of ISO 8601 with its zone, to the millisecond at most. */
export function isInstant(text: string): boolean {
  const parts = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.exec(text);
  return parts !== null && isDay(parts[1] ?? '') && !Number.isNaN(Date.parse(text));
}

/** An instant of any zone, in UTC. */
export function inUtc(instant: string): string {
  return instantOf(Date.parse(instant));
}

/** Milliseconds since 1970 of an instant. */
export function unixMsOf(instant: string): number {
  return Date.parse(instant);
}

/** The day so many days after this one, each as `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days the second day is after the first one. */
export function daysBetween(first: string, second: string): number {
  return (Date.parse(second) - Date.parse(first)) / DAY_MS;
}
