/** Limits of background work and of the end of the process, with their units and reasons. */

/** Ends of processes while a row is under way, after which it is set aside: once may be chance. */
export const ROW_CRASHES = 2;
