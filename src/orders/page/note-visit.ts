import type { Transaction } from '../../db/transaction.types.ts';
import type { OrderInstrument, OrderKey } from '../orders.types.ts';
import { insertSelection, lockUnpaidOrder, updateIntegration } from './visits.store.ts';

// What a payer does on the page, in the history of the order. The history is the trail of it: it changes no money, and says
// itself who did it and when.

/** Notes how the page of an unpaid order was opened first: by itself, or inside of a page of the payee's. */
export async function noteOpened(
  transaction: Transaction,
  { isFramed, ...key }: OrderKey & { readonly isFramed: boolean },
): Promise<void> {
  await updateIntegration(transaction, { ...key, integration: isFramed ? 'HostedView' : 'Redirect' });
}

/** Notes a means of payment that a payer has opened on the menu, as often as such things are noted. */
export async function noteSelected(
  transaction: Transaction,
  { instrument, ...key }: OrderKey & { readonly instrument: OrderInstrument },
): Promise<void> {
  await lockUnpaidOrder(transaction, key);
  await insertSelection(transaction, { ...key, instrument });
}
