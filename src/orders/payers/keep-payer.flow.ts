import type { OrderKey } from '../orders.types.ts';
import type { OrderPayer } from '../requests/new-order.types.ts';
import { sealPayer } from './order-payers.ts';
import type { PayersContext } from './payers.types.ts';

/**
 * Keeps what a payee has said of the payer of an order, sealed. It follows the order in a transaction of its own: where the
 * process ends between the two, the request is repeated and stores it.
 */
export async function keepPayer(
  { transact, keyRing }: PayersContext,
  kept: OrderKey & { readonly payer: OrderPayer },
): Promise<void> {
  await transact((transaction) => sealPayer(transaction, { keyRing }, kept));
}
