/** Rows that others add in a second, from which on payments want the processor that a look at the books takes: some ten payments. */
const BUSY_ROWS = 100;
/** Milliseconds of rest for each one of work: a tenth of the time is worked. */
const REST = 9;

/** How many rows were added to the database, of whichever tables, and when that was looked at. */
export interface RowsAdded {
  readonly rows: number;
  readonly atMs: number;
}

/** How long to rest after work, so that payments go on; nothing where there are none. `before` undefined: it is not known whether there are. */
export function restMs(tookMs: number, before: RowsAdded | undefined, now: RowsAdded): number {
  if (before === undefined) return REST * tookMs;
  const perSecond = ((now.rows - before.rows) * 1000) / (now.atMs - before.atMs);
  return perSecond < BUSY_ROWS ? 0 : REST * tookMs;
}
