import { orNull, tableOf } from '../db/rows/tables.ts';
import type { TransactionKey } from '../ledger/ledger.types.ts';
import type { Counter, CounterKey } from './guessing/guessing.types.ts';
import type {
  HistoryRow,
  OrderKey,
  OrderLeg,
  OrderPartRow,
  OrderTransaction,
  PaymentOrder,
  SealedPayer,
} from './orders.types.ts';

/** Payment orders. What is asked for is long, and changed apart. */
export const PAYMENT_ORDER = tableOf<PaymentOrder, OrderKey>('payment_order', {
  key: { payeeId: 'uuid', orderId: 'uuid' },
  once: {
    number: 'bigint',
    operation: 'text',
    intent: orNull('text'),
    currency: 'text',
    cardPaymentId: 'uuid',
    madeIn: 'text',
    payerReference: orNull('text'),
    terms: 'jsonb',
    orderItems: 'jsonb',
    contentDigest: 'bytea',
    expiresAt: 'timestamptz',
    createdAt: 'timestamptz',
  },
  always: {
    status: 'text',
    amount: 'bigint',
    vatAmount: 'bigint',
    instrument: orNull('text'),
    updatedAt: 'timestamptz',
    eventSequence: 'bigint',
    historyCount: 'integer',
  },
  later: {
    captured: 'bigint',
    cancelled: 'bigint',
    reversed: 'bigint',
    reservedHold: 'bigint',
    reservedReversal: 'bigint',
    paidBy: orNull('uuid'),
    unsettled: 'integer',
    failedTries: 'integer',
    abortReason: orNull('text'),
    cancelReason: orNull('text'),
    problem: orNull('text'),
    integration: orNull('text'),
    heldUntil: orNull('timestamptz'),
    authorizedUntil: orNull('timestamptz'),
    version: 'bigint',
  },
});

/** What each issuer pays of them. */
export const ORDER_LEG = tableOf<OrderLeg, Pick<OrderLeg, 'payeeId' | 'legId'>>('order_leg', {
  key: { payeeId: 'uuid', legId: 'uuid' },
  once: {
    orderId: 'uuid',
    position: 'integer',
    kind: 'text',
    accountId: orNull('uuid'),
    instrumentType: 'text',
    name: 'text',
    cvcSequence: orNull('integer'),
    addedAt: 'timestamptz',
  },
  always: {
    state: 'text',
    paymentId: orNull('uuid'),
    amount: 'bigint',
    updatedAt: 'timestamptz',
  },
});

/** What was done to them. */
export const ORDER_TRANSACTION = tableOf<OrderTransaction, TransactionKey>('order_transaction', {
  key: { payeeId: 'uuid', transactionId: 'uuid' },
  once: {
    orderId: 'uuid',
    number: 'bigint',
    type: 'text',
    amount: 'bigint',
    vatAmount: 'bigint',
    description: orNull('text'),
    payeeReference: orNull('text'),
    receiptReference: orNull('text'),
    orderItems: orNull('jsonb'),
    initiatedBy: 'text',
    createdAt: 'timestamptz',
  },
  always: {
    state: 'text',
    problem: orNull('text'),
    updatedAt: 'timestamptz',
  },
});

/** What of that falls on each leg. */
export const ORDER_PART = tableOf<OrderPartRow, Pick<OrderPartRow, 'payeeId' | 'transactionId' | 'legId'>>(
  'order_part',
  {
    key: { payeeId: 'uuid', transactionId: 'uuid', legId: 'uuid' },
    once: {
      amount: 'bigint',
      released: 'bigint',
      ownId: 'uuid',
    },
  },
);

/** What happened to them. */
export const ORDER_HISTORY = tableOf<HistoryRow>('order_history', {
  key: { payeeId: 'uuid', orderId: 'uuid', position: 'integer' },
  once: {
    name: 'text',
    initiatedBy: 'text',
    instrument: orNull('text'),
    number: orNull('bigint'),
    amount: orNull('bigint'),
    isPrefilled: orNull('boolean'),
    createdAt: 'timestamptz',
  },
});

/** Who pays them, until that has ended. */
export const ORDER_PAYER = tableOf<SealedPayer, OrderKey>('order_payer', {
  key: { payeeId: 'uuid', orderId: 'uuid' },
  once: { sealed: orNull('bytea'), sealedWith: orNull('text') },
  apart: { createdAt: 'timestamptz' },
});

/** Wrong entries of gift cards. */
export const GIFT_CARD_GUESS = tableOf<Counter, CounterKey>('gift_card_guess', {
  key: { payeeId: 'uuid', kind: 'text', subject: 'bytea' },
  always: {
    entries: 'integer',
    wrong: 'integer',
    windowEndsAt: orNull('timestamptz'),
    wrongOfDay: 'integer',
    dayEndsAt: orNull('timestamptz'),
    closedUntil: orNull('timestamptz'),
    pauses: 'integer',
    pausesEndAt: orNull('timestamptz'),
    forgetAt: 'timestamptz',
  },
});
