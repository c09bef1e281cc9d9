import { payWithToken } from '../payments/pay.flow.ts';
import { isPaidByToken } from '../payments/payment-state.rules.ts';
import { type CreatedOrder, makeOrder } from './create-order.ts';
import { findOrder } from './find-order.ts';
import type { CreateOrderRequest } from './order-requests.types.ts';
import type { OrderFlows } from './orders-context.types.ts';

/**
 * Makes an order: see `makeOrder`. One with the token of a renewal or of an unscheduled payment is tried at once, without a
 * page: where it was declined, it is `Failed`, and where the outcome is not known, `unsettled`. One that was made before and not
 * tried, because we broke down, is tried now.
 *
 * @throws Refusal as `makeOrder`
 */
export async function createOrder(
  { context, transact }: OrderFlows,
  request: CreateOrderRequest,
): Promise<CreatedOrder> {
  const made = await makeOrder(context, request);
  const { order, card, isReplay } = made;
  if (!isPaidByToken(order) || order.status !== 'Initialized') return made;
  await payWithToken({ context: context.cardPayments, transact }, card, request.actor);
  return { ...(await findOrder(context, order)), isReplay };
}
