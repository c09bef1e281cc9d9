import { GREATEST_UUID, isUuid } from '../../kit/ids.ts';
import type { Pace } from './health.types.ts';

/** So many entries fit into the memory of a sort (4 MB). */
export const PACE: Pace = { first: 500, most: 10_000 };

/**
 * Where a walk goes on: behind all rows of a payee where those that come were made since it began, which the next run looks at. Where as much
 * is added as is walked, the end would never come.
 */
export function placeToLookFrom(next: readonly unknown[], beganAtMs: number): readonly unknown[] {
  const [payee, id, ...more] = next;
  return isMadeSince(id, beganAtMs) ? [payee, GREATEST_UUID, ...more] : next;
}

/** Whether the row that an id names was made since an instant, as the id says where it begins with its time (version 7). */
function isMadeSince(id: unknown, unixMs: number): boolean {
  if (typeof id !== 'string' || !isUuid(id) || id[14] !== '7') return false;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) >= unixMs;
}
