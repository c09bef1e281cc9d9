import type { Callback, EventType } from '../journal/journal.types.ts';
import type { PaymentOrder, SplitTransaction } from './orders.types.ts';

/** Where payment orders are. */
export const PAYMENT_ORDERS = '/psp/paymentorders';

/**
 * What the payee's address is told of an order, in the form of the view that it was created in.
 *
 * @returns undefined where nothing is told
 */
export function callbackOf(
  order: PaymentOrder,
  { transaction }: { readonly type: EventType; readonly transaction: SplitTransaction | undefined },
): Callback | undefined {
  const url = order.terms.urls.callbackUrl;
  if (url === undefined || transaction === undefined) return undefined;
  if (order.operation === 'Recur' || order.operation === 'UnscheduledPurchase') return undefined;
  const id = `${PAYMENT_ORDERS}/${order.orderId}`;
  const { orderReference } = order.terms.payeeInfo;
  return {
    url,
    body: {
      ...(orderReference !== undefined && { orderReference }),
      paymentOrder: { id, number: transaction.number },
    },
  };
}
