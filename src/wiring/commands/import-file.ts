import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { inUtf8 } from '../../kit/imports/foreign-encoding.ts';
import type { FileStamp, ImportFiles, Lines, Rows } from '../../kit/imports/import.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { readRows } from './csv-rows.ts';

/** Characters of one line of an import file. */
const IMPORT_LINE_CHARACTERS = 16 * 1024;

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 10;
/** Modes that let others than the owner use a file. Windows has no such modes. */
const OTHERS = 0o077;
/** Some programs begin a text with it. It belongs to no line, and a reader may ignore it (RFC 8259, section 8.1). */
const BYTE_ORDER_MARK = Buffer.from('efbbbf', 'hex');

/**
 * Opens a migration file. What is refused goes to a file beside it, named like it with `.rejected`, for its owner only.
 * That of an earlier run is replaced once the lines are asked for, and not before: a run that never begins leaves it.
 *
 * @throws Trouble where the file cannot be read; the lines throw it where the other one cannot be written
 */
export async function openImport(path: string): Promise<ImportFiles> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new Trouble(`${path} cannot be read (${error.code}).`);
  });
  const stats = await file.stat();
  if (stats.isDirectory()) {
    await file.close();
    throw new Trouble(`${path} is a folder; what is imported is a file.`);
  }
  const { size } = stats;
  let rejected: FileHandle | undefined;
  let bytesRead = 0;
  const stream = file.createReadStream({ highWaterMark: CHUNK_BYTES });
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of inUtf8(stream, inOtherEncoding(path))) {
      rejected ??= await openRejected(`${path}.rejected`);
      const isMarked = bytesRead === 0 && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK);
      bytesRead += chunk.length;
      yield isMarked ? chunk.subarray(3) : chunk;
    }
    rejected ??= await openRejected(`${path}.rejected`);
  }
  return {
    isExposed: process.platform !== 'win32' && (stats.mode & OTHERS) !== 0,
    format: /\.csv$/i.test(path) ? 'csv' : 'ndjson',
    lines: splitLines(counted()),
    rows: readRows(counted()),
    share: () => (size === 0 ? 1 : bytesRead / size),
    reject: async (lines) => {
      await rejected?.appendFile(lines.map((line) => `${line}\n`).join('')).catch((error: unknown) => {
        throw notWritten(`${path}.rejected`, error);
      });
    },
    close: async () => {
      stream.destroy();
      await rejected?.close();
    },
  };
}

/**
 * The name and the digest of a file, for who asks later what it was; undefined of a pipe, which can be read once only.
 *
 * @throws Trouble where it cannot be read
 */
export async function stampFile(path: string): Promise<FileStamp | undefined> {
  try {
    if (!(await stat(path)).isFile()) return undefined;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) hash.update(chunk as Buffer);
    return { name: basename(path), digest: hash.digest('hex') };
  } catch (error) {
    throw new Trouble(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/**
 * The rows of a CSV file. It is opened when the first one is asked for.
 *
 * @throws Trouble where it cannot be read, or is no table of UTF-8 texts
 */
export async function* readTable(path: string): Rows {
  yield* opened(path, readRows);
}

const inOtherEncoding = (path: string) => (encoding: string) =>
  new Trouble(
    `${path} is ${encoding}, and must be UTF-8. Save it as UTF-8 (a spreadsheet: as CSV UTF-8), and run this again.`,
  );

async function* opened<Part>(
  path: string,
  read: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Part>,
): AsyncGenerator<Part> {
  const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  try {
    yield* read(inUtf8(stream, inOtherEncoding(path)));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new Trouble(`${path} cannot be read (${code}).`);
  }
}

/**
 * The lines of a file, likewise.
 *
 * @param longest bytes of a line; one that is longer is passed over
 * @throws Trouble where it cannot be read, or is no text of UTF-8
 */
export async function* readLines(path: string, longest?: number): Lines {
  yield* opened(path, (chunks) => splitLines(chunks, longest));
}

async function openRejected(path: string): Promise<FileHandle> {
  try {
    await rm(path, { force: true });
    return await open(path, 'wx', 0o600);
  } catch (error) {
    throw notWritten(path, error);
  }
}

function notWritten(path: string, error: unknown): Trouble {
  return new Trouble(
    `${path} cannot be written (${(error as NodeJS.ErrnoException).code}). Make room, or import the file from a folder that you may write to: what is imported is not imported twice.`,
  );
}

/** Lines without their ends, as many at a time as a chunk has. A line that is too long is passed over and not kept. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, longest = IMPORT_LINE_CHARACTERS): Lines {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    const lines: (Buffer | undefined)[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const part = chunk.subarray(from, end);
      lines.push(joined(rest, part, { restBytes, longest }));
      rest = [];
      restBytes = 0;
      from = end + 1;
    }
    restBytes += chunk.length - from;
    // Of a line without an end no more is kept than shows that it is too long.
    rest = restBytes > longest ? [] : [...rest, chunk.subarray(from)];
    if (lines.length > 0) yield lines;
  }
  if (restBytes > 0) yield [joined(rest, Buffer.alloc(0), { restBytes, longest })];
}

function joined(
  rest: readonly Buffer[],
  part: Buffer,
  { restBytes, longest }: { readonly restBytes: number; readonly longest: number },
): Buffer | undefined {
  if (restBytes + part.length > longest) return undefined;
  const line = rest.length === 0 ? part : Buffer.concat([...rest, part]);
  return line.at(-1) === 13 ? line.subarray(0, -1) : line;
}
