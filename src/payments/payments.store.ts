import { insertRows, overRows, updateRows } from '../db/over-rows.ts';
import { rowAsJson } from '../db/rows-as-json.ts';
import { isFreeFor } from '../db/rows-at-work.ts';
import type { Read } from '../db/transaction.types.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import type { ChangeCommand } from './payment-commands.types.ts';
import type { AskedTransaction, CardPayment, CardPaymentKey, CardTransaction } from './payments.types.ts';

/** The columns of a payment, as the types name them. */
const PAYMENT_COLUMNS = `
  payee_id as "payeeId", payment_id as "paymentId", number, operation, intent, state, currency, amount, captured, cancelled,
  reversed, reserved_hold as "reservedHold", reserved_reversal as "reservedReversal", disputed, paid_by as "paidBy",
  failed_tries as "failedTries", leaves, unsettled, abort_reason as "abortReason", payer_reference as "payerReference", terms,
  expires_at as "expiresAt", created_at as "createdAt", updated_at as "updatedAt", event_sequence as "eventSequence",
  version, order_id as "orderId"`;

const TRANSACTION_COLUMNS = [
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
] as const satisfies readonly (readonly [column: string, member: keyof CardTransaction])[];

/** The columns of a transaction that stand beside a payment's: each with `named` before it. */
function namedColumns(): string {
  return TRANSACTION_COLUMNS.map(
    ([column, member]) => `${column} as "named${member.charAt(0).toUpperCase()}${member.slice(1)}"`,
  ).join(', ');
}

const TRANSACTION_AS_JSON = rowAsJson(
  TRANSACTION_COLUMNS.map(([column, member]) => `${column} as "${member}"`).join(', '),
  't',
);

const SHOWN_TRANSACTION = TRANSACTION_COLUMNS.map(([column, member]) => `t.${column} as "${member}"`).join(', ');

/** What its issuer said, as `TransactionExchange`. */
const EXCHANGE = `
  case when e.attempt_id is not null then jsonb_build_object(
    'attemptId', e.attempt_id, 'acquirerId', e.acquirer, 'agreementId', e.agreement, 'terminalId', e.terminal_id,
    'operation', e.operation, 'stan', e.stan,
    'sentAt', to_char(e.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'retrievalReference', e.retrieval_reference, 'amount', e.amount, 'currency', e.currency,
    'originalAttemptId', e.original_attempt_id, 'state', e.state, 'approvalCode', e.approval_code,
    'schemeTransactionId', e.scheme_transaction_id, 'pointOfService', e.point_of_service, 'answeredAt', e.answered_at, 'actionCode', e.action_code,
    'retry', e.retry, 'retryAfterHours', e.retry_after_hours
  ) end as exchange`;

/** Locks the payments of commands, in one order for all batches. */
export const lockPayments = overRows<ChangeCommand>({
  name: 'payments-lock',
  columns: { payee_id: ['uuid', 'payeeId'], payment_id: ['uuid', 'paymentId'] },
  text: ({ rows, matches }) => `
    select
    from (select distinct payee_id, payment_id from ${rows} order by payee_id, payment_id) v
    cross join lateral (select from card_payment where ${matches} limit 1 for no key update) p`,
}).ask;

/** What rules see of locked payments: see `LoadedRow`. */
export const loadPayments = overRows<ChangeCommand>({
  name: 'payments-load',
  columns: {
    payee_id: ['uuid', 'payeeId'],
    payment_id: ['uuid', 'paymentId'],
    transaction_id: ['uuid', ({ transactionId }) => transactionId ?? null],
    card_digest: ['bytea', ({ cardDigest }) => cardDigest ?? null],
  },
  text: ({ places }) => `
    select v.position::integer - 1 as position, p.*, t.*, d.declines
    from ${places}
    cross join lateral (
      select ${PAYMENT_COLUMNS} from card_payment
      where payee_id = v.payee_id and payment_id = v.payment_id
      limit 1
    ) p
    left join lateral (
      select ${namedColumns()} from card_transaction
      where payee_id = v.payee_id and payment_id = v.payment_id
        and (transaction_id = v.transaction_id or state = 'AwaitingActivity')
      order by transaction_id = v.transaction_id desc nulls last
      limit 1
    ) t on true
    cross join lateral (
      select count(*)::integer as declines
      from (
        select from card_transaction
        where payee_id = v.payee_id and card_digest = v.card_digest and state = 'Failed'
          and updated_at > kontor_now() - interval '1 hour'
        limit 20
      ) declined
    ) d`,
}).ask;

