import type { Call, GuardedCall } from '../db/batch/batch.types.ts';
import { isFreeFor } from '../db/rows-at-work.ts';
import type { Read } from '../db/transaction.types.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import type { CardPayment, CardPaymentKey, CardTransaction, ChangeCommand } from './payments.types.ts';

/** The columns of a payment, as the types name them. */
const PAYMENT_COLUMNS = `
  payee_id as "payeeId", payment_id as "paymentId", number, operation, intent, state, currency, amount, captured, cancelled,
  reversed, reserved_hold as "reservedHold", reserved_reversal as "reservedReversal", paid_by as "paidBy",
  failed_tries as "failedTries", leaves, unsettled, abort_reason as "abortReason", payer_reference as "payerReference", terms,
  expires_at as "expiresAt", created_at as "createdAt", updated_at as "updatedAt", event_sequence as "eventSequence",
  version`;

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
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
] as const satisfies readonly (readonly [column: string, member: keyof CardTransaction])[];

/** The columns of a transaction that stand beside a payment's: each with `named` before it. */
function namedColumns(): string {
  return TRANSACTION_COLUMNS.map(
    ([column, member]) => `${column} as "named${member.charAt(0).toUpperCase()}${member.slice(1)}"`,
  ).join(', ');
}

const SHOWN_TRANSACTION = TRANSACTION_COLUMNS.map(([column, member]) => `${column} as "${member}"`).join(', ');

/** Locks the payments of commands, in one order for everybody. */
export function lockPayments(commands: readonly ChangeCommand[]): Call {
  return {
    statement: {
      name: 'payments-lock',
      text: `
        select
        from (
          select distinct payee_id, payment_id from unnest($1::uuid[], $2::uuid[]) as v (payee_id, payment_id)
          order by payee_id, payment_id
        ) v
        cross join lateral (
          select from card_payment
          where payee_id = v.payee_id and payment_id = v.payment_id
          limit 1
          for no key update
        ) p`,
    },
    values: [commands.map(({ payeeId }) => payeeId), commands.map(({ paymentId }) => paymentId)],
  };
}

