/** A cell that begins so is a formula to a program for tables (OWASP ASVS 5, 1.2.10). */
const FORMULA = /^[=+\-@\t\r]/;
/** A negative number begins like a formula, and is none. */
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/;

/** A line of a table (RFC 4180), with its end. A text that a program for tables would run gets an apostrophe before it. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => quoted(String(cell))).join(',')}\n`;
}

function quoted(cell: string): string {
  const harmless = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
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
