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

/**
 * The same of a list that has what ends first in front.
 *
 * @param cursorOf names a row by its end: see `endingCursor`
 */
export function pageByEnd<Row>(found: readonly Found<Row>[], limit: number, cursorOf: (row: Row) => string): Page<Row> {
  const stoppedAt = found.flatMap(({ stoppedAt: cursor }) => cursor ?? []).toSorted()[0];
  const rows = found
    .flatMap(({ rows: some }) => some)
    .filter((row) => stoppedAt === undefined || cursorOf(row) <= stoppedAt)
    .toSorted((one, other) => (cursorOf(one) < cursorOf(other) ? -1 : 1));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (last !== undefined && rows.length > limit) return { rows: shown, next: cursorOf(last), searchedTo: null };
  return { rows: shown, next: stoppedAt ?? null, searchedTo: stoppedAt?.split('_')[0] ?? null };
}

/** The cursor behind a row of such a list: its end, and its id. */
export function endingCursor(endsAt: string | null, id: string): string {
  return `${endsAt}_${id}`;
}
