import { menuOf, menuWith } from './answers/order-state.rules.ts';
import type { OrderInstrument, PaymentOrder } from './orders.types.ts';
import type { OrdersContext } from './orders-context.types.ts';
import { payeeOffer } from './settings/order-settings.ts';

/**
 * What the page offers to pay an order with, in its order.
 *
 * It costs the database nothing where gift cards are out of the question.
 */
export async function findMenu(
  context: Pick<OrdersContext, 'findOffer'>,
  order: Pick<PaymentOrder, 'payeeId' | 'currency' | 'instrument' | 'terms' | 'operation'>,
): Promise<readonly OrderInstrument[]> {
  const most = menuOf(order, { hasGiftCards: true });
  if (order.instrument !== null || !most.includes('GiftCard')) return most;
  return menuWith(order, await payeeOffer(context, order));
}
