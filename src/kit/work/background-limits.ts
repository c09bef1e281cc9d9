import { DRAIN_TIMEOUT_MS } from '../limits.ts';

/** Limits of background work and of the end of the process, with their units and reasons. */

/** How often an instance looks whether it has the keys that others write with. */
export const KEY_RING_INTERVAL_MS = 5_000;
/** How long a webhook rests at which something of ours failed. */
export const WEBHOOK_REST_MS = 10_000;
/**
 * How long background work rests at most after rounds that failed: an outage ends, and then the work should not wait
 * long.
 */
export const BACKGROUND_PAUSE_MS = 10_000;
/** Seconds that background work has a row that it took: longer than any of its work takes. */
export const ROW_LEASE_SECONDS = 60;
/** Ends of processes while a row is under way, after which it is set aside: once may be chance. */
export const ROW_CRASHES = 2;
/** Failures of a row after which it is set aside: with their pauses, a quarter of an hour. */
export const ROW_FAILURES = 9;
/** The longest pause after a failure of a row. */
export const ROW_PAUSE_MOST_SECONDS = 3600;
/** Days after which the note of a row that no process came back to is deleted. */
export const ROW_NOTE_DAYS = 2;
/** Rows that one process remembers to give back, of each work, while the database is away. */
export const ROWS_OWED = 2_000;
/** The pause after one that was the database's. */
export const ROW_UNAVAILABLE_SECONDS = 1;
/**
 * How long an end after an error that no code has caught may last: the drain and what comes after it. Then the process
 * exits.
 */
export const UNKNOWN_ERROR_END_MS = DRAIN_TIMEOUT_MS + 10_000;
/** How often a service that npm started looks whether its parent is still there. */
export const PARENT_CHECK_MS = 250;

/** How often refused callers are written down: the first of them is in the audit trail within so many milliseconds. */
export const REFUSALS_INTERVAL_MS = 1_000;
/** How long refusals are counted before a row tells of them: five minutes show an attack, and keep it out of the trail's way. */
export const REFUSALS_WINDOW_MS = 5 * 60_000;
/** Samples of refusals that one process remembers, and those of one payee: a stranger's are the operators'. */
export const REFUSALS_REMEMBERED = 1_000;
export const REFUSALS_OF_PAYEE = 50;
/** Credentials that are looked up in one round, to find out whose they were. */
export const REFUSALS_TRIED = 200;
/** Rows of refused callers that one process writes in a minute, whatever is sent: 86 400 on a day of nothing else. */
export const REFUSALS_ROWS_A_MINUTE = 60;
