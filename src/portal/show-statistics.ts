import type { Read } from '../db/transaction.types.ts';
import { notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { reachOf } from './newest-first.rules.ts';
import { isCutOff, numbersOf, readDays } from './statistics.rules.ts';
import { selectGettingStarted, selectPayeeDays, selectTallies } from './statistics.store.ts';
import type { GettingStarted, Statistics } from './statistics.types.ts';

/**
 * What a payee's payments of some days came to. A payment counts on the day on which it was made, with what was taken of
 * it so far.
 *
 * @param today where the request names no day, `YYYY-MM-DD`
 * @throws Refusal `inputerror`
 */
export async function showStatistics(
  read: Read,
  payeeId: PayeeId,
  { today, ...asked }: { readonly from?: string | undefined; readonly to?: string | undefined; readonly today: string },
): Promise<Statistics> {
  const days = readDays(asked, today);
  const found = await selectPayeeDays(read, payeeId, days);
  if (found === undefined) throw notFound();
  const { timeZone, ...period } = found;
  const tallies = await selectTallies(read, { payeeId, period, timeZone, reach: reachOf(period, undefined) });
  return { timeZone, ...days, currencies: numbersOf(tallies.flat(), days), isPartial: tallies.some(isCutOff) };
}

/** What a payee has done so far. */
export function showGettingStarted(read: Read, payeeId: PayeeId): Promise<GettingStarted> {
  return selectGettingStarted(read, payeeId);
}
