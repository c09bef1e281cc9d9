import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { collect } from '../days/close-day.ts';
import { settleDays } from '../days/days.store.ts';
import type { DisputedPayment } from '../disputes/disputes.types.ts';
import { noteDisputed } from '../disputes/save-dispute.ts';
import type { SettlementContext } from '../settlements.types.ts';
import type { BatchKey, BatchOwner, BatchSums, FileLine, ImportedFile, ImportFile, NewBatch } from './files.types.ts';
import {
  findBatch,
  findFile,
  insertBatches,
  insertFile,
  insertLines,
  isWithdrawn,
  lockImports,
} from './import.store.ts';
import { settleBatch } from './settle-batch.ts';
import { type ReadingFile, readLines, type WeighedFile } from './weigh-file.ts';

/** Lines that one statement writes. */
const LINES_OF_A_STATEMENT = 1_000;

/** A file that was read to its end once. */
interface Weighed extends ImportFile {
  readonly reading: ReadingFile;
  readonly weighed: WeighedFile;
}

/**
 * Stores the sound batches of a file and compares them with our books.
 *
 * @throws Trouble where the file changes meanwhile, or has a line twice
 */
export async function importWeighed(
  transaction: Transaction,
  context: SettlementContext,
  given: Weighed,
): Promise<ImportedFile> {
  const { acquirer, file, now, reading, weighed, takesWithdrawn } = given;
  const { digest, lines } = weighed;
  await lockImports(transaction);
  if (await findFile(transaction, acquirer.id, digest)) return { ...NOTHING, isKnown: true };
  await collect(transaction, context, acquirer);
  const sorted = await sortBatches(transaction, context, { acquirer, weighed, takesWithdrawn });
  await storeBatches(transaction, reading, { batches: sorted.sound, now: now.toISOString() });
  const settled = await settleBatches(transaction, context, { ...given, batches: sorted.sound });
  // With a batch refused the file may come again, mended or not: what of it is there stays as it is.
  if (sorted.refused.length === 0) {
    await insertFile(transaction, { acquirer: acquirer.id, digest, name: file.name, lines });
  }
  return { ...settled, known: sorted.known, refused: sorted.refused };
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

interface Sorted {
  readonly sound: readonly NewBatch[];
  readonly known: number;
  readonly refused: ImportedFile['refused'];
}

async function sortBatches(
  transaction: Transaction,
  { hosts, newId }: SettlementContext,
  { acquirer, weighed, takesWithdrawn }: Pick<Weighed, 'acquirer' | 'weighed' | 'takesWithdrawn'>,
): Promise<Sorted> {
  const sound: NewBatch[] = [];
  const refused: ImportedFile['refused'][number][] = [];
  let known = 0;
  for (const sums of weighed.batches) {
    const refuse = (reason: string) => refused.push({ batch: sums.name, merchantId: sums.merchantId, reason });
    const owner = sums.fault === undefined ? ownerOf(sums, (id) => hosts.withMerchantId(acquirer.id, id)) : sums.fault;
    if (typeof owner === 'string') {
      refuse(owner);
      continue;
    }
    const batch = { ...sums, ...owner, acquirer: acquirer.id, batchId: newId() };
    const before = await findBatch(transaction, batch);
    const reason = before === undefined ? await whyNot(transaction, batch, takesWithdrawn) : ANOTHER;
    if (before?.equals(sums.digest)) known += 1;
    else if (reason === undefined) sound.push(batch);
    else refuse(reason);
  }
  return { sound, known, refused };
}

const ANOTHER = 'another batch of this name was imported: withdraw that one first if it is wrong';

/** A batch that was withdrawn stays so when its file is read again, unless a person wants it. */
async function whyNot(
  transaction: Transaction,
  batch: NewBatch,
  takesWithdrawn: true | undefined,
): Promise<string | undefined> {
  if (takesWithdrawn || !(await isWithdrawn(transaction, batch))) return undefined;
  return 'this very batch was withdrawn: import the right file, or say --again';
}

/** Whom a batch pays; in words why that is no payee, or more than one. */
function ownerOf(
  { paid, currency }: BatchSums,
  withMerchantId: (
    merchantId: string,
  ) => readonly { readonly payeeId: PayeeId; readonly id: string; readonly currencies: readonly string[] }[],
): BatchOwner | string {
  const agreements = [...paid].flatMap((merchantId) => withMerchantId(merchantId));
  const [first] = agreements;
  if (first === undefined) return 'its Payout names no merchant number of an agreement';
  if (agreements.some(({ payeeId }) => payeeId !== first.payeeId)) return 'its Payouts are for several payees';
  const { payeeId, id } = agreements.find(({ currencies }) => currencies.includes(currency)) ?? first;
  return { payeeId, agreement: id };
}

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
      throw new Trouble('A batch has two lines with the same lineId. Nothing was imported.');
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
  if (stored !== weighed) throw new Trouble('The file has changed while it was read. Nothing was imported.');
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
