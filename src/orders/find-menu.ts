import { menuOf, offersGiftCards } from './answers/order-state.rules.ts';
import { countStoredValue } from './orders.store.ts';
import type { OrderInstrument, PaymentOrder } from './orders.types.ts';
import type { OrdersContext } from './orders-context.types.ts';
import { orderSettings } from './settings/order-settings.ts';

/**
 * What the page offers to pay an order with, in its order.
 *
 * It costs the database nothing where gift cards are out of the question.
 */
export async function findMenu(
  { read }: Pick<OrdersContext, 'read'>,
  order: Pick<PaymentOrder, 'payeeId' | 'currency' | 'instrument' | 'terms' | 'operation'>,
): Promise<readonly OrderInstrument[]> {
  const most = menuOf(order, { hasGiftCards: true });
  if (order.instrument !== null || !most.includes('GiftCard')) return most;
  const { payeeId, currency } = order;
  const [settings, accounts] = await Promise.all([
    orderSettings(read, payeeId),
    countStoredValue(read, payeeId, currency),
  ]);
  return menuOf(order, { hasGiftCards: offersGiftCards(order, settings, accounts > 0) });
}
