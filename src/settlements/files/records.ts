import { csvCells } from '../../kit/csv.ts';
import { RefusedFile } from './refused-file.ts';

/** Characters of one line of a file, with all of its cells. */
const RECORD_CHARACTERS = 16 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/** One line of a table: its number in the file, its text and its cells; none where its quotes are wrong. */
export interface Record {
  /** From 1, the header. */
  readonly number: number;
  readonly text: string;
  readonly cells: readonly string[] | undefined;
}

/**
 * Reads a table (RFC 4180) as it arrives, some lines at a time. A cell in quotes may have line breaks. Of the file no more is
 * in memory than a chunk and a line.
 *
 * @throws RefusedFile where it is not UTF-8, or a line is too long
 */
export async function* readRecords(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
): AsyncGenerator<readonly Record[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  let number = 0;
  const take = (text: string, isEnd: boolean): Record[] => {
    const { records, left } = splitRecords(text, isEnd);
    if (left.length > RECORD_CHARACTERS) {
      throw new RefusedFile({ code: 'lineTooLong', line: number + records.length + 1 });
    }
    rest = left;
    return records.flatMap((record) => {
      number += 1;
      if (record === '') return [];
      return [{ number, text: record, cells: cellsOf(record, delimiter) }];
    });
  };
  let isFirst = true;
  for await (const chunk of chunks) {
    let text = decode(decoder, chunk);
    const isMarked = isFirst && text.startsWith(BYTE_ORDER_MARK);
    isFirst &&= text === '';
    if (isMarked) text = text.slice(1);
    const records = take(rest + text, false);
    if (records.length > 0) yield records;
  }
  const last = take(rest + decode(decoder, undefined), true);
  if (last.length > 0) yield last;
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | undefined): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new RefusedFile({ code: 'notUtf8' });
  }
}

/** Lines without their ends. A line ends where no quote is open. */
function splitRecords(text: string, isEnd: boolean): { readonly records: string[]; readonly left: string } {
  const records: string[] = [];
  let from = 0;
  let isQuoted = false;
  let quote = text.indexOf('"');
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    for (; quote !== -1 && quote < end; quote = text.indexOf('"', quote + 1)) isQuoted = !isQuoted;
    if (isQuoted) continue;
    records.push(withoutReturn(text.slice(from, end)));
    from = end + 1;
  }
  const left = text.slice(from);
  if (!isEnd) return { records, left };
  if (left !== '') records.push(withoutReturn(left));
  return { records, left: '' };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function cellsOf(record: string, delimiter: string): readonly string[] | undefined {
  if (record.length > RECORD_CHARACTERS) return undefined;
  return record.includes('"') ? csvCells(record, delimiter) : record.split(delimiter);
}
