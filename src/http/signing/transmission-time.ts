import { instantOf } from '../../kit/instants.ts';
import { TRANSMISSION_TIME_SECONDS } from '../../kit/limits.ts';
import { remembering } from '../pages/memo.ts';

// Seconds may be left out: java.time leaves them out where they are 0. Fractions have up to nine digits.
const TIMESTAMP =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/**
 * The instant of a `Transmission-Time` header: ISO 8601 with a zone, as in `2026-01-31T12:00:00.123Z` or
 * `2026-01-31T13:00:00+01:00`.
 *
 * @returns milliseconds since 1970, or undefined where the text has another form or names no such day
 */
export function parseTransmissionTime(text: string): number | undefined {
  if (!TIMESTAMP.test(text)) return undefined;
  // The form with a colon in the zone is the one that the language defines; a day beyond the month would roll over.
  const instant = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return isDay(text.slice(0, 10)) ? instant : undefined;
}

/** Whether an instant is near enough to our clock, both in milliseconds since 1970. */
export function isTimely(instant: number, now: number): boolean {
  return Math.abs(now - instant) <= TRANSMISSION_TIME_SECONDS * 1000;
}

/** Whether the calendar has a day. */
const isDay = remembering((day) => {
  const instant = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(instant) && instantOf(instant).startsWith(day);
});
