import type { RowOfWork } from './background.ts';

/** Rows that wait for background work. */
export interface Due<Row extends RowOfWork> {
  /** The rows that wait longest, at most so many. */
  readonly find: () => Promise<readonly Row[]>;
  readonly most: number;
  readonly doThem: (rows: readonly Row[]) => Promise<unknown>;
}

/**
 * Works at what is due, and goes on while there may be more: what has piled up is worked off at once, and not so many rows every few
 * seconds. It ends where it finds only rows that it has had before: they stay due, and come again in the next round.
 */
export async function workOff<Row extends RowOfWork>(
  isStopped: () => boolean,
  { find, most, doThem }: Due<Row>,
): Promise<void> {
  const had = new Set<string>();
  let rows: readonly Row[];
  do {
    rows = await find();
    await doThem(rows);
    const names = rows.map(({ payeeId, rowId }) => `${payeeId} ${rowId}`);
    if (names.every((name) => had.has(name))) return;
    for (const name of names) had.add(name);
  } while (rows.length >= most && !isStopped());
}

/**
 * Does a piece of work for each row, a few at once: pieces that go into the same batch share its commit.
 *
 * @throws the first failure, after all were tried
 */
export async function fewAtOnce<Row>(
  rows: readonly Row[],
  atOnce: number,
  piece: (row: Row) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = rows.values();
  const walk = async () => {
    for (const row of waiting) await piece(row).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, walk));
  if (failures.length > 0) throw failures[0];
}
