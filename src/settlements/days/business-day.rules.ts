import { businessDayOf, type DayClock } from '../../issuers/acquirers/business-day.rules.ts';
import { addDays } from '../../kit/instants.ts';

/** Minutes after the cut-over until a day is closed: answers that were under way have come by then. */
const CLOSING_MINUTES = 15;
const MINUTE_MS = 60_000;

/** The latest business day that is to be closed by an instant. */
export function lastDayToClose(unixMs: number, clock: DayClock): string {
  return addDays(businessDayOf(unixMs - CLOSING_MINUTES * MINUTE_MS, clock), -1);
}
