import type { Transaction } from '../../db/transaction.types.ts';
import type { GivingLimits } from '../../kit/giving-limits.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { selectGivingLimits } from './giving-limits.store.ts';

/** The limits of a payee in a currency, else those that it has for all; undefined where it has none of its own. */
export async function findGivingLimits(
  transaction: Transaction,
  where: { readonly payeeId: PayeeId; readonly currency: string },
): Promise<GivingLimits | undefined> {
  return (await selectGivingLimits(transaction, where)).rows[0];
}
