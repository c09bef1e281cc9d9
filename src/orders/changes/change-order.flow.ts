import { forbidden } from '../../kit/errors.ts';
import { endCardPayment } from '../../payments/changes/abort-payment.flow.ts';
import { EXPIRED } from '../../payments/payment-state.rules.ts';
import { UPDATE_ORDER } from '../change-kinds.ts';
import { findOrder } from '../find-order.ts';
import type { AbortOrderRequest, OrderAsked, UpdateOrderRequest } from '../order-requests.types.ts';
import type { OrderItem, OrderTerms, OrderView, PaymentOrder } from '../orders.types.ts';
import type { OrderFlows } from '../orders-context.types.ts';
import { hasContent } from '../paying/gift-cards.rules.ts';
import { changeOrder } from '../submit-change.ts';

/**
 * Changes the amount, items, description or reference of an unpaid order. The same content again changes nothing.
 *
 * @throws Refusal `notfound`, `forbidden` named `UpdateOrder`, `conflict`, and as `Submit`
 */
export async function updateOrder({ context }: OrderFlows, request: UpdateOrderRequest): Promise<OrderView> {
  const before = await findOrder(context, request);
  if (before.order.status === 'Initialized' && hasContent(before.order, updated(before.order, request))) {
    return before;
  }
  await changeOrder(context, UPDATE_ORDER, {
    changing: request,
    make: (base, { order }) => ({ ...base, ...updated(order, request) }),
  });
  return findOrder(context, request);
}

interface Updated {
  readonly amount: PaymentOrder['amount'];
  readonly vatAmount: PaymentOrder['vatAmount'];
  readonly orderItems: readonly OrderItem[];
  readonly terms: OrderTerms;
}

/** What an order is changed to: what the request leaves out stays. */
function updated(
  { terms, orderItems }: Pick<PaymentOrder, 'terms' | 'orderItems'>,
  request: UpdateOrderRequest,
): Updated {
  const { amount, vatAmount, description = terms.description, orderReference } = request;
  const payeeInfo = orderReference === undefined ? terms.payeeInfo : { ...terms.payeeInfo, orderReference };
  return {
    amount,
    vatAmount,
    orderItems: request.orderItems ?? orderItems,
    terms: { ...terms, description, payeeInfo },
  };
}

/**
 * Ends an unpaid order, and gives back all that is held for it. Twice is as once.
 *
 * @throws Refusal `notfound`, `forbidden` named `Abort`, and as `Submit`
 */
export async function abortOrder(flows: OrderFlows, request: AbortOrderRequest): Promise<OrderView> {
  await end(flows, request, { reason: request.reason, isExpiry: false });
  return findOrder(flows.context, request);
}

/** Ends an order that was not paid in time; one that is just being paid goes on. */
export function expireOrder(
  flows: OrderFlows,
  order: Pick<OrderAsked, 'payeeId' | 'orderId' | 'actor'>,
): Promise<void> {
  return end(flows, order, { reason: EXPIRED, isExpiry: true });
}

async function end(
  { context, transact }: OrderFlows,
  order: Pick<OrderAsked, 'payeeId' | 'orderId' | 'actor'>,
  how: { readonly reason: string; readonly isExpiry: boolean },
): Promise<void> {
  const { card, order: found } = await findOrder(context, order);
  if (found.status === 'Failed') throw forbidden('Abort', 'The order has failed.');
  await endCardPayment({ context: context.cardPayments, transact }, { before: card, actor: order.actor, ...how });
}
