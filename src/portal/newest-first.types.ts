/** A page of a list as a request asks for it. */
export interface AskedPage {
  /** Instants of ISO 8601: rows from the first one on, before the second one. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/** From an instant on, before another one: both in UTC. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Ids from one on, below another one. */
export interface IdReach {
  readonly from: string;
  readonly below: string;
}

/** The part of a list that a page is cut from. */
export interface Slice {
  readonly period: Period;
  readonly reach: IdReach;
  /** Rows in the page. */
  readonly limit: number;
}

/** Where a list goes on that has what ends first in front. */
export interface EndingAfter {
  readonly endsAt: string;
  readonly id: string;
}

/** A slice of a list that can be read by the end of its rows, too. */
export interface EndingSlice extends Slice {
  readonly after: EndingAfter;
}

/** Rows, the newest first, and where to go on. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null: there is none. */
  readonly next: string | null;
  /** How far back a search has looked that found fewer rows than the page holds; null: it has seen all, or is full. */
  readonly searchedTo: string | null;
}

/** What one table gives to a page. */
export interface Found<Row> {
  /** Newest first. */
  readonly rows: readonly Row[];
  /** The last id that was looked at, of a list by the end of its rows the last cursor, where the search stopped before the end of the list. */
  readonly stoppedAt: string | undefined;
}
