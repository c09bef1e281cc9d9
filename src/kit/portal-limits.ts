/** The limits of what the portal shows and of the log of calls, each with its unit and its reason; the others are in `limits.ts`. */

/** Rows in one page of the portal's lists, where the request names no number, and at most. */
export const PORTAL_PAGE_ROWS = 50;
export const PORTAL_PAGE_ROWS_MOST = 100;
/** Rows that a list counts: what a person reads as a number. */
export const PORTAL_COUNT_ROWS = 1000;
/** Rows that one page of a search without an index looks at: some tens of milliseconds of work. */
export const PORTAL_SEARCH_ROWS = 10_000;
/** Lines of a table that is downloaded, and rows that are read for it at a time. */
export const PORTAL_EXPORT_LINES = 100_000;
export const PORTAL_EXPORT_ROWS = 200;
/** Pages without a line that a download reads before it ends: ten million rows looked at. */
export const PORTAL_EXPORT_EMPTY_PAGES = 1000;
/** Seconds that the time in an id may differ from the row's: what clocks drift and commands wait. */
export const ID_TIME_SECONDS = 120;
/** Characters from which on a search finds what begins with them, too: fewer are the beginning of too much. */
export const SEARCH_PREFIX_CHARACTERS = 4;
/** Characters of a text that is searched for: the longest reference that there is. */
export const SEARCH_CHARACTERS = 128;
/** Things of each kind that the story of one payment tells. */
export const STORY_ROWS = 200;
/** The latest entries that the story of one gift card tells. */
export const STORY_ENTRIES = 100;
/** The latest deliveries to a webhook that its rate is made of. */
export const RATED_DELIVERIES = 1000;
/** Hours for which operators see how issuers have answered, and questions that are looked at for it: tens of milliseconds. */
export const ISSUER_HOURS = 24;
export const ISSUER_ROWS = 20_000;
/** Days that a request for statistics may name, and payments of each family that are counted for it. */
export const STATISTICS_DAYS = 92;
export const STATISTICS_PAYMENTS = 200_000;
/**
 * Payments from which on statistics are remembered, and for how many milliseconds: to count fewer takes some hundredths of
 * a second and shows what happened just now, to count all that may be counted some tenths.
 */
export const STATISTICS_REMEMBERED_FROM = 20_000;
export const STATISTICS_MAX_AGE_MS = 60_000;
/** Statistics that are remembered at once: of each currency and day some hundred bytes. */
export const STATISTICS_REMEMBERED = 200;
/** Views that one user of the portal may save, and characters of a view's name and of its query. */
export const SAVED_VIEWS = 50;
export const VIEW_NAME_CHARACTERS = 60;
export const VIEW_QUERY_CHARACTERS = 1000;
/** Calls that one instance keeps in a second for the payees' logs; above it failed ones alone are kept. */
export const LOGGED_CALLS_PER_SECOND = 50;
/** Calls that wait to be written: some seconds of them. More are counted and left out. */
export const LOGGED_CALLS_WAITING = 500;
/** Milliseconds between two writes of calls: what a log lags behind. */
export const LOGGED_CALLS_INTERVAL_MS = 1_000;
/** Milliseconds that such a write waits for a moment without requests. */
export const LOGGED_CALLS_PATIENCE_MS = 100;
/** Calls that are kept of one payee: some hundred megabytes. The oldest go first. */
export const LOGGED_CALLS_OF_PAYEE = 100_000;
/** Calls that one transaction deletes, and milliseconds between two rounds of it. */
export const FORGOTTEN_CALLS = 1_000;
export const FORGET_CALLS_INTERVAL_MS = 60_000;
/** Bytes of a body that is read for the log: larger ones are hidden whole. */
export const LOGGED_BODY_BYTES = 16 * 1024;
/** Values and objects of a body that the log keeps, and characters of a text. */
export const LOGGED_BODY_PARTS = 300;
export const LOGGED_TEXT_CHARACTERS = 200;
/** Minutes for which a payee is told of calls that were left out. */
export const SKIPPED_CALLS_MINUTES = 60;
/** Hours over which the amounts that a person gives away by pages are added up: a day. */
export const GIVING_HOURS = 24;
/** Hours after which what waits for another person is over, and for which what came of it can be seen. */
export const APPROVAL_HOURS = 24;
/** Downloads that a payee has at a time on one instance: a person takes one table and begins another. */
export const DOWNLOADS_OF_PAYEE = 2;
/** Seconds after which a payee that has none left may try again. */
export const DOWNLOAD_RETRY_SECONDS = 5;
/** Milliseconds that a piece of a download waits for a moment without requests: a hundred thousand lines take 25 s at most. */
export const DOWNLOAD_PATIENCE_MS = 50;