/** Adds payments that are not paid yet. */
export const insertPayments = insertRows<CardPayment>('payments-insert', 'card_payment', {
  payee_id: ['uuid', 'payeeId'],
  payment_id: ['uuid', 'paymentId'],
  number: ['bigint', 'number'],
  operation: ['text', 'operation'],
  intent: ['text', 'intent'],
  state: ['text', 'state'],
  currency: ['text', 'currency'],
  payer_reference: ['text', 'payerReference'],
  terms: ['jsonb', ({ terms }) => JSON.stringify(terms)],
  expires_at: ['timestamptz', 'expiresAt'],
  created_at: ['timestamptz', 'createdAt'],
  updated_at: ['timestamptz', 'updatedAt'],
  event_sequence: ['bigint', 'eventSequence'],
  order_id: ['uuid', 'orderId'],
});

/** Writes payments that were changed, each from the version that was seen. */
export const updatePayments = updateRows<CardPayment>({
  name: 'payments-update',
  table: 'card_payment',
  key: { payee_id: ['uuid', 'payeeId'], payment_id: ['uuid', 'paymentId'] },
  seen: { version: ['bigint', ({ version }) => version - 1] },
  set: {
    state: ['text', 'state'],
    amount: ['bigint', 'amount'],
    captured: ['bigint', 'captured'],
    cancelled: ['bigint', 'cancelled'],
    reversed: ['bigint', 'reversed'],
    reserved_hold: ['bigint', 'reservedHold'],
    reserved_reversal: ['bigint', 'reservedReversal'],
    paid_by: ['uuid', 'paidBy'],
    failed_tries: ['integer', 'failedTries'],
    unsettled: ['integer', 'unsettled'],
    abort_reason: ['text', 'abortReason'],
    updated_at: ['timestamptz', 'updatedAt'],
    event_sequence: ['bigint', 'eventSequence'],
    version: ['bigint', 'version'],
    leaves: ['integer', 'leaves'],
  },
});

/** Adds transactions. */
export const insertTransactions = insertRows<CardTransaction>('payments-insert-transactions', 'card_transaction', {
  payee_id: ['uuid', 'payeeId'],
  transaction_id: ['uuid', 'transactionId'],
  payment_id: ['uuid', 'paymentId'],
  number: ['bigint', 'number'],
  type: ['text', 'type'],
  state: ['text', 'state'],
  amount: ['bigint', 'amount'],
  vat_amount: ['bigint', 'vatAmount'],
  description: ['text', 'description'],
  payee_reference: ['text', 'payeeReference'],
  attempt_id: ['uuid', 'attemptId'],
  issuer: ['text', 'issuerId'],
  problem: ['text', 'problem'],
  card: ['jsonb', ({ card }) => card && JSON.stringify(card)],
  card_digest: ['bytea', 'cardDigest'],
  instrument_id: ['uuid', 'instrumentId'],
  created_at: ['timestamptz', 'createdAt'],
  updated_at: ['timestamptz', 'updatedAt'],
  token_types: ['jsonb', ({ tokenTypes }) => tokenTypes && JSON.stringify(tokenTypes)],
  is_stored: ['boolean', 'isStored'],
  released: ['bigint', 'released'],
});

/** A transaction as a change leaves it, and the state that it must be in before. */
export interface TransactionChange {
  readonly transaction: CardTransaction;
  readonly from: CardTransaction['state'];
}

/** Writes transactions that were changed, each from the state that was seen. */
export const updateTransactions = updateRows<TransactionChange>({
  name: 'payments-update-transactions',
  table: 'card_transaction',
  key: {
    payee_id: ['uuid', ({ transaction }) => transaction.payeeId],
    transaction_id: ['uuid', ({ transaction }) => transaction.transactionId],
  },
  seen: { state: ['text', 'from'] },
  set: {
    state: ['text', ({ transaction }) => transaction.state],
    attempt_id: ['uuid', ({ transaction }) => transaction.attemptId],
    issuer: ['text', ({ transaction }) => transaction.issuerId],
    problem: ['text', ({ transaction }) => transaction.problem],
    taking_back: ['boolean', ({ transaction }) => transaction.takingBack],
    card: ['jsonb', ({ transaction: { card } }) => card && JSON.stringify(card)],
    tokens: ['jsonb', ({ transaction }) => JSON.stringify(transaction.tokens)],
    instrument_id: ['uuid', ({ transaction }) => transaction.instrumentId],
    updated_at: ['timestamptz', ({ transaction }) => transaction.updatedAt],
  },
});

