/** Milliseconds of a portion, as which the next one may be larger, and as which it must be smaller. */
const SHORT_MS = 250;
const LONG_MS = 1_000;

/**
 * How much of what is read in portions the next one has: a disk that is slow, and what has much beside it, make it smaller.
 *
 * @param size of the last one, at least 1
 */
export function nextPortion(size: number, tookMs: number, { most }: { readonly most: number }): number {
  if (tookMs > LONG_MS) return Math.max(1, Math.ceil(size / 4));
  return tookMs < SHORT_MS ? Math.min(most, size * 2) : size;
}
