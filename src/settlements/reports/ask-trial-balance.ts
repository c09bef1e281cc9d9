import type { Read } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { LIABILITY_AGE_SECONDS } from '../../kit/limits.ts';
import { periodUntilNow, trialBalanceOf } from './trial-balance.rules.ts';
import { selectPeriod, selectTrialBalance } from './trial-balance.store.ts';
import type { TrialBalance, TrialBalanceAsked } from './trial-balance.types.ts';

/**
 * What each side of the ledger stood at before and after some days, and what moved on it: every figure is a sum of entries, by their own time.
 *
 * @throws Refusal `inputerror` for days that have not begun
 */
export async function askTrialBalance(read: Read, asked: TrialBalanceAsked): Promise<TrialBalance> {
  const days = await selectPeriod(read, asked, LIABILITY_AGE_SECONDS);
  assert(days !== undefined, 'the payee was looked up before');
  const period = periodUntilNow(days);
  const { lines, elsewhere } = await selectTrialBalance(read, asked.payeeId, period);
  return trialBalanceOf(period, lines, elsewhere);
}
