import { csvCells } from '../../kit/csv.ts';
import { inputError } from '../../kit/errors.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { CardFormat } from './bulk.types.ts';
import type { CardImportService, CardLineInput } from './import.types.ts';

const REQUIRED = ['accountKey', 'expiryDate', 'balance'];

/**
 * Makes what reads the lines of one file, one after the other. In CSV the first line names the members; comma or
 * semicolon part them, and what is empty is not there.
 */
export function cardLineReader(
  format: CardFormat,
  { checkLine, parseJson }: Pick<CardImportService, 'checkLine' | 'parseJson'>,
): (text: Buffer) => CardLineInput | undefined {
  if (format === 'ndjson') return (text) => checkLine(parseJson(text));
  let names: readonly string[] | undefined;
  let separator: ',' | ';' = ',';
  return (text) => {
    const line = text.toString('utf8').replace(/\r$/, '');
    if (names === undefined) {
      separator = line.includes(';') ? ';' : ',';
      names = headingOf(line, separator);
      return undefined;
    }
    const cells = csvCells(line, separator);
    if (cells === undefined || cells.length !== names.length) {
      throw inputError('line', 'must have as many cells as the first line, with quotes around whole cells only');
    }
    return checkLine(membersOf(names, cells));
  };
}

function headingOf(line: string, separator: ',' | ';'): readonly string[] {
  const names = csvCells(line, separator)?.map((name) => name.trim());
  if (names === undefined || !REQUIRED.every((name) => names.includes(name))) {
    throw new Trouble(`The first line must name the columns, among them ${REQUIRED.join(', ')}.`);
  }
  return names;
}

function membersOf(names: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const filled = names.flatMap((name, place) => (cells[place] ? [[name, memberOf(name, cells[place])] as const] : []));
  return Object.fromEntries(filled);
}

/** What is no text in JSON. Anything else stays as it is, and is refused for its form. */
function memberOf(name: string, cell: string): unknown {
  if (name === 'balance' && /^(0|[1-9][0-9]{0,14})$/.test(cell)) return Number(cell);
  if (name === 'blocked' && (cell === 'true' || cell === 'false')) return cell === 'true';
  return cell;
}
