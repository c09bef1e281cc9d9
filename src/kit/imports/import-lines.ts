import { Refusal } from '../errors.ts';
import { progressBar } from '../work/progress.ts';
import type { ImportFiles, ImportFormat, ImportSummary, LineOutcome, NumberedLine, Rejection } from './import.types.ts';

/** Reads one line, in whichever form the file has. Throws a Refusal where it is not well-formed. */
export interface ImportReader<Line> {
  /** From one JSON object. */
  readonly readLine: (text: Buffer) => Line;
  /** Begins a table, whose first row names the members. Undefined: the row says nothing. */
  readonly beginTable: () => (cells: readonly string[]) => Line | undefined;
}

/** How the lines of an import file are read and written. */
export interface ImportLines<Line extends object> {
  readonly files: ImportFiles;
  readonly format: ImportFormat;
  readonly reader: ImportReader<Line>;
  /** Lines that are written together. */
  readonly batchLines: number;
  /**
   * Writes lines in one transaction, and tells what became of each, in their order. What takes nothing from the lines
   * before may be done at once; then it awaits `before`, which fails where these could not be written.
   */
  readonly write: (lines: readonly Line[], before: Promise<unknown>) => Promise<readonly LineOutcome[]>;
  readonly progress: (text: string | undefined) => void;
}

/**
 * Imports a whole file, a batch in each transaction; while one is written the next one is prepared and the one after it is
 * read. What was written stays when the run is cut off: the next run finds it and goes on behind it.
 */
export async function importLines<Line extends object>(run: ImportLines<Line>): Promise<ImportSummary> {
  const summary: { -readonly [Name in keyof ImportSummary]: ImportSummary[Name] } = {
    lines: 0,
    imported: 0,
    unchanged: 0,
    rejected: 0,
  };
  let [writing, preparing]: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()];
  const write = async (batch: readonly NumberedLine<Line>[], before: Promise<void>): Promise<void> => {
    const outcomes = await writeBatch(run, batch, before);
    await before;
    const refused: string[] = [];
    outcomes.forEach((outcome, index) => {
      if (typeof outcome === 'string') summary[outcome] = (summary[outcome] ?? 0) + 1;
      else refused.push(JSON.stringify({ line: batch[index]?.number, ...outcome }));
    });
    summary.lines += batch.length;
    summary.rejected += refused.length;
    if (refused.length > 0) await run.files.reject(refused);
    run.progress(`${progressBar(run.files.share())}, ${summary.lines} lines, ${summary.rejected} refused`);
  };
  try {
    for await (const batch of batches(run)) {
      await writing;
      writing = preparing;
      preparing = write(batch, writing);
      // Awaited with a later batch; until then a failure must not count as one that is not handled.
      preparing.catch(() => undefined);
    }
    await preparing;
  } finally {
    // One that has failed fails the one behind it. Nothing is under way any more when this ends.
    await Promise.allSettled([writing, preparing]);
  }
  run.progress(undefined);
  return summary;
}

/** Whether a line is refused. */
export function isRejection(line: object): line is Rejection {
  return 'member' in line && 'reason' in line;
}

/** Writes the lines that are well-formed. */
async function writeBatch<Line extends object>(
  { write }: ImportLines<Line>,
  batch: readonly NumberedLine<Line>[],
  before: Promise<void>,
): Promise<LineOutcome[]> {
  const lines = batch.flatMap(({ read }) => (isRejection(read) ? [] : [read as Line]));
  const next = (await write(lines, before))[Symbol.iterator]();
  return batch.map(({ read }) => (isRejection(read) ? read : (next.next().value as LineOutcome)));
}

async function* batches<Line extends object>(run: ImportLines<Line>): AsyncGenerator<readonly NumberedLine<Line>[]> {
  let batch: NumberedLine<Line>[] = [];
  for await (const lines of run.format === 'csv' ? rowsOf(run) : linesOf(run)) {
    for (const line of lines) {
      batch.push(line);
      if (batch.length < run.batchLines) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

async function* linesOf<Line extends object>({
  files,
  reader: { readLine },
}: ImportLines<Line>): AsyncGenerator<readonly NumberedLine<Line>[]> {
  let number = 0;
  for await (const lines of files.lines) {
    yield lines.flatMap((line) => {
      number++;
      if (line === undefined) return [{ number, read: TOO_LONG }];
      return isBlank(line) ? [] : [{ number, read: orRejection(() => readLine(line)) }];
    });
  }
}

async function* rowsOf<Line extends object>({
  files,
  reader: { beginTable },
}: ImportLines<Line>): AsyncGenerator<readonly NumberedLine<Line>[]> {
  const readRow = beginTable();
  for await (const rows of files.rows) {
    yield rows.flatMap(({ number, cells }) => {
      const read = orRejection(() => readRow(cells));
      return read === undefined ? [] : [{ number, read }];
    });
  }
}

const TOO_LONG: Rejection = { member: 'line', reason: 'must not be longer than 16 KiB' };

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function orRejection<Read extends object | undefined>(read: () => Read): Read | Rejection {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return rejection(error.problems[0] ?? { name: 'line', description: error.detail });
  }
}

/** The whole of a line is called so, and not `body` as in a request. */
function rejection({ name, description }: { name: string; description: string }): Rejection {
  return { member: name === 'body' ? 'line' : name, reason: description };
}
