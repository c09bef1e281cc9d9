import { isKept } from '../../payments/payment-state.rules.ts';
import type { OrderTransactionType, OrderView } from '../orders.types.ts';

/**
 * Whether nothing is under way that a transaction has to wait for. Captures that are kept until their acquirer is reached take
 * further captures and a cancellation behind them, which go out in this order. A refund waits until they are done.
 */
export function mayFollow({ order, card }: Pick<OrderView, 'order' | 'card'>, type: OrderTransactionType): boolean {
  const kept = type === 'Reversal' ? 0 : card.transactions.filter(isKept).length;
  return order.unsettled === kept;
}
