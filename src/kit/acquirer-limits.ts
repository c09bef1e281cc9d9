/** Limits of the lines to acquirers, with their units and reasons. */

/** Bytes of one message: twice the longest that the fields of a dialect add up to in practice. */
export const FRAME_BYTES = 4096;
/** Milliseconds for a connection to be there, with its TLS. */
export const ACQUIRER_CONNECT_MS = 5_000;
/** Milliseconds for the answer to a sign-on or an echo: only the acquirer's own computer has to be asked. */
export const ACQUIRER_NETWORK_MS = 5_000;
/** Questions under way on one connection: with answers after 15 s still 17 a second. */
export const ACQUIRER_UNDER_WAY = 256;
/** Echoes without answer after which a connection counts as broken: one may be lost. */
export const ACQUIRER_LOST_ECHOES = 2;
/** Milliseconds before a lost connection is made again: the first time, and at most. */
export const ACQUIRER_FIRST_PAUSE_MS = 500;
export const ACQUIRER_LONGEST_PAUSE_MS = 30_000;
/** The part of such a pause that lots add or take off, so that instances do not all come back at once. */
export const ACQUIRER_PAUSE_JITTER = 0.2;
/** Answers that are remembered, to tell a repeated one from another one: a second of much traffic. */
export const ACQUIRER_RECENT_ANSWERS = 1_000;
