import { Parser } from 'csv-parse';
import type { Row, Rows } from '../../kit/imports/import.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';

/** Characters of one row, with all of its cells. */
const ROW_CHARACTERS = 16 * 1024;
/** Bytes that are parsed at a time. */
const PIECE_BYTES = 16 * 1024;
/** Bytes without the end of a row: four for each character, and the separators of empty cells. */
const LONGEST_ROW_BYTES = 5 * ROW_CHARACTERS;
const LINE_FEED = 10;

/**
 * Reads a table as it arrives (RFC 4180), some rows at a time. Comma, semicolon or tab separates its cells: the one of which
 * the first line has most. Of the file, no more is in memory than a chunk and a row.
 *
 * @throws Trouble that names the row where a quote is wrong or the row is too long. It never has a value
 */
export async function* readRows(chunks: AsyncIterable<Buffer>): Rows {
  let start = Buffer.alloc(0);
  let table: Table | undefined;
  for await (const piece of piecesOf(chunks)) {
    if (table !== undefined) {
      yield await table.write(piece);
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (!start.includes(LINE_FEED) && start.length < LONGEST_ROW_BYTES) continue;
    table = openTable(start);
    yield await table.write(start);
  }
  if (table === undefined) {
    table = openTable(start);
    yield await table.write(start);
  }
  yield await table.end();
}

async function* piecesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/** A table that is being read. Each call gives the rows that have come to their end. */
interface Table {
  write(piece: Buffer): Promise<readonly Row[]>;
  end(): Promise<readonly Row[]>;
}

function openTable(start: Buffer): Table {
  let found: Row[] = [];
  let bytesOfRow = 0;
  const parser = new Parser({
    bom: true,
    delimiter: delimiterOf(start),
    max_record_size: ROW_CHARACTERS,
    // Each row is taken as it ends, so nothing is left for the parser's own readers.
    on_record: (cells: readonly string[], { records, empty_lines }) => {
      found.push({ number: records + empty_lines, cells });
      return null;
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // It is reported to the writer too, who tells of it.
  parser.on('error', () => undefined);
  const take = (error: Error | null | undefined): readonly Row[] => {
    const number = parser.info.records + parser.info.empty_lines + 1;
    if (error) throw troubleOf(error, number);
    const rows = found;
    found = [];
    bytesOfRow = rows.length === 0 ? bytesOfRow : 0;
    if (bytesOfRow > LONGEST_ROW_BYTES) throw tooLong(number);
    return rows;
  };
  return {
    write: (piece) =>
      new Promise<Error | null | undefined>((resolve) => {
        bytesOfRow += piece.length;
        parser.write(piece, resolve);
      }).then(take),
    end: () => new Promise<Error | null | undefined>((resolve) => parser.end(resolve)).then(take),
  };
}

/** The first of them where the line has as many of another. */
const DELIMITERS = [',', ';', '\t'] as const;

function delimiterOf(start: Buffer): string {
  const [line = ''] = start.toString('latin1').split('\n', 1);
  const times = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[times.indexOf(Math.max(...times))] as string;
}

const NEXT = 'Correct it and run this again.';

/** The parser's own message repeats what is in the file. */
function troubleOf(error: Error, number: number): Error {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'CSV_MAX_RECORD_SIZE':
      return tooLong(number);
    case 'CSV_QUOTE_NOT_CLOSED':
      return new Trouble(`Row ${number} has a quote that is not closed. ${NEXT}`);
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return new Trouble(
        `Row ${number} has a quote in the wrong place: quotes stand around a whole cell, and one within it is doubled. ${NEXT}`,
      );
    default:
      return error;
  }
}

function tooLong(number: number): Trouble {
  return new Trouble(`Row ${number} is longer than 16 KiB, or a quote in it is not closed. ${NEXT}`);
}
