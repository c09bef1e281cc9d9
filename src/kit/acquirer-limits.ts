/** Limits of the lines to acquirers, with their units and reasons. */

/** Bytes of one message: twice the longest that the fields of a dialect add up to in practice. */
export const FRAME_BYTES = 4096;