/** One payment with the present instant; none where it is unknown or another payee's. */
export async function selectPayment(
  read: Read,
  { payeeId, paymentId }: CardPaymentKey,
): Promise<(CardPayment & { readonly now: string }) | undefined> {
  const { rows } = await read<CardPayment & { readonly now: string }>(
    {
      name: 'payments-select',
      text: `select ${PAYMENT_COLUMNS}, kontor_now() as now from card_payment where payee_id = $1 and payment_id = $2`,
    },
    [payeeId, paymentId],
  );
  return rows[0];
}

/** The transactions of a payment, oldest first: a number is taken before the payment is locked, so it does not tell. */
export async function selectTransactions(
  read: Read,
  { payeeId, paymentId }: CardPaymentKey,
): Promise<readonly AskedTransaction[]> {
  const { rows } = await read<AskedTransaction>(
    {
      name: 'payments-select-transactions',
      text: `
        select ${SHOWN_TRANSACTION}, ${EXCHANGE}
        from card_transaction t
        left join acquirer_exchange e on e.payee_id = t.payee_id and e.attempt_id = t.attempt_id and e.kind = 'Ask'
        where t.payee_id = $1 and t.payment_id = $2
        order by t.created_at, t.number`,
    },
    [payeeId, paymentId],
  );
  return rows;
}

/**
 * A payment with its transactions as JSON, oldest first, for who reads it with what it is a part of: see `StoredCardPayment`.
 *
 * @param payee what the payee is, in SQL
 * @param payment what the payment is
 */
export const cardPaymentAsJson = (payee: string, payment: string): string => `
  select ${rowAsJson(PAYMENT_COLUMNS, 'p')} as payment, coalesce((
    select jsonb_agg(${TRANSACTION_AS_JSON} || jsonb_build_object('exchange', x.exchange) order by t.created_at, t.number)
    from card_transaction t
    left join lateral (
      select ${EXCHANGE}
      from acquirer_exchange e
      where e.payee_id = t.payee_id and e.attempt_id = t.attempt_id and e.kind = 'Ask'
    ) x on true
    where t.payee_id = p.payee_id and t.payment_id = p.payment_id
  ), '[]') as transactions
  from card_payment p
  where p.payee_id = ${payee} and p.payment_id = ${payment}
  limit 1`;

/** Payments of all payees that were not paid in time. */
export async function selectExpired(read: Read, limit: number): Promise<readonly CardPaymentKey[]> {
  const { rows } = await read<CardPaymentKey>(
    {
      name: 'payments-select-expired',
      text: `
        select payee_id as "payeeId", payment_id as "paymentId"
        from card_payment
        where state = 'Ready' and paid_by is null and expires_at <= kontor_now() and unsettled = 0 and order_id is null
          and ${isFreeFor('end-card-payments', 'card_payment.payee_id', 'card_payment.payment_id::text')}
        order by expires_at
        limit $1::integer`,
    },
    [limit],
  );
  return rows;
}

/** Of these sealed cards, those that a transaction still needs. */
export async function selectHeld(
  read: Read,
  payeeId: string,
  instrumentIds: readonly InstrumentId[],
): Promise<readonly InstrumentId[]> {
  const { rows } = await read<{ readonly instrumentId: InstrumentId }>(
    {
      name: 'payments-select-held',
      text: `
        select v.instrument_id as "instrumentId"
        from unnest($2::uuid[]) as v (instrument_id)
        where exists (
          select from card_transaction
          where payee_id = $1 and instrument_id = v.instrument_id and state in ('Initialized', 'AwaitingActivity')
        )`,
    },
    [payeeId, instrumentIds],
  );
  return rows.map(({ instrumentId }) => instrumentId);
}
