import type { Transaction } from '../../db/transaction.types.ts';
import { endVerdicts } from '../../engine/card-history/card-history.ts';
import { FORGET_ROWS } from '../../kit/limits.ts';
import { endExternalNumbers } from '../../ledger/accounts/account-number.ts';
import { endTries } from './counted-tries.store.ts';

/** Takes off digests by which cards are recognised and that nothing counts any more; answers whether there may be more. */
export async function endCardHistory(transaction: Transaction): Promise<boolean> {
  const tries = await endTries(transaction, FORGET_ROWS);
  const blocks = await endVerdicts(transaction, FORGET_ROWS);
  const numbers = await endExternalNumbers(transaction, FORGET_ROWS);
  return [tries, blocks, numbers].includes(FORGET_ROWS);
}
