/** Limits of the lines to acquirers, with their units and reasons. */

/** Bytes of one message: twice the longest that the fields of a dialect add up to in practice. */
export const FRAME_BYTES = 4096;
/** Questions under way on one connection: with answers after 15 s still 17 a second. */
export const ACQUIRER_UNDER_WAY = 256;
