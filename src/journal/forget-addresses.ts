import type { Transaction } from '../db/transaction.types.ts';
import { forgetSomeAddresses } from './forget-addresses.store.ts';

/** Takes from some rows of the audit trail that are so old where the person was, after a year at least; answers how many. */
export function forgetAddresses(
  transaction: Transaction,
  portion: { readonly days: number; readonly limit: number },
): Promise<number> {
  return forgetSomeAddresses(transaction, portion);
}
