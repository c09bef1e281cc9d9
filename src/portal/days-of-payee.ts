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
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: (await findTimeZone(read, payeeId)) ?? 'UTC',
    dateStyle: 'short',
  });
  yield* tableIn((instant) => format.format(Date.parse(instant)));
}
