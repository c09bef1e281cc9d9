import type { SettlementFileForm } from '../../issuers/acquirers/acquirers.types.ts';
import { inUtf8 } from '../../kit/imports/foreign-encoding.ts';
import type { Currency } from '../../kit/money.ts';
import { looksLikeCardNumber } from './card-scan.rules.ts';
import type { BatchSums, Digest, FileFault, FileLine, LineFault, OpenFile, UnreadLine } from './files.types.ts';
import { batchNameIn, delimiterOf, lineReader, type ReadLine } from './read-line.rules.ts';
import { type Record, readRecords } from './records.ts';
import { RefusedFile } from './refused-file.ts';

/** Batches of one file: an acquirer of twenty thousand agreements pays each once a day. Their sums are in memory. */
const FILE_BATCHES = 50_000;
/** Lines that cannot be read and are told one by one: after these a file is wrong as a whole. */
const UNREAD_LINES = 100;

/** How a file is read. */
export interface ReadingFile {
  readonly file: OpenFile;
  readonly form: SettlementFileForm;
  /** Whether these digits are a merchant number of ours. */
  readonly isMerchantId: (digits: string) => boolean;
  /** Batches that it may hold; undefined: as many as fit into the memory of a command. */
  readonly mostBatches?: number | undefined;
}

/** A file after it was looked at as a whole. */
export interface WeighedFile {
  /** SHA-256 of its bytes. */
  readonly digest: Buffer;
  readonly lines: number;
  readonly batches: readonly BatchSums[];
  /** The first lines that cannot be read, and how many there are. */
  readonly unread: readonly UnreadLine[];
  readonly unreadLines: number;
}

/**
 * Reads a file to its end and sums each batch, before anything is stored.
 *
 * @throws RefusedFile where it is no such table, or something in it looks like a card number
 */
export async function weighFile(reading: ReadingFile): Promise<WeighedFile> {
  const { newDigest } = reading.file;
  const { mostBatches = FILE_BATCHES } = reading;
  const whole = newDigest();
  const names = new Map<string, WeighingName>();
  const told: UnreadLine[] = [];
  let lines = 0;
  let begun = 0;
  let unreadLines = 0;
  const begin = (): Weighing => {
    begun += 1;
    if (begun > 2 * mostBatches) throw new RefusedFile({ code: 'tooManyBatches', value: String(mostBatches) });
    return newWeighing(newDigest());
  };
  for await (const { record, line, unread } of linesOf(reading, (chunk) => whole.update(chunk))) {
    lines += 1;
    refuseCardNumbers(record, reading);
    const name = line?.batch ?? unread?.batch;
    if (name === undefined) throw new RefusedFile({ code: 'emptyCell', line: record.number, ...unread?.reason });
    const weighing = names.get(name) ?? { whole: begin(), parts: new Map(), unread: undefined };
    names.set(name, weighing);
    if (unread !== undefined) {
      weighing.unread ??= { ...unread.reason, line: record.number };
      unreadLines += 1;
      if (told.length < UNREAD_LINES) told.push({ line: record.number, batch: name, reason: unread.reason });
      continue;
    }
    const part = weighing.parts.get(line.merchantId) ?? begin();
    weighing.parts.set(line.merchantId, part);
    for (const one of [weighing.whole, part]) weigh(one, line, record);
  }
  return { digest: whole.digest(), lines, batches: Array.from(names, batchesOf).flat(), unread: told, unreadLines };
}

/** The lines of a file again. */
export async function* readLines(reading: ReadingFile): AsyncGenerator<FileLine> {
  for await (const { line } of linesOf(reading)) if (line !== undefined) yield line;
}

/** Why there is no line, and whose it would be. */
interface Unread {
  readonly reason: LineFault;
  readonly batch: string | undefined;
}

/** A line of a file as it was read, or why it was not. */
type ReadRecord = { readonly record: Record } & (
  | { readonly line: FileLine; readonly unread: undefined }
  | { readonly line: undefined; readonly unread: Unread }
);

const inOtherEncoding = (value: string) => new RefusedFile({ code: 'otherEncoding', value });

