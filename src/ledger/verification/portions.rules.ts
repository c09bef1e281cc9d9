import type { Place } from '../../db/walk.types.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Pace } from './health.types.ts';

/** So many entries fit into the memory of a sort (4 MB). */
export const PACE: Pace = { first: 500, most: 10_000 };

/** Whether a walk has come to rows of a payee that were made after an instant: their ids begin with their time. */
export function isMadeSince([, id]: Place, instant: string): boolean {
  if (typeof id !== 'string' || !isUuid(id)) return false;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) >= Date.parse(instant);
}
