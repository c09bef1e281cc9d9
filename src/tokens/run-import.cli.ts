import { COMMAND_LINE } from '../kit/caller.ts';
import { Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { IMPORT_BATCH_LINES } from '../kit/limits.ts';
import { progressBar } from '../kit/progress.ts';
import type {
  ImportFiles,
  ImportLineInput,
  ImportSummary,
  LineOutcome,
  Rejection,
  TokensService,
} from './import.types.ts';
import { importTokens } from './import-tokens.ts';

/** A line of the file with its number, counted from 1 over all lines, blank ones too. */
interface NumberedLine {
  readonly number: number;
  readonly read: ImportLineInput | Rejection;
}

interface RunImport {
  readonly service: TokensService;
  readonly files: ImportFiles;
  readonly payeeId: PayeeId;
  readonly progress: (text: string | undefined) => void;
}

/**
 * Imports a whole file, a batch in each transaction; while one is written the next one is read. What was written stays
 * when the run is cut off: the next run finds it and goes on behind it.
 */
export async function runImport(run: RunImport): Promise<ImportSummary> {
  const summary = { lines: 0, imported: 0, unchanged: 0, rejected: 0 };
  let writing: Promise<void> = Promise.resolve();
  const write = async (batch: readonly NumberedLine[]): Promise<void> => {
    const outcomes = await importBatch(run, batch);
    const refused: string[] = [];
    outcomes.forEach((outcome, index) => {
      if (outcome === 'imported' || outcome === 'unchanged') summary[outcome]++;
      else refused.push(JSON.stringify({ line: batch[index]?.number, ...outcome }));
    });
    summary.lines += batch.length;
    summary.rejected += refused.length;
    if (refused.length > 0) await run.files.reject(refused);
    run.progress(`${progressBar(run.files.share())}, ${summary.lines} lines, ${summary.rejected} refused`);
  };
  for await (const batch of batches(run)) {
    await writing;
    writing = write(batch);
    // Awaited with the next batch; until then a failure must not count as one that nobody handles.
    writing.catch(() => undefined);
  }
  await writing;
  run.progress(undefined);
  return summary;
}

/** Imports the lines that are well-formed. */
async function importBatch({ service, payeeId }: RunImport, batch: readonly NumberedLine[]): Promise<LineOutcome[]> {
  const lines = batch.flatMap(({ read }) => ('member' in read ? [] : [read]));
  const command = { payeeId, lines, actor: COMMAND_LINE };
  const outcomes = await service.transact((transaction) => importTokens(transaction, service.importWorld, command));
  const next = outcomes[Symbol.iterator]();
  return batch.map(({ read }) => ('member' in read ? read : (next.next().value as LineOutcome)));
}

async function* batches(run: RunImport): AsyncGenerator<readonly NumberedLine[]> {
  let batch: NumberedLine[] = [];
  let number = 0;
  for await (const lines of run.files.lines) {
    for (const line of lines) {
      number++;
      if (line !== undefined && isBlank(line)) continue;
      batch.push({ number, read: line === undefined ? TOO_LONG : readLine(run, line) });
      if (batch.length < IMPORT_BATCH_LINES) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

const TOO_LONG: Rejection = { member: 'line', reason: 'must not be longer than 16 KiB' };

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function readLine({ service }: RunImport, line: Buffer): ImportLineInput | Rejection {
  try {
    return service.readLine(line);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return rejection(error.problems[0] ?? { name: 'line', description: error.detail });
  }
}

/** The whole of a line is called so, and not `body` as in a request. */
function rejection({ name, description }: { name: string; description: string }): Rejection {
  return { member: name === 'body' ? 'line' : name, reason: description };
}
