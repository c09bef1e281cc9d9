import { timeOfId } from './newest-first.rules.ts';
import type { Found, Page } from './newest-first.types.ts';

/**
 * Makes a page of what one or more tables have: each was asked for one row more than the page holds. Below the place
 * where one of them stopped its rows are not known, so none are shown from there on.
 *
 * @param idOf names a row
 */
export function pageOf<Row>(found: readonly Found<Row>[], limit: number, idOf: (row: Row) => string): Page<Row> {
  const stoppedAt = found
    .flatMap(({ stoppedAt: id }) => id ?? [])
    .reduce<string | undefined>((highest, id) => (highest === undefined || id > highest ? id : highest), undefined);
  const rows = found
    .flatMap(({ rows: some }) => some)
    .filter((row) => stoppedAt === undefined || idOf(row) >= stoppedAt)
    .sort((one, other) => (idOf(one) < idOf(other) ? 1 : -1));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (last !== undefined && rows.length > limit) return { rows: shown, next: idOf(last), searchedTo: null };
  return { rows: shown, next: stoppedAt ?? null, searchedTo: stoppedAt === undefined ? null : timeOfId(stoppedAt) };
}
