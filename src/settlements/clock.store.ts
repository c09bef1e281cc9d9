import { readNow } from '../db/clock.ts';

/** The time of the database: days and files go by it. */
export const selectNow = readNow;
