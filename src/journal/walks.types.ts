import type { Walk } from '../db/walk.types.ts';

/** How the tables are walked that searches look through. */
export const WALKS = {
  account: { table: 'account', key: { payee_id: 'uuid', account_id: 'uuid' } },
  acquirerExchange: { table: 'acquirer_exchange', key: { payee_id: 'uuid', attempt_id: 'uuid', kind: 'text' } },
  cardPayment: { table: 'card_payment', key: { payee_id: 'uuid', payment_id: 'uuid' } },
  cardTransaction: { table: 'card_transaction', key: { payee_id: 'uuid', transaction_id: 'uuid' } },
  dispute: { table: 'dispute', key: { payee_id: 'uuid', dispute_id: 'uuid' } },
  entry: { table: 'entry', key: { payee_id: 'uuid', movement_id: 'uuid', line: 'bigint' } },
  entryOfAccount: { table: 'entry', key: { payee_id: 'uuid', account_id: 'uuid', sequence: 'bigint' } },
  giftCard: { table: 'gift_card', key: { payee_id: 'uuid', account_id: 'uuid' } },
  giftCardStep: { table: 'gift_card_step', key: { payee_id: 'uuid', transaction_ref: 'text' } },
  issuerAttempt: { table: 'issuer_attempt', key: { payee_id: 'uuid', attempt_id: 'uuid' } },
  movement: { table: 'movement', key: { payee_id: 'uuid', movement_id: 'uuid' } },
  numberBlock: { table: 'number_block', key: { block: 'bigint' } },
  orderLeg: { table: 'order_leg', key: { payee_id: 'uuid', leg_id: 'uuid' } },
  orderPart: { table: 'order_part', key: { payee_id: 'uuid', transaction_id: 'uuid', leg_id: 'uuid' } },
  orderTransaction: { table: 'order_transaction', key: { payee_id: 'uuid', transaction_id: 'uuid' } },
  payment: { table: 'payment', key: { payee_id: 'uuid', payment_id: 'uuid' } },
  paymentNumber: { table: 'payment_number', key: { payee_id: 'uuid', number: 'bigint' } },
  paymentOrder: { table: 'payment_order', key: { payee_id: 'uuid', order_id: 'uuid' } },
  paymentTransaction: { table: 'payment_transaction', key: { payee_id: 'uuid', transaction_id: 'uuid' } },
  reference: { table: 'reference', key: { payee_id: 'uuid', scope: 'text', reference: 'text' } },
  settlementBatch: { table: 'settlement_batch', key: { payee_id: 'uuid', acquirer: 'text', batch_id: 'text' } },
  settlementDay: { table: 'settlement_day', key: { payee_id: 'uuid', settlement_id: 'uuid' } },
  settlementItem: { table: 'settlement_item', key: { payee_id: 'uuid', attempt_id: 'uuid', type: 'text' } },
  settlementLine: {
    table: 'settlement_line',
    key: { payee_id: 'uuid', acquirer: 'text', batch_id: 'text', line_id: 'text' },
  },
  settlementShare: { table: 'settlement_share', key: { payee_id: 'uuid', movement_id: 'uuid', agreement: 'text' } },
  settlementWithdrawal: { table: 'settlement_withdrawal', key: { payee_id: 'uuid', withdrawal_id: 'uuid' } },
} as const satisfies Readonly<Record<string, Walk>>;
