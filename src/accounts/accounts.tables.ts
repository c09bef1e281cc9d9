import { orNull, tableOf } from '../db/rows/tables.ts';
import type { PaymentKey, TransactionKey } from '../ledger/ledger.types.ts';
import type { Payment, PaymentTransaction } from './account-payments.types.ts';
import type { TurnoverRow } from './turnover/turnover.types.ts';

/** Account payments. A change writes their state and counters, and the echo, which an issuer's answer may add to. */
export const PAYMENT = tableOf<Payment, PaymentKey>('payment', {
  key: { payeeId: 'uuid', paymentId: 'uuid' },
  once: {
    accountId: 'uuid',
    operation: 'text',
    amount: 'bigint',
    currency: 'text',
    paymentOrderRef: 'text',
    paymentTransactionRef: 'text',
    createdAt: 'timestamptz',
    orderId: orNull('uuid'),
  },
  always: {
    state: 'text',
    captured: 'bigint',
    cancelled: 'bigint',
    reversed: 'bigint',
    holdExpiresAt: orNull('timestamptz'),
    problem: orNull('text'),
    echo: 'jsonb',
    updatedAt: 'timestamptz',
    eventSequence: 'bigint',
  },
  later: {
    reservedHold: 'bigint',
    reservedReversal: 'bigint',
  },
  read: {
    disputed: 'bigint',
  },
});

/** Their captures, cancels and reversals. */
export const PAYMENT_TRANSACTION = tableOf<PaymentTransaction, TransactionKey>('payment_transaction', {
  key: { payeeId: 'uuid', transactionId: 'uuid' },
  once: {
    paymentId: 'uuid',
    operation: 'text',
    amount: 'bigint',
    paymentOrderRef: 'text',
    paymentTransactionRef: 'text',
    createdAt: 'timestamptz',
    released: 'bigint',
  },
  always: {
    state: 'text',
    problem: orNull('text'),
    echo: 'jsonb',
    updatedAt: 'timestamptz',
  },
});

/** What a product, a card or a payer has loaded and spent. */
export const GIFT_CARD_TURNOVER = tableOf<TurnoverRow>('gift_card_turnover', {
  key: { payeeId: 'uuid', productId: 'text', scope: 'text', subject: 'text' },
  later: {
    dayBeganAt: 'timestamptz',
    monthBeganAt: 'timestamptz',
    loadedOfDay: 'bigint',
    loadedOfMonth: 'bigint',
    spentOfDay: 'bigint',
    spentOfMonth: 'bigint',
    version: 'bigint',
  },
});
