import type { Call, GuardedCall } from '../db/batch/batch.types.ts';
import type { GroupStatement, Read, Rows } from '../db/transaction.types.ts';
import { EXPIRED_HOLDS } from '../kit/limits.ts';
import type {
  AccountKey,
  Change,
  PaymentKey,
  ShelfKey,
  TakenReference,
  TransactionKey,
} from '../ledger/ledger.types.ts';
import type { Payment, PaymentTransaction } from './account-payments.types.ts';

// As in the ledger's stores: reads of a batch walk an index key by key, and a change finds its row by its place.

/** A payment as its batch sees it. */
const PAYMENT_COLUMNS = `
  payee_id as "payeeId", payment_id as "paymentId", account_id as "accountId", operation, state, amount, currency,
  captured, cancelled, reversed, reserved_hold as "reservedHold", reserved_reversal as "reservedReversal",
  hold_expires_at as "holdExpiresAt", payment_order_ref as "paymentOrderRef",
  payment_transaction_ref as "paymentTransactionRef", problem, echo, created_at as "createdAt",
  updated_at as "updatedAt", event_sequence as "eventSequence"`;

/** A capture, cancel or reversal as its batch sees it. */
const TRANSACTION_COLUMNS = `
  payee_id as "payeeId", transaction_id as "transactionId", payment_id as "paymentId", operation, state, amount,
  released, payment_order_ref as "paymentOrderRef", payment_transaction_ref as "paymentTransactionRef", problem, echo,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Payments by their ids. */
export function readPayments(keys: readonly ShelfKey[]): Call {
  return {
    statement: {
      name: 'accounts-read-payments',
      text: `
        select p.*
        from unnest($1::uuid[], $2::uuid[]) as v (payee_id, payment_id)
        cross join lateral (
          select ${PAYMENT_COLUMNS} from payment where payee_id = v.payee_id and payment_id = v.payment_id
          limit 1
        ) p`,
    },
    values: [keys.map(({ payeeId }) => payeeId), keys.map(({ id }) => id)],
  };
}

/** Captures, cancels and reversals by their ids. */
export function readTransactions(keys: readonly ShelfKey[]): Call {
  return {
    statement: {
      name: 'accounts-read-transactions',
      text: `
        select t.*
        from unnest($1::uuid[], $2::uuid[]) as v (payee_id, transaction_id)
        cross join lateral (
          select ${TRANSACTION_COLUMNS}
          from payment_transaction
          where payee_id = v.payee_id and transaction_id = v.transaction_id
          limit 1
        ) t`,
    },
    values: [keys.map(({ payeeId }) => payeeId), keys.map(({ id }) => id)],
  };
}

function referenceKeys(claims: readonly TakenReference[]): unknown[][] {
  return [
    claims.map(({ payeeId }) => payeeId),
    claims.map(({ scope }) => scope),
    claims.map(({ reference }) => reference),
  ];
}

const UNDER_REFERENCES = `
  from unnest($1::uuid[], $2::text[], $3::text[]) as v (payee_id, scope, reference)
  cross join lateral (
    select payment_id, transaction_id
    from reference
    where payee_id = v.payee_id and scope = v.scope and reference = v.reference
    limit 1
  ) r`;

/** Payments that the references stand for, or whose captures, cancels and reversals they stand for. */
export function readPaymentsOfReferences(claims: readonly TakenReference[]): Call {
  return {
    statement: {
      name: 'accounts-read-payments-of-references',
      text: `
        select p.*
        ${UNDER_REFERENCES}
        cross join lateral (
          select ${PAYMENT_COLUMNS} from payment where payee_id = v.payee_id and payment_id = r.payment_id
          limit 1
        ) p`,
    },
    values: referenceKeys(claims),
  };
}

/** Captures, cancels and reversals that the references stand for. */
export function readTransactionsOfReferences(claims: readonly TakenReference[]): Call {
  return {
    statement: {
      name: 'accounts-read-transactions-of-references',
      text: `
        select t.*
        ${UNDER_REFERENCES}
        cross join lateral (
          select ${TRANSACTION_COLUMNS}
          from payment_transaction
          where payee_id = v.payee_id and transaction_id = r.transaction_id
          limit 1
        ) t`,
    },
    values: referenceKeys(claims),
  };
}

/**
 * The first holds of those accounts that have one whose time is over: as many as a batch releases, and one more. An
 * account that turns out to have none has a row without a payment.
 */
export function readHolds(keys: readonly AccountKey[]): Call {
  return {
    statement: {
      name: 'accounts-read-holds',
      text: `
        select v.account_id as "ofAccount", p.*
        from unnest($1::uuid[], $2::uuid[]) as v (payee_id, account_id)
        cross join lateral (
          select next_hold_expires_at from account where payee_id = v.payee_id and account_id = v.account_id limit 1
        ) a
        left join lateral (
          select ${PAYMENT_COLUMNS}
          from payment
          where payee_id = v.payee_id and account_id = v.account_id and hold_expires_at is not null
          order by hold_expires_at
          limit ${EXPIRED_HOLDS + 1}
        ) p on true
        where a.next_hold_expires_at <= kontor_now()`,
    },
    values: [keys.map(({ payeeId }) => payeeId), keys.map(({ accountId }) => accountId)],
  };
}

/** Adds payments. */
export function insertPayments(payments: readonly Payment[]): GuardedCall {
  return {
    statement: {
      name: 'accounts-insert-payments',
      text: `
        insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled,
          reversed, hold_expires_at, payment_order_ref, payment_transaction_ref, problem, echo, created_at, updated_at,
          event_sequence)
        select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::text[],
          $8::bigint[], $9::bigint[], $10::bigint[], $11::timestamptz[], $12::text[], $13::text[], $14::text[],
          $15::jsonb[], $16::timestamptz[], $17::timestamptz[], $18::bigint[])`,
    },
    values: [
      payments.map(({ payeeId }) => payeeId),
      payments.map(({ paymentId }) => paymentId),
      payments.map(({ accountId }) => accountId),
      payments.map(({ operation }) => operation),
      payments.map(({ state }) => state),
      payments.map(({ amount }) => amount),
      payments.map(({ currency }) => currency),
      payments.map(({ captured }) => captured),
      payments.map(({ cancelled }) => cancelled),
      payments.map(({ reversed }) => reversed),
      payments.map(({ holdExpiresAt }) => holdExpiresAt),
      payments.map(({ paymentOrderRef }) => paymentOrderRef),
      payments.map(({ paymentTransactionRef }) => paymentTransactionRef),
      payments.map(({ problem }) => problem),
      payments.map(({ echo }) => JSON.stringify(echo)),
      payments.map(({ createdAt }) => createdAt),
      payments.map(({ updatedAt }) => updatedAt),
      payments.map(({ eventSequence }) => eventSequence),
    ],
    expected: payments.length,
  };
}

/** Writes payments that were changed: their state and counters, and the echo, which an issuer's answer may add to. */
export function updatePayments(changes: readonly Change<Payment>[]): GuardedCall {
  const after = changes.map((change) => change.after);
  const before = changes.map((change) => change.before);
  return {
    statement: {
      name: 'accounts-update-payments',
      text: `
        update payment p
        set state = v.state, captured = v.captured, cancelled = v.cancelled, reversed = v.reversed,
          reserved_hold = v.reserved_hold, reserved_reversal = v.reserved_reversal,
          hold_expires_at = v.hold_expires_at, problem = v.problem, echo = v.echo, updated_at = v.updated_at,
          event_sequence = v.event_sequence
        from (
          select v.*, found.ctid as place
          from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
            $8::bigint[], $9::bigint[], $10::bigint[], $11::timestamptz[], $12::text[], $13::jsonb[],
            $14::timestamptz[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[])
            as v (payee_id, payment_id, state_seen, captured_seen, cancelled_seen, reversed_seen, state, captured,
              cancelled, reversed, hold_expires_at, problem, echo, updated_at, event_sequence, reserved_hold_seen,
              reserved_reversal_seen, reserved_hold, reserved_reversal)
          cross join lateral (
            select ctid from payment where payee_id = v.payee_id and payment_id = v.payment_id limit 1
          ) found
        ) v
        where p.ctid = v.place and p.state = v.state_seen and p.captured = v.captured_seen
          and p.cancelled = v.cancelled_seen and p.reversed = v.reversed_seen
          and p.reserved_hold = v.reserved_hold_seen and p.reserved_reversal = v.reserved_reversal_seen`,
    },
    values: [
      after.map(({ payeeId }) => payeeId),
      after.map(({ paymentId }) => paymentId),
      before.map(({ state }) => state),
      before.map(({ captured }) => captured),
      before.map(({ cancelled }) => cancelled),
      before.map(({ reversed }) => reversed),
      after.map(({ state }) => state),
      after.map(({ captured }) => captured),
      after.map(({ cancelled }) => cancelled),
      after.map(({ reversed }) => reversed),
      after.map(({ holdExpiresAt }) => holdExpiresAt),
      after.map(({ problem }) => problem),
      after.map(({ echo }) => JSON.stringify(echo)),
      after.map(({ updatedAt }) => updatedAt),
      after.map(({ eventSequence }) => eventSequence),
      before.map(({ reservedHold }) => reservedHold),
      before.map(({ reservedReversal }) => reservedReversal),
      after.map(({ reservedHold }) => reservedHold),
      after.map(({ reservedReversal }) => reservedReversal),
    ],
    expected: changes.length,
  };
}

/** Adds captures, cancels and reversals. */
export function insertTransactions(transactions: readonly PaymentTransaction[]): GuardedCall {
  return {
    statement: {
      name: 'accounts-insert-transactions',
      text: `
        insert into payment_transaction (payee_id, transaction_id, payment_id, operation, state, amount,
          payment_order_ref, payment_transaction_ref, problem, echo, created_at, updated_at, released)
        select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::text[],
          $8::text[], $9::text[], $10::jsonb[], $11::timestamptz[], $12::timestamptz[], $13::bigint[])`,
    },
    values: [
      transactions.map(({ payeeId }) => payeeId),
      transactions.map(({ transactionId }) => transactionId),
      transactions.map(({ paymentId }) => paymentId),
      transactions.map(({ operation }) => operation),
      transactions.map(({ state }) => state),
      transactions.map(({ amount }) => amount),
      transactions.map(({ paymentOrderRef }) => paymentOrderRef),
      transactions.map(({ paymentTransactionRef }) => paymentTransactionRef),
      transactions.map(({ problem }) => problem),
      transactions.map(({ echo }) => JSON.stringify(echo)),
      transactions.map(({ createdAt }) => createdAt),
      transactions.map(({ updatedAt }) => updatedAt),
      transactions.map(({ released }) => released),
    ],
    expected: transactions.length,
  };
}

/** Writes captures, cancels and reversals whose issuer has answered. */
export function updateTransactions(changes: readonly Change<PaymentTransaction>[]): GuardedCall {
  const after = changes.map((change) => change.after);
  return {
    statement: {
      name: 'accounts-update-transactions',
      text: `
        update payment_transaction t
        set state = v.state, problem = v.problem, echo = v.echo, updated_at = v.updated_at
        from (
          select v.*, found.ctid as place
          from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::timestamptz[])
            as v (payee_id, transaction_id, state_seen, state, problem, echo, updated_at)
          cross join lateral (
            select ctid
            from payment_transaction
            where payee_id = v.payee_id and transaction_id = v.transaction_id
            limit 1
          ) found
        ) v
        where t.ctid = v.place and t.state = v.state_seen`,
    },
    values: [
      after.map(({ payeeId }) => payeeId),
      after.map(({ transactionId }) => transactionId),
      changes.map(({ before }) => before.state),
      after.map(({ state }) => state),
      after.map(({ problem }) => problem),
      after.map(({ echo }) => JSON.stringify(echo)),
      after.map(({ updatedAt }) => updatedAt),
    ],
    expected: changes.length,
  };
}

// Reads outside of a batch.

/** Payments by their ids. */
export const FIND_PAYMENTS: GroupStatement<PaymentKey> = {
  name: 'accounts-find-payments',
  columns: ['payeeId', 'paymentId'],
  text: `
    select v.position::int, p.*
    from unnest($1::uuid[], $2::uuid[]) with ordinality as v (payee_id, payment_id, position)
    cross join lateral (
      select ${PAYMENT_COLUMNS} from payment where payee_id = v.payee_id and payment_id = v.payment_id
      limit 1
    ) p`,
};

/** Captures, cancels and reversals by their ids. */
export const FIND_TRANSACTIONS: GroupStatement<TransactionKey> = {
  name: 'accounts-find-transactions',
  columns: ['payeeId', 'transactionId'],
  text: `
    select v.position::int, t.*
    from unnest($1::uuid[], $2::uuid[]) with ordinality as v (payee_id, transaction_id, position)
    cross join lateral (
      select ${TRANSACTION_COLUMNS}
      from payment_transaction
      where payee_id = v.payee_id and transaction_id = v.transaction_id
      limit 1
    ) t`,
};

/** The captures, cancels and reversals of a payment, oldest first. */
export function selectTransactionsOf(read: Read, key: PaymentKey): Promise<Rows<PaymentTransaction>> {
  return read<PaymentTransaction>(
    {
      name: 'accounts-select-transactions-of',
      text: `
        select ${TRANSACTION_COLUMNS}
        from payment_transaction
        where payee_id = $1::uuid and payment_id = $2::uuid
        order by created_at, transaction_id`,
    },
    [key.payeeId, key.paymentId],
  );
}