async function* linesOf(
  { file, form }: ReadingFile,
  seen: (chunk: Buffer) => void = () => undefined,
): AsyncGenerator<ReadRecord> {
  let read: ReadLine | undefined;
  let batchPlace = -1;
  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of inUtf8(file.chunks(), inOtherEncoding)) {
      seen(chunk);
      yield chunk;
    }
  }
  for await (const records of readRecords(chunks(), delimiterOf(form))) {
    for (const record of records) {
      if (read === undefined) {
        read = readerOf(form, record);
        batchPlace = record.cells?.indexOf(batchColumn(form)) ?? -1;
        continue;
      }
      const found = record.cells === undefined ? ({ code: 'openQuotes' } as const) : read(record.cells);
      if ('net' in found) yield { record, line: found, unread: undefined };
      else {
        const batch = batchNameIn(record.cells?.[batchPlace]);
        yield { record, line: undefined, unread: { reason: found, batch } };
      }
    }
  }
  if (read === undefined) throw new RefusedFile({ code: 'emptyFile' });
}

function batchColumn(form: SettlementFileForm): string {
  return 'format' in form ? 'batchId' : (form.columns['batchId'] ?? 'batchId');
}

function readerOf(form: SettlementFileForm, { cells }: Record): ReadLine {
  const made = lineReader(form, cells ?? []);
  if (typeof made === 'function') return made;
  throw new RefusedFile({ code: 'columnsMissing', value: made.join(', ') });
}

/** Whatever may not be stored in the clear refuses the file: its other lines may have more of it (PCI DSS 4.0.1, 3.5.1). */
function refuseCardNumbers({ cells = [], text, number }: Record, { isMerchantId }: ReadingFile): void {
  const found = (cells.length === 0 ? [text] : cells).findIndex((cell) => looksLikeCardNumber(cell, isMerchantId));
  if (found === -1) return;
  throw new RefusedFile({ code: 'cardNumber', line: number, value: String(found + 1) });
}

/** Lines of one name while they come. */
interface WeighingName {
  readonly whole: Weighing;
  /** By merchant number. */
  readonly parts: Map<string, Weighing>;
  /** Why its first line that cannot be read cannot. */
  unread: FileFault | undefined;
}

/** A batch while its lines come. */
interface Weighing {
  readonly hash: Digest;
  readonly paid: Set<string>;
  currency: Currency | undefined;
  lines: number;
  gross: number;
  fee: number;
  payout: number;
  payouts: number;
  fault: FileFault | undefined;
}

function newWeighing(hash: Digest): Weighing {
  return {
    hash,
    paid: new Set(),
    currency: undefined,
    lines: 0,
    gross: 0,
    fee: 0,
    payout: 0,
    payouts: 0,
    fault: undefined,
  };
}

function weigh(batch: Weighing, line: FileLine, { number, text }: Record): void {
  batch.hash.update(`${text}\n`);
  batch.lines += 1;
  batch.currency ??= line.currency;
  if (batch.currency !== line.currency) batch.fault ??= { code: 'currencyChanges', line: number };
  if (line.type === 'Payout') {
    batch.payout += line.net;
    batch.payouts += 1;
    batch.paid.add(line.merchantId);
  } else {
    batch.gross += line.gross;
    batch.fee += line.fee;
  }
  if (!Number.isSafeInteger(batch.gross) || !Number.isSafeInteger(batch.fee)) batch.fault ??= { code: 'sumsTooLarge' };
}

/** The batches of a name: one for each merchant number where each has a Payout of its own, else all of its lines together. */
function batchesOf([name, { whole, parts, unread }]: [string, WeighingName]): readonly BatchSums[] {
  const isSplit = parts.size > 1 && [...parts.values()].every(({ payouts }) => payouts > 0);
  if (!isSplit) return [sumsOf(name, undefined, { ...whole, fault: unread ?? whole.fault })];
  return Array.from(parts, ([only, part]) => sumsOf(name, only, { ...part, fault: unread ?? part.fault }));
}

function sumsOf(
  name: string,
  only: string | undefined,
  { hash, payouts, fault, currency, ...batch }: Weighing,
): BatchSums {
  const { gross, fee, payout, paid } = batch;
  const wrong = payouts === 0 ? 'noPayout' : gross + fee === payout ? undefined : 'sumsDiffer';
  const [merchantId = ''] = paid;
  // A batch that has a line has its currency, or a fault.
  return {
    ...batch,
    name,
    merchantId,
    only,
    currency: currency as Currency,
    digest: hash.digest(),
    fault: fault ?? (wrong && { code: wrong }),
  };
}
