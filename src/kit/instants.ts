/**
 * Instants as ISO 8601 texts in UTC with three digits of milliseconds, as the database gives them. They sort as texts, so
 * `<` and `>` compare them.
 */

/** The instant so many seconds after this one. */
export function addSeconds(instant: string, seconds: number): string {
  return new Date(Date.parse(instant) + seconds * 1000).toISOString();
}

/** The month of an instant in UTC, `YYYY-MM`. */
export function monthOf(instant: string): string {
  return instant.slice(0, 7);
}
