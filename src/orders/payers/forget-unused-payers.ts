import type { Transaction } from '../../db/transaction.types.ts';
import { LEAST_UUID, type PayeeId } from '../../kit/ids.ts';
import { PERSON_ROWS } from '../../kit/limits.ts';
import { forgetPayers } from '../../tokens/stored/person.ts';
import { type PayerKey, selectPayersBehind } from './unused-payers.store.ts';

/** What stands before all payers. */
export const BEFORE_ALL: PayerKey = { payeeId: LEAST_UUID as PayeeId, payerReference: '' };

/** Deletes of some payers, behind one, those that nothing is stored of; answers the last that it looked at. */
export async function forgetSomeUnused(
  transaction: Transaction,
  after: PayerKey,
  days: number,
): Promise<PayerKey | undefined> {
  const seen = await selectPayersBehind(transaction, { after, days, limit: PERSON_ROWS });
  const unused = seen.filter(({ isUnused }) => isUnused);
  if (unused.length > 0) await forgetPayers(transaction, unused);
  return seen.at(-1);
}
