import { forbidden } from '../../kit/errors.ts';
import { cancelAuthentication } from '../../payments/tries/authenticate-payer.flow.ts';
import { findOrder } from '../find-order.ts';
import type { OrderAsked } from '../order-requests.types.ts';
import type { OrderView } from '../orders.types.ts';
import type { OrderFlows } from '../orders-context.types.ts';

/**
 * Ends the try of a payer who is at the bank, as if they had closed its page. The order can be paid with another one.
 *
 * @throws Refusal `notfound`, and `forbidden` where no try waits for its payer
 */
export async function abortAttempt({ context, transact }: OrderFlows, asked: OrderAsked): Promise<OrderView> {
  const { order, card } = await findOrder(context, asked);
  const isEnded =
    order.unsettled === 0 &&
    (await cancelAuthentication({ transact, context: context.cardPayments }, card, asked.actor));
  if (!isEnded) throw forbidden('AbortPaymentAttempt', 'No try waits for its payer.');
  return findOrder(context, asked);
}
