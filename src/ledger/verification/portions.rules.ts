import type { Pace } from './health.types.ts';

/** So many entries fit into the memory of a sort (4 MB). */
export const PACE: Pace = { first: 500, most: 10_000 };
