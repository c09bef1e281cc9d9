import type { Read } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import { findTimeZone } from '../merchants/payees/time-zone.ts';

/** The day of an instant, `YYYY-MM-DD`. */
export type DayOf = (instant: string) => string;

/** A table whose lines say on which day of the payee's they are: times in it are in UTC. */
export async function* inDaysOf(
  read: Read,
  payeeId: PayeeId,
  tableIn: (dayOf: DayOf) => AsyncIterable<string>,
): AsyncIterable<string> {
  const timeZone = (await findTimeZone(read, payeeId)) ?? 'UTC';
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  yield* tableIn((instant) => {
    const at = Date.parse(instant);
    const local = format.format(at);
    // Where midnight comes twice, the hour between belongs to the day before, as in all reports.
    const isBetween = local.slice(11, 13) === '00' && format.format(at + HOUR_MS) === local;
    return (isBetween ? format.format(at - HOUR_MS) : local).slice(0, 10);
  });
}

const HOUR_MS = 3_600_000;
