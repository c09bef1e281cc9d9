/** The limits of what the portal shows and of the log of calls, each with its unit and its reason; the others are in `limits.ts`. */

/** Rows in one page of the portal's lists, where the request names no number, and at most. */
export const PORTAL_PAGE_ROWS = 50;
export const PORTAL_PAGE_ROWS_MOST = 100;
/** Rows that one page of a search without an index looks at: some tens of milliseconds of work. */
export const PORTAL_SEARCH_ROWS = 10_000;
/** Lines of a table that is downloaded, and rows that are read for it at a time. */
export const PORTAL_EXPORT_LINES = 100_000;
export const PORTAL_EXPORT_ROWS = 200;
/** Things of each kind that the story of one payment tells. */
export const STORY_ROWS = 200;
/** Hours for which operators see how issuers have answered, and questions that are looked at for it: tens of milliseconds. */
export const ISSUER_HOURS = 24;
export const ISSUER_ROWS = 20_000;
/** Days that a request for statistics may name, a leap year, and rows of each table that are counted for it. */
export const STATISTICS_DAYS = 366;
export const STATISTICS_ROWS = 200_000;
/** Views that one user of the portal may save, and characters of a view's name and of its query. */
export const SAVED_VIEWS = 50;
export const VIEW_NAME_CHARACTERS = 60;
export const VIEW_QUERY_CHARACTERS = 1000;
/** Calls that one transaction deletes, and milliseconds between two rounds of it. */
export const FORGOTTEN_CALLS = 1_000;
export const FORGET_CALLS_INTERVAL_MS = 60_000;
