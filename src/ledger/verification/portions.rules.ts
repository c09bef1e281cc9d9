import type { Pace } from './health.types.ts';

/** So many entries fit into the memory of a sort (4 MB). */
export const PACE: Pace = { first: 500, most: 10_000 };

/** Milliseconds of a portion, as which the next one may be larger, and as which it must be smaller. */
const SHORT_MS = 250;
const LONG_MS = 1_000;

/** How many rows the next portion has: a disk that is slow and rows that have much beside them make it smaller. */
export function nextPortion(rows: number, tookMs: number, { most }: Pick<Pace, 'most'>): number {
  if (tookMs > LONG_MS) return Math.max(1, Math.ceil(rows / 4));
  return tookMs < SHORT_MS ? Math.min(most, rows * 2) : rows;
}
