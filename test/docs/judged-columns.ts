/** The page that judges every column of every table by what it tells of a person. */
export const PERSONAL_DATA = 'docs/security/personal-data.md';

/** The cells of the rows of a page that have so many of them, but for the heads of tables. */
export function rowsOf(page: string, cells: number): string[][] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(1, -1))
    .map((row) => row.map((cell) => cell.trim()))
    .filter((row) => row.length === cells && !['What', 'Table'].includes(row[0] ?? ''));
}

/** What stands in backticks. */
export const codesOf = (cell = '') => [...cell.matchAll(/`([a-z0-9_.]+)`/g)].map(([, code = '']) => code);

/** Rows of what tells of a person: what, purpose, where, until, who else gets it. */
export const personalRows = (page: string) => rowsOf(page, 5);

/** The columns of these, as `table.column`. */
export const personalColumns = (page: string) => personalRows(page).flatMap((row) => codesOf(row[2]));
