import { inputError } from '../kit/errors.ts';
import { GREATEST_UUID, isUuid, LEAST_UUID } from '../kit/ids.ts';
import { instantOf, inUtc, isInstant, unixMsOf } from '../kit/instants.ts';
import { PORTAL_PAGE_ROWS, PORTAL_PAGE_ROWS_MOST } from '../kit/portal-limits.ts';
import type { AskedPage, EndingAfter, EndingSlice, IdReach, Period, Slice } from './newest-first.types.ts';

/** Seconds that the time in an id may differ from the row's: what clocks drift and commands wait. */
const ID_TIME_SECONDS = 120;

/**
 * Lists walk their table's primary key from its end: ids are UUIDs of version 7, which begin with the time. So no list
 * needs an index of its own for its order.
 */

/** Instants that every row lies between, where the request names none. */
const EARLIEST = '2000-01-01T00:00:00.000Z';
const LATEST = '9999-01-01T00:00:00.000Z';

/**
 * The period that a request names, in UTC.
 *
 * @throws Refusal `inputerror` where one end is no instant
 */
export function readPeriod({ from, to }: Pick<AskedPage, 'from' | 'to'>): Period {
  return {
    from: from === undefined ? EARLIEST : readInstant('from', from),
    to: to === undefined ? LATEST : readInstant('to', to),
  };
}

/**
 * An instant of any zone, in UTC.
 *
 * @throws Refusal `inputerror`
 */
export function readInstant(name: string, text: string): string {
  if (!isInstant(text)) throw inputError(name, 'must be an instant of ISO 8601 with its zone');
  return inUtc(text);
}

/**
 * Which rows a page may show: those of a period, older than the cursor.
 *
 * @throws Refusal `inputerror` where a part of it cannot be read
 */
export function readSlice(asked: AskedPage): Slice {
  const period = readPeriod(asked);
  return { period, reach: reachOf(period, readCursor(asked.cursor)), limit: readLimit(asked.limit) };
}

/** The ids that rows of a period may have, below the cursor's. */
export function reachOf({ from, to }: Period, cursor: string | undefined): IdReach {
  const since = unixMsOf(from) - ID_TIME_SECONDS * 1000;
  const until = unixMsOf(to) + ID_TIME_SECONDS * 1000;
  const end = to === LATEST ? GREATEST_UUID : smallestIdOf(until);
  return {
    from: from === EARLIEST ? LEAST_UUID : smallestIdOf(since),
    below: cursor !== undefined && cursor < end ? cursor : end,
  };
}

/** No id of this millisecond or a later one is smaller. */
function smallestIdOf(unixMs: number): string {
  const time = Math.max(0, unixMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-0000-000000000000`;
}

const BEFORE_ALL: EndingAfter = { endsAt: '-infinity', id: LEAST_UUID };

/**
 * Which rows a page may show of a list that has what ends first in front. Its cursor is the end and the id of the last row.
 *
 * @throws Refusal `inputerror` where a part of it cannot be read
 */
export function readEndingSlice({ cursor, ...asked }: AskedPage): EndingSlice {
  return { ...readSlice(asked), after: cursor === undefined ? BEFORE_ALL : readEndingCursor(cursor) };
}

/** The same of a list that has the newest in front. */
export function readNewestSlice(asked: AskedPage): EndingSlice {
  return { ...readSlice(asked), after: BEFORE_ALL };
}

/** @throws Refusal `inputerror` where it is none */
function readEndingCursor(cursor: string): EndingAfter {
  const [endsAt = '', id = '', ...more] = cursor.split('_');
  if (!isInstant(endsAt) || !isUuid(id) || more.length > 0) {
    throw inputError('cursor', 'must be the next of the page before');
  }
  // A zone may be further from UTC than the database takes.
  return { endsAt: inUtc(endsAt), id };
}

/** The rest of a list behind a cursor of it. */
export function slicedAfter<Some extends EndingSlice>(slice: Some, cursor: string, isByEnd: boolean): Some {
  if (isByEnd) return { ...slice, after: readEndingCursor(cursor) };
  return { ...slice, reach: { ...slice.reach, below: cursor } };
}

/** When an id was made: ISO 8601 in UTC. */
export function timeOfId(id: string): string {
  return instantOf(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/**
 * A cursor is the id of the last row that was looked at.
 *
 * @throws Refusal `inputerror` where it is none
 */
function readCursor(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!isUuid(text)) throw inputError('cursor', 'must be the next of the page before');
  return text.toLowerCase();
}

/**
 * The number of rows that a page is to have.
 *
 * @throws Refusal `inputerror` where it is none
 */
export function readLimit(text: string | undefined): number {
  if (text === undefined) return PORTAL_PAGE_ROWS;
  const limit = Number(text);
  if (!/^[1-9]\d{0,2}$/.test(text) || limit > PORTAL_PAGE_ROWS_MOST) {
    throw inputError('limit', `must be a whole number from 1 to ${PORTAL_PAGE_ROWS_MOST}`);
  }
  return limit;
}
