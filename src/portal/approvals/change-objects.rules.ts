import { withRemaining } from '../orders/orders.rules.ts';
import type { ListedOrder } from '../orders/orders.types.ts';
import { leftOf } from '../payments/payments.rules.ts';
import type { ListedPayment } from '../payments/payments.types.ts';
import type { ChangeObject, PendingChange } from './approvals.types.ts';

/** A payment as the person who decides on a refund sees it. */
export function paymentObject(payment: ListedPayment): ChangeObject {
  const { paymentId, number, orderReference, reference, payerReference } = payment;
  return {
    kind: 'payment',
    id: paymentId,
    name: number === null ? null : String(number),
    reference: orderReference ?? reference,
    payerReference,
    left: leftOf(payment).reversal,
  };
}

/** An order, likewise. */
export function orderObject(order: ListedOrder): ChangeObject {
  const { orderId, number, orderReference, payeeReference, payerReference } = order;
  return {
    kind: 'order',
    id: orderId,
    name: String(number),
    reference: orderReference ?? payeeReference,
    payerReference,
    left: withRemaining(order).remaining.reversal,
  };
}

/** What stays of the object, or what is on the card that has the money then; null where the change is over. */
export function afterwardsOf(
  { operationId, state, amount }: Pick<PendingChange, 'operationId' | 'state' | 'amount'>,
  object: ChangeObject | null,
  into: ChangeObject | null,
): number | null {
  if (state !== 'Pending' && state !== 'Approved') return null;
  const left = object?.left ?? null;
  if (left === null) return null;
  switch (operationId) {
    case 'preDeposit':
      return left + amount;
    // More than was asked for is not moved.
    case 'mergeGiftCard':
      return into?.left == null ? null : left > amount ? amount - left : into.left + left;
    case 'replaceGiftCard':
      return left > amount ? amount - left : left;
    default:
      return left - amount;
  }
}
