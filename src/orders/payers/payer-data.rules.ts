import type { AssociatedData } from '../../keys/keys.types.ts';
import type { OrderKey } from '../orders.types.ts';

/** Where what is known of a payer belongs: this row of this payee. */
export function associatedDataOf({ payeeId, orderId }: OrderKey): AssociatedData {
  return { purpose: 'card-data', payeeId, rowId: orderId, field: 'order_payer.sealed' };
}
