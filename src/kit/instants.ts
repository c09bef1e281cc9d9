/**
 * Instants as ISO 8601 texts in UTC with three digits of milliseconds, as the database gives them. They sort as texts, so
 * `<` and `>` compare them.
 */

const DAY_MS = 86_400_000;

/**
 * The instant so many whole milliseconds after the start of 1970, or before it.
 *
 * @throws RangeError where it is none that a `Date` can have (ECMA-262, section 21.4.1.1)
 */
export function instantOf(unixMs: number): string {
  return new Date(unixMs).toISOString();
}

/** The instant so many seconds after this one. */
export function addSeconds(instant: string, seconds: number): string {
  return instantOf(Date.parse(instant) + seconds * 1000);
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