/** What rules see of locked payments: see `LoadedRow`. */
export function loadPayments(commands: readonly ChangeCommand[]): Call {
  return {
    statement: {
      name: 'payments-load',
      text: `
        select v.position::integer - 1 as position, p.*, t.*, d.declines
        from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[]) with ordinality
          as v (payee_id, payment_id, transaction_id, card_digest, position)
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
    },
    values: [
      commands.map(({ payeeId }) => payeeId),
      commands.map(({ paymentId }) => paymentId),
      commands.map(({ transactionId }) => transactionId ?? null),
      commands.map(({ cardDigest }) => cardDigest ?? null),
    ],
  };
}

/** Adds payments that nobody has paid yet. */
export function insertPayments(payments: readonly CardPayment[]): GuardedCall {
  const column = (read: (payment: CardPayment) => unknown) => payments.map(read);
  return {
    statement: {
      name: 'payments-insert',
      text: `
        insert into card_payment (payee_id, payment_id, number, operation, intent, state, currency, payer_reference, terms,
          expires_at, created_at, updated_at, event_sequence)
        select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
          $8::text[], $9::jsonb[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::bigint[])`,
    },
    values: [
      column(({ payeeId }) => payeeId),
      column(({ paymentId }) => paymentId),
      column(({ number }) => number),
      column(({ operation }) => operation),
      column(({ intent }) => intent),
      column(({ state }) => state),
      column(({ currency }) => currency),
      column(({ payerReference }) => payerReference),
      column(({ terms }) => JSON.stringify(terms)),
      column(({ expiresAt }) => expiresAt),
      column(({ createdAt }) => createdAt),
      column(({ updatedAt }) => updatedAt),
      column(({ eventSequence }) => eventSequence),
    ],
    expected: payments.length,
  };
}

/** Writes payments that were changed, each from the version that was seen. */
export function updatePayments(payments: readonly CardPayment[]): GuardedCall {
  const column = (read: (payment: CardPayment) => unknown) => payments.map(read);
  return {
    statement: {
      name: 'payments-update',
      text: `
        update card_payment p
        set state = v.state, amount = v.amount, captured = v.captured, cancelled = v.cancelled, reversed = v.reversed,
          reserved_hold = v.reserved_hold, reserved_reversal = v.reserved_reversal, paid_by = v.paid_by,
          failed_tries = v.failed_tries, unsettled = v.unsettled, abort_reason = v.abort_reason,
          leaves = v.leaves, updated_at = v.updated_at, event_sequence = v.event_sequence, version = v.version
        from (
          select v.*, found.ctid as place
          from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bigint[], $9::bigint[], $10::uuid[], $11::integer[], $12::integer[], $13::text[], $14::timestamptz[],
            $15::bigint[], $16::bigint[], $17::integer[])
            as v (payee_id, payment_id, state, amount, captured, cancelled, reversed, reserved_hold, reserved_reversal,
              paid_by, failed_tries, unsettled, abort_reason, updated_at, event_sequence, version, leaves)
          cross join lateral (
            select ctid from card_payment where payee_id = v.payee_id and payment_id = v.payment_id limit 1
          ) found
        ) v
        where p.ctid = v.place and p.version = v.version - 1`,
    },
    values: [
      column(({ payeeId }) => payeeId),
      column(({ paymentId }) => paymentId),
      column(({ state }) => state),
      column(({ amount }) => amount),
      column(({ captured }) => captured),
      column(({ cancelled }) => cancelled),
      column(({ reversed }) => reversed),
      column(({ reservedHold }) => reservedHold),
      column(({ reservedReversal }) => reservedReversal),
      column(({ paidBy }) => paidBy),
      column(({ failedTries }) => failedTries),
      column(({ unsettled }) => unsettled),
      column(({ abortReason }) => abortReason),
      column(({ updatedAt }) => updatedAt),
      column(({ eventSequence }) => eventSequence),
      column(({ version }) => version),
      column(({ leaves }) => leaves),
    ],
    expected: payments.length,
  };
}

/** Adds transactions. */
export function insertTransactions(transactions: readonly CardTransaction[]): GuardedCall {
  const column = (read: (transaction: CardTransaction) => unknown) => transactions.map(read);
  return {
    statement: {
      name: 'payments-insert-transactions',
      text: `
        insert into card_transaction (payee_id, transaction_id, payment_id, number, type, state, amount, vat_amount,
          description, payee_reference, attempt_id, issuer, problem, card, card_digest, instrument_id, created_at,
          updated_at, token_types)
        select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::bigint[],
          $8::bigint[], $9::text[], $10::text[], $11::uuid[], $12::text[], $13::text[], $14::jsonb[], $15::bytea[],
          $16::uuid[], $17::timestamptz[], $18::timestamptz[], $19::jsonb[])`,
    },
    values: [
      column(({ payeeId }) => payeeId),
      column(({ transactionId }) => transactionId),
      column(({ paymentId }) => paymentId),
      column(({ number }) => number),
      column(({ type }) => type),
      column(({ state }) => state),
      column(({ amount }) => amount),
      column(({ vatAmount }) => vatAmount),
      column(({ description }) => description),
      column(({ payeeReference }) => payeeReference),
      column(({ attemptId }) => attemptId),
      column(({ issuerId }) => issuerId),
      column(({ problem }) => problem),
      column(({ card }) => card && JSON.stringify(card)),
      column(({ cardDigest }) => cardDigest),
      column(({ instrumentId }) => instrumentId),
      column(({ createdAt }) => createdAt),
      column(({ updatedAt }) => updatedAt),
      column(({ tokenTypes }) => tokenTypes && JSON.stringify(tokenTypes)),
    ],
    expected: transactions.length,
  };
}

/** A transaction as a change leaves it, and the state that it must be in before. */
export interface TransactionChange {
  readonly transaction: CardTransaction;
  readonly from: CardTransaction['state'];
}

/** Writes transactions that were changed, each from the state that was seen. */
export function updateTransactions(changes: readonly TransactionChange[]): GuardedCall {
  const column = (read: (transaction: CardTransaction) => unknown) =>
    changes.map(({ transaction }) => read(transaction));
  return {
    statement: {
      name: 'payments-update-transactions',
      text: `
        update card_transaction t
        set state = v.state, attempt_id = v.attempt_id, problem = v.problem, taking_back = v.taking_back, card = v.card,
          tokens = v.tokens, instrument_id = v.instrument_id, updated_at = v.updated_at
        from (
          select v.*, found.ctid as place
          from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::boolean[], $8::jsonb[],
            $9::jsonb[], $10::uuid[], $11::timestamptz[])
            as v (payee_id, transaction_id, state_seen, state, attempt_id, problem, taking_back, card, tokens,
              instrument_id, updated_at)
          cross join lateral (
            select ctid from card_transaction
            where payee_id = v.payee_id and transaction_id = v.transaction_id
            limit 1
          ) found
        ) v
        where t.ctid = v.place and t.state = v.state_seen`,
    },
    values: [
      column(({ payeeId }) => payeeId),
      column(({ transactionId }) => transactionId),
      changes.map(({ from }) => from),
      column(({ state }) => state),
      column(({ attemptId }) => attemptId),
      column(({ problem }) => problem),
      column(({ takingBack }) => takingBack),
      column(({ card }) => card && JSON.stringify(card)),
      column(({ tokens }) => JSON.stringify(tokens)),
      column(({ instrumentId }) => instrumentId),
      column(({ updatedAt }) => updatedAt),
    ],
    expected: changes.length,
  };
}

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
): Promise<readonly CardTransaction[]> {
  const { rows } = await read<CardTransaction>(
    {
      name: 'payments-select-transactions',
      text: `
        select ${SHOWN_TRANSACTION} from card_transaction
        where payee_id = $1 and payment_id = $2
        order by created_at, number`,
    },
    [payeeId, paymentId],
  );
  return rows;
}

/** Payments of all payees whose time is over and that nobody has paid. */
export async function selectExpired(read: Read, limit: number): Promise<readonly CardPaymentKey[]> {
  const { rows } = await read<CardPaymentKey>(
    {
      name: 'payments-select-expired',
      text: `
        select payee_id as "payeeId", payment_id as "paymentId"
        from card_payment
        where state = 'Ready' and paid_by is null and expires_at <= kontor_now() and unsettled = 0
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
