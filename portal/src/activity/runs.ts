import type { Activity } from '../../../client/portal.generated.ts';

/** Entries that say the same of different objects, one after the other: a hundred cards that were issued at once. */
export interface Run {
  /** The newest. */
  readonly first: Activity;
  readonly rest: readonly Activity[];
  readonly count: number;
}

/** Entries further apart than this were not one piece of work. */
const GAP_MS = 60_000;

/** Entries of a list, the newest first, with each run of them as one. */
export function runsOf(entries: readonly Activity[]): readonly Run[] {
  const runs: { first: Activity; rest: Activity[] }[] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const before = run?.rest.at(-1) ?? run?.first;
    if (run !== undefined && before !== undefined && goesOn(before, entry)) run.rest.push(entry);
    else runs.push({ first: entry, rest: [] });
  }
  return runs.map((run) => ({ ...run, count: run.rest.length + 1 }));
}

/** Whether the older entry is of the same piece of work. What is done to one object twice is told twice. */
function goesOn(newer: Activity, older: Activity): boolean {
  return (
    newer.action === older.action &&
    newer.actor === older.actor &&
    newer.objectKind === older.objectKind &&
    newer.objectId !== older.objectId &&
    Date.parse(newer.happenedAt) - Date.parse(older.happenedAt) <= GAP_MS
  );
}
