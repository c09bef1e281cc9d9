/**
 * What a program for tables takes for the beginning of a formula (OWASP ASVS 5, 1.2.10): the signs, and what such a program
 * makes of them, as full-width ones.
 */
const SIGNS = '=+@\u207a-\u207c\u208a-\u208c\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20\\-';
const MAY_BE_FORMULA = new RegExp(`[${SIGNS}\t\r]`, 'u');
/** Marks that are not seen, blanks and quotes before a sign do not make it harmless. */
const FORMULA = new RegExp(`^[\\p{Cf}\\p{Zs}\\p{Default_Ignorable_Code_Point}"]*[${SIGNS}]`, 'u');
/**
 * What may end a cell where the reader's separator is not ours: in the Nordics it is the semicolon, and there our quotes do not
 * begin a cell, so they hold nothing together.
 */
const SEPARATORS = /([;|\t\r\n])/;
/** A negative number begins like a formula, and is none. */
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/;

/**
 * A line of a table (RFC 4180), with its end. All tables that leave the service are written by this. A text that a program
 * for tables would run gets an apostrophe before it.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => quoted(String(cell))).join(',')}\n`;
}

function quoted(cell: string): string {
  const harmless = MAY_BE_FORMULA.test(cell) && !NUMBER.test(cell) ? withoutFormulas(cell) : cell;
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function withoutFormulas(cell: string): string {
  const pieces = cell.split(SEPARATORS).map((piece) => (FORMULA.test(piece) ? `'${piece}` : piece));
  // Some programs drop it from the beginning, and what is behind it may be a formula then.
  const begins = /^[\t\r\n]/.test(cell) ? "'" : '';
  return `${begins}${pieces.join('')}`;
}

/**
 * The cells of a line (RFC 4180), without its end; undefined where its quotes are not closed or stand in a cell that has
 * none around it.
 */
export function csvCells(line: string, separator: string): string[] | undefined {
  const cells: string[] = [];
  let at = 0;
  while (true) {
    const cell = line.charAt(at) === '"' ? quotedCell(line, at) : plainCell(line, at, separator);
    if (cell === undefined) return undefined;
    cells.push(cell.text);
    if (cell.end === line.length) return cells;
    if (line.charAt(cell.end) !== separator) return undefined;
    at = cell.end + 1;
  }
}

function plainCell(line: string, at: number, separator: string): { text: string; end: number } | undefined {
  const next = line.indexOf(separator, at);
  const end = next === -1 ? line.length : next;
  const text = line.slice(at, end);
  return text.includes('"') ? undefined : { text, end };
}

function quotedCell(line: string, at: number): { text: string; end: number } | undefined {
  const parts = /"((?:[^"]|"")*)"/y;
  parts.lastIndex = at;
  const found = parts.exec(line);
  return found === null ? undefined : { text: (found[1] ?? '').replaceAll('""', '"'), end: parts.lastIndex };
}

/** The last line of a table that has not all that was asked for: without it, such a table looks whole. */
export function endOfPart(lines: number, columns: number): string {
  const words = `Not all: this table ends after ${lines} lines. Ask for a shorter period.`;
  return csvLine([words, ...Array<string>(columns - 1).fill('')]);
}
