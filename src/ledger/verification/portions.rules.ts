import { isUuid } from '../../kit/ids.ts';
import type { Pace } from './health.types.ts';

/** So many entries fit into the memory of a sort (4 MB). */
export const PACE: Pace = { first: 500, most: 10_000 };

/** Whether the row that an id names was made since an instant, as the id says, which begins with its time. */
export function isMadeSince(id: unknown, unixMs: number): boolean {
  if (typeof id !== 'string' || !isUuid(id)) return false;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) >= unixMs;
}
