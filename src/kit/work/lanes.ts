import { groupBy } from '../group-by.ts';
import type { Background, BackgroundWork } from './background.ts';

/** Work at rows of which each has a lane, such as the host that is to be asked. */
export interface LanesOfWork<Row> {
  readonly work: BackgroundWork;
  readonly intervalMs: number;
  /** Rows that are taken at once. A lane with as many under way is full; so it never has twice as many. */
  readonly most: number;
  /** Takes rows whose time has come, but none of these lanes. It must not give a row again soon. */
  readonly take: (full: readonly string[]) => Promise<readonly Row[]>;
  readonly laneOf: (row: Row) => string;
  /** Works at rows of one lane. */
  readonly doThem: (rows: readonly Row[]) => Promise<unknown>;
}

/**
 * Takes rows again and again, and works at each lane's for itself: one that waits for its host delays no other's, neither by
 * a round that does not end nor by rows that are due before theirs.
 *
 * @returns stops it, and waits for what is under way
 */
export function repeatInLanes<Row>(
  background: Background,
  { work, intervalMs, most, take, laneOf, doThem }: LanesOfWork<Row>,
): () => Promise<void> {
  const underWay = new Map<Promise<unknown>, readonly Row[]>();
  const full = () => {
    const lanes = groupBy([...underWay.values()].flat(), laneOf);
    return [...lanes].flatMap(([lane, rows]) => (rows.length >= most ? [lane] : []));
  };
  const stopRounds = background.repeat(work, intervalMs, async (isStopped) => {
    let rows: readonly Row[];
    do {
      rows = await take(full());
      for (const lot of groupBy(rows, laneOf).values()) {
        const done: Promise<unknown> = background.attempt(work, () => doThem(lot)).then(() => underWay.delete(done));
        underWay.set(done, lot);
      }
      // As many as could be taken may all have been of lanes that are full now.
    } while (rows.length >= most && !isStopped());
  });
  return async () => {
    await stopRounds();
    await Promise.all(underWay.keys());
  };
}
