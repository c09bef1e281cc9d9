import type { Read } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { LIABILITY_AGE_SECONDS } from '../../kit/limits.ts';
import { periodUntilNow, trialBalanceOf } from './trial-balance.rules.ts';
import { FROM_THE_BEGINNING, selectKeptTo, selectPeriod, selectTrialBalance } from './trial-balance.store.ts';
import type { TrialBalance, TrialBalanceAsked } from './trial-balance.types.ts';

/**
 * What each side of the ledger stood at before and after some days, and what moved on it: every figure is a sum of entries, by their own time,
 * or of sums of these that are kept of each day.
 *
 * @throws Refusal `inputerror` for days that have not begun
 */
export async function askTrialBalance(read: Read, asked: TrialBalanceAsked): Promise<TrialBalance> {
  const days = await selectPeriod(read, asked, LIABILITY_AGE_SECONDS);
  assert(days !== undefined, 'the payee was looked up before');
  const period = periodUntilNow(days);
  const by = (keptTo: string) => selectTrialBalance(read, asked.payeeId, { ...period, keptTo });
  // The sums may be made anew, or closed further, at that moment.
  const books =
    (await by(await selectKeptTo(read, asked.payeeId))) ??
    (await by(await selectKeptTo(read, asked.payeeId))) ??
    (await by(FROM_THE_BEGINNING));
  assert(books !== undefined, 'all movements can always be read');
  return trialBalanceOf(period, books.lines, books.elsewhere);
}
