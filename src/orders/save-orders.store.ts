import { insertRows, updateRows } from '../db/rows/tables.ts';
import { ORDER_HISTORY, ORDER_LEG, ORDER_PART, ORDER_TRANSACTION, PAYMENT_ORDER } from './orders.tables.ts';
import type { PaymentOrder } from './orders.types.ts';

// The rows of orders as a batch writes them, under the lock of their order.

/** Adds orders. */
export const insertOrders = insertRows('orders-insert', PAYMENT_ORDER);

/** Writes orders that were changed, each from the version that was seen. */
export const updateOrders = updateRows({
  name: 'orders-update',
  table: PAYMENT_ORDER,
  seen: 'version',
  from: ({ version }) => version - 1,
});

/** Writes what is asked for by orders that were changed before in the same transaction. */
export const updateTerms = updateRows({
  name: 'orders-update-terms',
  table: PAYMENT_ORDER,
  seen: 'version',
  from: ({ version }: PaymentOrder) => version,
  set: ['terms', 'orderItems'],
});

/** Adds legs. */
export const insertLegs = insertRows('orders-insert-legs', ORDER_LEG);

/** Writes legs that were changed, under their order's lock. What is seen begins no index: one of it would be walked as a whole. */
export const updateLegs = updateRows({
  name: 'orders-update-legs',
  table: ORDER_LEG,
  seen: 'position',
  from: ({ position }) => position,
});

/** Adds transactions. */
export const insertOrderTransactions = insertRows('orders-insert-transactions', ORDER_TRANSACTION);

/** Writes transactions whose issuer has answered. */
export const updateOrderTransactions = updateRows({
  name: 'orders-update-transactions',
  table: ORDER_TRANSACTION,
  seen: 'state',
  from: () => 'Initialized' as const,
});

/** Adds parts of transactions. */
export const insertParts = insertRows('orders-insert-parts', ORDER_PART);

/** Adds entries of histories. */
export const insertHistory = insertRows('orders-insert-history', ORDER_HISTORY);
