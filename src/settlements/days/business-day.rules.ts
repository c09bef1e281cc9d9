import type { Acquirer } from '../../issuers/acquirers/acquirers.types.ts';
import { addDays } from '../../kit/instants.ts';

/** Minutes after the cut-over until a day is closed: answers that were under way have come by then. */
const CLOSING_MINUTES = 15;
const MINUTE_MS = 60_000;

type Clock = Pick<Acquirer, 'cutOver' | 'timeZone'>;

/**
 * The business day of an instant, `YYYY-MM-DD`: from the cut-over on it is the next day's.
 *
 * @param unixMs the instant
 */
export function businessDayOf(unixMs: number, { cutOver, timeZone }: Clock): string {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(unixMs);
  const [date = '', time = ''] = local.split(' ');
  return time >= cutOver ? addDays(date, 1) : date;
}

/** The latest business day that is to be closed by an instant. */
export function lastDayToClose(unixMs: number, clock: Clock): string {
  return addDays(businessDayOf(unixMs - CLOSING_MINUTES * MINUTE_MS, clock), -1);
}
