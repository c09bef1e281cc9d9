import type { CardTransaction } from './payments.types.ts';

// The columns of card payments, for all stores that read them: those of orders too, which read a payment with what it is a part of, as
// one statement, because all of it is of one moment. They stand among the types because a store imports no other store: a kind of
// file for columns would have this one alone.

/** The columns of a payment, as the types name them. */
export const PAYMENT_COLUMNS = `
  payee_id as "payeeId", payment_id as "paymentId", number, operation, intent, state, currency, amount, captured, cancelled,
  reversed, reserved_hold as "reservedHold", reserved_reversal as "reservedReversal", disputed, paid_by as "paidBy",
  failed_tries as "failedTries", leaves, unsettled, abort_reason as "abortReason", payer_reference as "payerReference", terms,
  expires_at as "expiresAt", authorized_until as "authorizedUntil", created_at as "createdAt", updated_at as "updatedAt",
  event_sequence as "eventSequence", version, order_id as "orderId", payer_sealed as "payerSealed",
  payer_sealed_with as "payerSealedWith"`;

/** The columns of a transaction, each with its member. */
export const TRANSACTION_COLUMNS = [
  ['payee_id', 'payeeId'],
  ['transaction_id', 'transactionId'],
  ['payment_id', 'paymentId'],
  ['number', 'number'],
  ['type', 'type'],
  ['state', 'state'],
  ['amount', 'amount'],
  ['vat_amount', 'vatAmount'],
  ['description', 'description'],
  ['payee_reference', 'payeeReference'],
  ['attempt_id', 'attemptId'],
  ['issuer', 'issuerId'],
  ['problem', 'problem'],
  ['taking_back', 'takingBack'],
  ['card', 'card'],
  ['tokens', 'tokens'],
  ['token_types', 'tokenTypes'],
  ['card_digest', 'cardDigest'],
  ['instrument_id', 'instrumentId'],
  ['is_stored', 'isStored'],
  ['released', 'released'],
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
  ['holder_sealed', 'holderSealed'],
  ['holder_sealed_with', 'holderSealedWith'],
] as const satisfies readonly (readonly [column: string, member: keyof CardTransaction])[];

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
