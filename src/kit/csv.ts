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
