import { csvLine, endOfPart } from '../kit/csv.ts';
import { PORTAL_EXPORT_LINES, PORTAL_EXPORT_ROWS } from '../kit/portal-limits.ts';

/** What a table is made of: pages of rows, each after the last row of the one before. */
export interface TableParts<Row> {
  readonly heading: readonly string[];
  readonly cellsOf: (row: Row) => readonly (string | number)[];
  readonly readPage: (after: string | undefined, limit: number) => Promise<readonly Row[]>;
  readonly idOf: (row: Row) => string;
  /** Lines at most; without it as many as a download has. */
  readonly most?: number;
}

/** A table of comma-separated values, piece by piece. */
export async function* tableOf<Row>(parts: TableParts<Row>): AsyncGenerator<string> {
  const { heading, cellsOf, readPage, idOf, most = PORTAL_EXPORT_LINES } = parts;
  yield csvLine(heading);
  let after: string | undefined;
  for (let lines = 0; lines < most; ) {
    const rows = await readPage(after, Math.min(PORTAL_EXPORT_ROWS, most - lines));
    if (rows.length > 0) yield rows.map((row) => csvLine(cellsOf(row))).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PORTAL_EXPORT_ROWS) return;
    after = idOf(last);
    lines += rows.length;
  }
  if ((await readPage(after, 1)).length > 0) yield endOfPart(most, heading.length);
}
