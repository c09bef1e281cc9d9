import type { Transaction } from '../../db/transaction.types.ts';
import { collect } from '../days/close-day.ts';
import { settleDays } from '../days/days.store.ts';
import type { DisputedPayment } from '../disputes/disputes.types.ts';
import { noteDisputed } from '../disputes/save-dispute.ts';
import type { SettlementContext } from '../settlements.types.ts';
import type { BatchKey, FileLine, ImportedFile, ImportFile, NewBatch } from './files.types.ts';
import { findFile, insertBatches, insertFile, insertLines, lockImports } from './import.store.ts';
import { RefusedFile } from './refused-file.ts';
import { settleBatch } from './settle-batch.ts';
import { type Sorted, sortBatches } from './sort-batches.ts';
import { type ReadingFile, readLines, type WeighedFile } from './weigh-file.ts';

/** Lines that one statement writes. */
const LINES_OF_A_STATEMENT = 1_000;

/** A file that was read to its end once. */
export interface Weighed extends ImportFile {
  readonly reading: ReadingFile;
  readonly weighed: WeighedFile;
}

/**
 * Stores the sound batches of a file and compares them with our books.
 *
 * @throws RefusedFile where the file changes meanwhile, or has a line twice
 */
export async function importWeighed(
  transaction: Transaction,
  context: SettlementContext,
  given: Weighed,
): Promise<ImportedFile> {
  const { acquirer, file, weighed } = given;
  const { digest, lines } = weighed;
  const taken = await takeBatches(transaction, context, given);
  if (taken === undefined) return { ...NOTHING, isKnown: true };
  const { sorted, settled } = taken;
  // With a batch refused the file may come again, mended or not: what of it is there stays as it is.
  if (sorted.refused.length === 0) {
    await insertFile(transaction, { acquirer: acquirer.id, digest, name: file.name, lines });
  }
  return {
    ...settled,
    known: sorted.known.length,
    refused: sorted.refused.map(({ sums: { name, merchantId }, reason }) => ({ batch: name, merchantId, reason })),
  };
}

/** What became of the batches of a file that was not imported before. */
export interface TakenBatches {
  readonly sorted: Sorted;
  readonly settled: ImportedFile;
}

/**
 * Stores the sound batches and compares them with our books; undefined where this very file was imported before.
 *
 * @throws RefusedFile where the file changes meanwhile, or has a line twice
 */
export async function takeBatches(
  transaction: Transaction,
  context: SettlementContext,
  given: Weighed,
): Promise<TakenBatches | undefined> {
  const { acquirer, now, reading, weighed } = given;
  await lockImports(transaction);
  if (await findFile(transaction, acquirer.id, weighed.digest)) return undefined;
  await collect(transaction, context, acquirer);
  const sorted = await sortBatches(transaction, context, given);
  await storeBatches(transaction, reading, { batches: sorted.sound, now: now.toISOString() });
  const settled = await settleBatches(transaction, context, { ...given, batches: sorted.sound });
  return { sorted, settled };
}

const NOTHING: ImportedFile = {
  lines: 0,
  batches: 0,
  known: 0,
  isKnown: false,
  matched: 0,
  differences: 0,
  disputes: 0,
  refused: [],
};

async function storeBatches(
  transaction: Transaction,
  reading: ReadingFile,
  { batches, now }: { readonly batches: readonly NewBatch[]; readonly now: string },
): Promise<void> {
  if (batches.length === 0) return;
  const nameOf = (name: string, only: string | undefined) => JSON.stringify([name, only]);
  const byName = new Map(batches.map((batch) => [nameOf(batch.name, batch.only), batch]));
  const added = insertBatches(batches.map((batch) => ({ ...batch, now })));
  await transaction.run(added.statement, added.values);
  let lines: (FileLine & BatchKey)[] = [];
  let stored = 0;
  const write = async () => {
    const { statement, values } = insertLines(lines);
    await transaction.run(statement, values).catch((error: unknown) => {
      if ((error as { code?: string }).code !== '23505') throw error;
      throw new RefusedFile({ code: 'lineTwice' });
    });
    stored += lines.length;
    lines = [];
  };
  for await (const line of readLines(reading)) {
    const batch = byName.get(nameOf(line.batch, undefined)) ?? byName.get(nameOf(line.batch, line.merchantId));
    if (batch === undefined) continue;
    lines.push({ ...line, payeeId: batch.payeeId, acquirer: batch.acquirer, batchId: batch.batchId });
    if (lines.length === LINES_OF_A_STATEMENT) await write();
  }
  if (lines.length > 0) await write();
  const weighed = batches.reduce((sum, batch) => sum + batch.lines, 0);
  if (stored !== weighed) throw new RefusedFile({ code: 'fileChanged' });
}

async function settleBatches(
  transaction: Transaction,
  context: SettlementContext,
  { batches, now, actor, file, weighed }: Weighed & { readonly batches: readonly NewBatch[] },
): Promise<ImportedFile> {
  const total: { -readonly [Name in keyof ImportedFile]: ImportedFile[Name] } = { ...NOTHING, batches: batches.length };
  const disputed: DisputedPayment[] = [];
  const imported = { now: now.toISOString(), actor, file: { name: file.name, digest: weighed.digest } };
  for (const batch of batches) {
    const settled = await settleBatch(transaction, context, { batch, ...imported });
    total.lines += batch.lines;
    total.matched += settled.matched;
    total.differences += settled.differences;
    total.disputes += settled.disputes;
    disputed.push(...settled.disputed);
  }
  for (const payeeId of new Set(batches.map((batch) => batch.payeeId))) await settleDays(transaction, payeeId);
  await noteDisputed(transaction, disputed);
  return total;
}
