import { insertRows, updateRows } from '../db/over-rows.ts';
import type { HistoryRow, OrderLeg, OrderPartRow, OrderTransaction, PaymentOrder } from './orders.types.ts';

// The rows of orders as a batch writes them, under the lock of their order.

/** Adds orders. */
export const insertOrders = insertRows<PaymentOrder>('orders-insert', 'payment_order', {
  payee_id: ['uuid', 'payeeId'],
  order_id: ['uuid', 'orderId'],
  number: ['bigint', 'number'],
  operation: ['text', 'operation'],
  intent: ['text', 'intent'],
  status: ['text', 'status'],
  currency: ['text', 'currency'],
  amount: ['bigint', 'amount'],
  vat_amount: ['bigint', 'vatAmount'],
  card_payment_id: ['uuid', 'cardPaymentId'],
  made_in: ['text', 'madeIn'],
  instrument: ['text', 'instrument'],
  payer_reference: ['text', 'payerReference'],
  terms: ['jsonb', ({ terms }) => JSON.stringify(terms)],
  order_items: ['jsonb', ({ orderItems }) => JSON.stringify(orderItems)],
  content_digest: ['bytea', 'contentDigest'],
  expires_at: ['timestamptz', 'expiresAt'],
  created_at: ['timestamptz', 'createdAt'],
  updated_at: ['timestamptz', 'updatedAt'],
  event_sequence: ['bigint', 'eventSequence'],
  history_count: ['integer', 'historyCount'],
});

/** Writes orders that were changed, each from the version that was seen. What was asked for is changed apart: it is long. */
export const updateOrders = updateRows<PaymentOrder>({
  name: 'orders-update',
  table: 'payment_order',
  key: { payee_id: ['uuid', 'payeeId'], order_id: ['uuid', 'orderId'] },
  seen: { version: ['bigint', ({ version }) => version - 1] },
  set: {
    status: ['text', 'status'],
    amount: ['bigint', 'amount'],
    vat_amount: ['bigint', 'vatAmount'],
    captured: ['bigint', 'captured'],
    cancelled: ['bigint', 'cancelled'],
    reversed: ['bigint', 'reversed'],
    reserved_hold: ['bigint', 'reservedHold'],
    reserved_reversal: ['bigint', 'reservedReversal'],
    paid_by: ['uuid', 'paidBy'],
    unsettled: ['integer', 'unsettled'],
    failed_tries: ['integer', 'failedTries'],
    abort_reason: ['text', 'abortReason'],
    cancel_reason: ['text', 'cancelReason'],
    problem: ['text', 'problem'],
    integration: ['text', 'integration'],
    instrument: ['text', 'instrument'],
    held_until: ['timestamptz', 'heldUntil'],
    authorized_until: ['timestamptz', 'authorizedUntil'],
    updated_at: ['timestamptz', 'updatedAt'],
    event_sequence: ['bigint', 'eventSequence'],
    history_count: ['integer', 'historyCount'],
    version: ['bigint', 'version'],
  },
});

/** Writes what is asked for by orders that were changed before in the same transaction. */
export const updateTerms = updateRows<PaymentOrder>({
  name: 'orders-update-terms',
  table: 'payment_order',
  key: { payee_id: ['uuid', 'payeeId'], order_id: ['uuid', 'orderId'] },
  seen: { version: ['bigint', 'version'] },
  set: {
    terms: ['jsonb', ({ terms }) => JSON.stringify(terms)],
    order_items: ['jsonb', ({ orderItems }) => JSON.stringify(orderItems)],
  },
});

/** Adds legs. */
export const insertLegs = insertRows<OrderLeg>('orders-insert-legs', 'order_leg', {
  payee_id: ['uuid', 'payeeId'],
  leg_id: ['uuid', 'legId'],
  order_id: ['uuid', 'orderId'],
  position: ['integer', 'position'],
  kind: ['text', 'kind'],
  state: ['text', 'state'],
  account_id: ['uuid', 'accountId'],
  payment_id: ['uuid', 'paymentId'],
  instrument_type: ['text', 'instrumentType'],
  name: ['text', 'name'],
  amount: ['bigint', 'amount'],
  cvc_sequence: ['integer', 'cvcSequence'],
  added_at: ['timestamptz', 'addedAt'],
  updated_at: ['timestamptz', 'updatedAt'],
});

/** Writes legs that were changed, under their order's lock. What is seen begins no index: one of it would be walked as a whole. */
export const updateLegs = updateRows<OrderLeg>({
  name: 'orders-update-legs',
  table: 'order_leg',
  key: { payee_id: ['uuid', 'payeeId'], leg_id: ['uuid', 'legId'] },
  seen: { position: ['integer', 'position'] },
  set: {
    state: ['text', 'state'],
    payment_id: ['uuid', 'paymentId'],
    amount: ['bigint', 'amount'],
    updated_at: ['timestamptz', 'updatedAt'],
  },
});

/** Adds transactions. */
export const insertOrderTransactions = insertRows<OrderTransaction>('orders-insert-transactions', 'order_transaction', {
  payee_id: ['uuid', 'payeeId'],
  transaction_id: ['uuid', 'transactionId'],
  order_id: ['uuid', 'orderId'],
  number: ['bigint', 'number'],
  type: ['text', 'type'],
  state: ['text', 'state'],
  amount: ['bigint', 'amount'],
  vat_amount: ['bigint', 'vatAmount'],
  description: ['text', 'description'],
  payee_reference: ['text', 'payeeReference'],
  receipt_reference: ['text', 'receiptReference'],
  order_items: ['jsonb', ({ orderItems }) => orderItems && JSON.stringify(orderItems)],
  initiated_by: ['text', 'initiatedBy'],
  problem: ['text', 'problem'],
  created_at: ['timestamptz', 'createdAt'],
  updated_at: ['timestamptz', 'updatedAt'],
});

/** Writes transactions whose issuer has answered. */
export const updateOrderTransactions = updateRows<OrderTransaction>({
  name: 'orders-update-transactions',
  table: 'order_transaction',
  key: { payee_id: ['uuid', 'payeeId'], transaction_id: ['uuid', 'transactionId'] },
  seen: { state: ['text', () => 'Initialized'] },
  set: { state: ['text', 'state'], problem: ['text', 'problem'], updated_at: ['timestamptz', 'updatedAt'] },
});

/** Adds parts of transactions. */
export const insertParts = insertRows<OrderPartRow>('orders-insert-parts', 'order_part', {
  payee_id: ['uuid', 'payeeId'],
  transaction_id: ['uuid', 'transactionId'],
  leg_id: ['uuid', 'legId'],
  amount: ['bigint', 'amount'],
  released: ['bigint', 'released'],
  own_id: ['uuid', 'ownId'],
});

/** Adds entries of histories. */
export const insertHistory = insertRows<HistoryRow>('orders-insert-history', 'order_history', {
  payee_id: ['uuid', 'payeeId'],
  order_id: ['uuid', 'orderId'],
  position: ['integer', 'position'],
  name: ['text', 'name'],
  initiated_by: ['text', 'initiatedBy'],
  instrument: ['text', 'instrument'],
  number: ['bigint', 'number'],
  amount: ['bigint', 'amount'],
  is_prefilled: ['boolean', 'isPrefilled'],
  created_at: ['timestamptz', 'createdAt'],
});
