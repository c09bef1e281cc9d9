import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { inputError } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { isAmountMinor } from '../../kit/money.ts';
import { upsertLimit } from './turnover.store.ts';
import type { ValueLimit } from './turnover.types.ts';

/** A limit of a product. */
export interface SetLimit extends Omit<ValueLimit, 'amount'> {
  readonly payeeId: PayeeId;
  readonly productId: string;
  /** Minor units; null takes it away. */
  readonly amount: number | null;
  /** What events name it by, where it is new. */
  readonly limitId: string;
}

/**
 * Sets a limit of a product, or takes it away.
 *
 * @throws Refusal `inputerror`
 */
export async function setLimit(transaction: Transaction, limit: SetLimit): Promise<void> {
  const { amount } = limit;
  if (amount !== null && !(isAmountMinor(amount) && amount > 0)) throw inputError('limit', 'must be an amount above 0');
  const count = await upsertLimit(transaction, limit);
  assert(count === 1, 'a limit is one row');
}
