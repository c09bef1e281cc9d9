import { named, orNull, tableOf } from '../db/rows/tables.ts';
import type { TransactionKey } from '../ledger/ledger.types.ts';
import type { CardPayment, CardPaymentKey, CardTransaction } from './payments.types.ts';

// Stores of orders read these too: a payment with what it is a part of is one statement, because all of it is of one moment.

/** Card payments. A change writes none of what was asked for. */
export const CARD_PAYMENT = tableOf<CardPayment, CardPaymentKey>('card_payment', {
  key: { payeeId: 'uuid', paymentId: 'uuid' },
  once: {
    number: 'bigint',
    operation: 'text',
    intent: orNull('text'),
    currency: 'text',
    payerReference: orNull('text'),
    terms: 'jsonb',
    expiresAt: 'timestamptz',
    createdAt: 'timestamptz',
    orderId: orNull('uuid'),
    payerSealed: orNull('bytea'),
    payerSealedWith: orNull('text'),
  },
  always: {
    state: 'text',
    updatedAt: 'timestamptz',
    eventSequence: 'bigint',
  },
  later: {
    amount: 'bigint',
    captured: 'bigint',
    cancelled: 'bigint',
    reversed: 'bigint',
    reservedHold: 'bigint',
    reservedReversal: 'bigint',
    paidBy: orNull('uuid'),
    failedTries: 'integer',
    unsettled: 'integer',
    abortReason: orNull('text'),
    version: 'bigint',
    leaves: 'integer',
    authorizedUntil: orNull('timestamptz'),
  },
  read: {
    disputed: 'bigint',
  },
});

/** What was asked of issuers for them. */
export const CARD_TRANSACTION = tableOf<CardTransaction, TransactionKey>('card_transaction', {
  key: { payeeId: 'uuid', transactionId: 'uuid' },
  once: {
    paymentId: 'uuid',
    number: 'bigint',
    type: 'text',
    amount: 'bigint',
    vatAmount: 'bigint',
    description: orNull('text'),
    payeeReference: orNull('text'),
    cardDigest: orNull('bytea'),
    createdAt: 'timestamptz',
    tokenTypes: orNull('jsonb'),
    isStored: 'boolean',
    released: 'bigint',
    holderSealed: orNull('bytea'),
    holderSealedWith: orNull('text'),
  },
  always: {
    state: 'text',
    attemptId: orNull('uuid'),
    issuerId: named('issuer', orNull('text')),
    problem: orNull('text'),
    card: orNull('jsonb'),
    instrumentId: orNull('uuid'),
    updatedAt: 'timestamptz',
  },
  later: {
    takingBack: 'boolean',
    tokens: 'jsonb',
  },
});

/** What the issuer of a transaction said, of `acquirer_exchange e`: see `TransactionExchange`. */
export const EXCHANGE = `
  case when e.attempt_id is not null then jsonb_build_object(
    'attemptId', e.attempt_id, 'acquirerId', e.acquirer, 'agreementId', e.agreement, 'terminalId', e.terminal_id,
    'operation', e.operation, 'stan', e.stan,
    'sentAt', to_char(e.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'retrievalReference', e.retrieval_reference, 'amount', e.amount, 'currency', e.currency,
    'originalAttemptId', e.original_attempt_id, 'state', e.state, 'approvalCode', e.approval_code,
    'schemeTransactionId', e.scheme_transaction_id, 'pointOfService', e.point_of_service, 'descriptor', e.descriptor,
    'captureNumber', e.capture_number, 'isLastCapture', e.is_last_capture, 'releasedAmount', e.released,
    'answeredAt', e.answered_at, 'actionCode', e.action_code,
    'retry', e.retry, 'retryAfterHours', e.retry_after_hours
  ) end as exchange`;
