import { csvLine, endOfPart } from '../kit/csv.ts';
import { PORTAL_EXPORT_LINES } from '../kit/portal-limits.ts';
import type { Page } from './newest-first.types.ts';

/** Pages without a line that a download reads before it ends: ten million rows looked at. */
const PORTAL_EXPORT_EMPTY_PAGES = 1000;

/**
 * A table to download, page by page as it is sent: its heading, then a line or more for each row. It ends after so many
 * lines, and where a search has looked for long without finding any.
 *
 * @param readPage the page at a cursor, undefined for the first one
 */
export async function* tableOf<Row>(
  heading: readonly string[],
  linesOf: (row: Row) => string,
  readPage: (cursor: string | undefined) => Promise<Page<Row>>,
): AsyncIterable<string> {
  yield csvLine(heading);
  let cursor: string | undefined;
  let lines = 0;
  let emptyPages = 0;
  do {
    const { rows, next } = await readPage(cursor);
    if (rows.length > 0) yield rows.map(linesOf).join('');
    lines += rows.length;
    emptyPages = rows.length > 0 ? 0 : emptyPages + 1;
    cursor = next ?? undefined;
  } while (cursor !== undefined && lines < PORTAL_EXPORT_LINES && emptyPages < PORTAL_EXPORT_EMPTY_PAGES);
  if (cursor !== undefined) yield endOfPart(lines, heading.length);
}
