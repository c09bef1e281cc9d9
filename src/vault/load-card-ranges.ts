import type { Transaction } from '../db/transaction.types.ts';
import type { Row, Rows } from '../kit/imports/import.types.ts';
import { CARD_RANGE_BATCH_LINES } from '../kit/limits.ts';
import { Trouble } from '../kit/work/trouble.ts';
import { type CardRangeColumns, type NewCardRange, readCardRange, readHeader } from './card-range-file.rules.ts';
import { deleteCardRanges, insertCardRanges, lockCardRanges } from './card-ranges.store.ts';

/** Bad lines of a card-range file that are reported before the rest is only counted. */
export const CARD_RANGE_REPORTED_LINES = 100;

/** A line of the file that holds no range. */
export interface BadLine {
  /** Counts from 1, the header included. */
  readonly line: number;
  readonly reason: string;
}

/** What became of a file of card ranges. */
export interface LoadedCardRanges {
  readonly loaded: number;
  /** How many ranges of an earlier file they took the place of. */
  readonly replaced: number;
}

/** Nothing was loaded, because of these lines. */
export class BadCardRanges extends Trouble {
  /** The first ones. */
  readonly lines: readonly BadLine[];
  readonly count: number;

  constructor(lines: readonly BadLine[], count: number) {
    super(`${count} lines of the file are bad, so nothing was changed. The first: ${describe(lines)}`);
    this.lines = lines;
    this.count = count;
  }
}

function describe(lines: readonly BadLine[]): string {
  return lines
    .slice(0, 3)
    .map(({ line, reason }) => `line ${line}: ${reason}`)
    .join('; ');
}

/**
 * Puts the ranges of a file in the place of those that an operator loaded before; the sandbox's stay. All or nothing.
 *
 * @param rows the first one names the columns; empty ones count and hold nothing
 * @param onProgress gets the number of lines read so far
 * @throws BadCardRanges that lists the bad lines by number
 */
export async function loadCardRanges(
  transaction: Transaction,
  rows: Rows,
  onProgress: (lines: number) => void,
): Promise<LoadedCardRanges> {
  await lockCardRanges(transaction);
  const replaced = await deleteCardRanges(transaction, 'operator');
  const file = new CardRangeFile();
  let loaded = 0;
  for await (const some of rows) {
    for (const row of some) {
      file.take(row);
      if (file.batch.length < CARD_RANGE_BATCH_LINES) continue;
      loaded += await save(transaction, file);
      onProgress(row.number);
    }
  }
  loaded += await save(transaction, file);
  if (file.isEmpty) file.report(1, 'the file is empty');
  else if (loaded === 0 && file.badCount === 0) file.report(1, 'no range is below the first line: nothing was changed');
  if (file.badCount > 0) throw new BadCardRanges(file.bad, file.badCount);
  return { loaded, replaced };
}

async function save(transaction: Transaction, file: CardRangeFile): Promise<number> {
  const batch = file.batch.splice(0);
  if (batch.length === 0) return 0;
  const added = new Set(
    await insertCardRanges(
      transaction,
      'operator',
      batch.map(({ range }) => range),
    ),
  );
  // Each added prefix stands for its first line; what is left repeats one.
  for (const { line, range } of batch) {
    if (!added.delete(range.prefix)) file.report(line, 'an earlier line has the same prefix');
  }
  return batch.length;
}

/** The file as it is read: its columns, the ranges to be saved next, and what is bad. */
class CardRangeFile {
  readonly batch: { readonly line: number; readonly range: NewCardRange }[] = [];
  readonly bad: BadLine[] = [];
  badCount = 0;
  isEmpty = true;
  #columns: CardRangeColumns | undefined;

  take({ number, cells }: Row): void {
    if (this.isEmpty) {
      this.isEmpty = false;
      const header = readHeader(cells);
      if (typeof header === 'string') this.report(number, header);
      else this.#columns = header;
      return;
    }
    // Without its columns no row can be read; the header alone is reported then.
    if (this.#columns === undefined || cells.every((cell) => cell.trim() === '')) return;
    const range = readCardRange(this.#columns, cells);
    if (typeof range === 'string') this.report(number, range);
    else this.batch.push({ line: number, range });
  }

  report(line: number, reason: string): void {
    this.badCount++;
    if (this.bad.length < CARD_RANGE_REPORTED_LINES) this.bad.push({ line, reason });
  }
}
