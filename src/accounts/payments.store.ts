import { type Columns, type ColumnTexts, findRows, insertRows, overRows, updateRows } from '../db/over-rows.ts';
import type { Read, Rows } from '../db/transaction.types.ts';
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

// As in the ledger's stores, reads of a batch walk an index key by key.

/** A payment as its batch sees it. */
const PAYMENT_COLUMNS = `
  payee_id as "payeeId", payment_id as "paymentId", account_id as "accountId", operation, state, amount, currency,
  captured, cancelled, reversed, reserved_hold as "reservedHold", reserved_reversal as "reservedReversal", disputed,
  hold_expires_at as "holdExpiresAt", payment_order_ref as "paymentOrderRef",
  payment_transaction_ref as "paymentTransactionRef", problem, echo, created_at as "createdAt",
  updated_at as "updatedAt", event_sequence as "eventSequence", order_id as "orderId"`;

/** A capture, cancel or reversal as its batch sees it. */
const TRANSACTION_COLUMNS = `
  payee_id as "payeeId", transaction_id as "transactionId", payment_id as "paymentId", operation, state, amount,
  released, payment_order_ref as "paymentOrderRef", payment_transaction_ref as "paymentTransactionRef", problem, echo,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Payments by their ids. */
export const readPayments = overRows<ShelfKey>({
  name: 'accounts-read-payments',
  columns: { payee_id: ['uuid', 'payeeId'], payment_id: ['uuid', 'id'] },
  text: ({ rows, matches }) => `
    select p.*
    from ${rows}
    cross join lateral (select ${PAYMENT_COLUMNS} from payment where ${matches} limit 1) p`,
}).ask;

/** Captures, cancels and reversals by their ids. */
export const readTransactions = overRows<ShelfKey>({
  name: 'accounts-read-transactions',
  columns: { payee_id: ['uuid', 'payeeId'], transaction_id: ['uuid', 'id'] },
  text: ({ rows, matches }) => `
    select t.*
    from ${rows}
    cross join lateral (select ${TRANSACTION_COLUMNS} from payment_transaction where ${matches} limit 1) t`,
}).ask;

const REFERENCE_KEY: Columns<TakenReference> = {
  payee_id: ['uuid', 'payeeId'],
  scope: ['text', 'scope'],
  reference: ['text', 'reference'],
};

const underReferences = ({ rows, matches }: ColumnTexts) => `
  from ${rows}
  cross join lateral (select payment_id, transaction_id from reference where ${matches} limit 1) r`;

/** Payments that the references stand for, or whose captures, cancels and reversals they stand for. */
export const readPaymentsOfReferences = overRows<TakenReference>({
  name: 'accounts-read-payments-of-references',
  columns: REFERENCE_KEY,
  text: (texts) => `
    select p.*
    ${underReferences(texts)}
    cross join lateral (
      select ${PAYMENT_COLUMNS} from payment where payee_id = v.payee_id and payment_id = r.payment_id
      limit 1
    ) p`,
}).ask;

/** Captures, cancels and reversals that the references stand for. */
export const readTransactionsOfReferences = overRows<TakenReference>({
  name: 'accounts-read-transactions-of-references',
  columns: REFERENCE_KEY,
  text: (texts) => `
    select t.*
    ${underReferences(texts)}
    cross join lateral (
      select ${TRANSACTION_COLUMNS}
      from payment_transaction
      where payee_id = v.payee_id and transaction_id = r.transaction_id
      limit 1
    ) t`,
}).ask;

/**
 * The first holds of those accounts that have one whose time is over: as many as a batch releases, and one more. An
 * account that turns out to have none has a row without a payment.
 */
export const readHolds = overRows<AccountKey>({
  name: 'accounts-read-holds',
  columns: { payee_id: ['uuid', 'payeeId'], account_id: ['uuid', 'accountId'] },
  text: ({ rows, matches }) => `
    select v.account_id as "ofAccount", p.*
    from ${rows}
    cross join lateral (select next_hold_expires_at from account where ${matches} limit 1) a
    left join lateral (
      select ${PAYMENT_COLUMNS}
      from payment
      where ${matches} and hold_expires_at is not null and order_id is null
      order by hold_expires_at
      limit ${EXPIRED_HOLDS + 1}
    ) p on true
    where a.next_hold_expires_at <= kontor_now()`,
}).ask;

/** Adds payments. */
export const insertPayments = insertRows<Payment>('accounts-insert-payments', 'payment', {
  payee_id: ['uuid', 'payeeId'],
  payment_id: ['uuid', 'paymentId'],
  account_id: ['uuid', 'accountId'],
  operation: ['text', 'operation'],
  state: ['text', 'state'],
  amount: ['bigint', 'amount'],
  currency: ['text', 'currency'],
  captured: ['bigint', 'captured'],
  cancelled: ['bigint', 'cancelled'],
  reversed: ['bigint', 'reversed'],
  hold_expires_at: ['timestamptz', 'holdExpiresAt'],
  payment_order_ref: ['text', 'paymentOrderRef'],
  payment_transaction_ref: ['text', 'paymentTransactionRef'],
  problem: ['text', 'problem'],
  echo: ['jsonb', ({ echo }) => JSON.stringify(echo)],
  created_at: ['timestamptz', 'createdAt'],
  updated_at: ['timestamptz', 'updatedAt'],
  event_sequence: ['bigint', 'eventSequence'],
  order_id: ['uuid', 'orderId'],
});

/** Writes payments that were changed: their state and counters, and the echo, which an issuer's answer may add to. */
export const updatePayments = updateRows<Change<Payment>>({
  name: 'accounts-update-payments',
  table: 'payment',
  key: {
    payee_id: ['uuid', ({ after }) => after.payeeId],
    payment_id: ['uuid', ({ after }) => after.paymentId],
  },
  seen: {
    state: ['text', ({ before }) => before.state],
    captured: ['bigint', ({ before }) => before.captured],
    cancelled: ['bigint', ({ before }) => before.cancelled],
    reversed: ['bigint', ({ before }) => before.reversed],
    reserved_hold: ['bigint', ({ before }) => before.reservedHold],
    reserved_reversal: ['bigint', ({ before }) => before.reservedReversal],
  },
  set: {
    state: ['text', ({ after }) => after.state],
    captured: ['bigint', ({ after }) => after.captured],
    cancelled: ['bigint', ({ after }) => after.cancelled],
    reversed: ['bigint', ({ after }) => after.reversed],
    reserved_hold: ['bigint', ({ after }) => after.reservedHold],
    reserved_reversal: ['bigint', ({ after }) => after.reservedReversal],
    hold_expires_at: ['timestamptz', ({ after }) => after.holdExpiresAt],
    problem: ['text', ({ after }) => after.problem],
    echo: ['jsonb', ({ after }) => JSON.stringify(after.echo)],
    updated_at: ['timestamptz', ({ after }) => after.updatedAt],
    event_sequence: ['bigint', ({ after }) => after.eventSequence],
  },
});

/** Adds captures, cancels and reversals. */
export const insertTransactions = insertRows<PaymentTransaction>(
  'accounts-insert-transactions',
  'payment_transaction',
  {
    payee_id: ['uuid', 'payeeId'],
    transaction_id: ['uuid', 'transactionId'],
    payment_id: ['uuid', 'paymentId'],
    operation: ['text', 'operation'],
    state: ['text', 'state'],
    amount: ['bigint', 'amount'],
    payment_order_ref: ['text', 'paymentOrderRef'],
    payment_transaction_ref: ['text', 'paymentTransactionRef'],
    problem: ['text', 'problem'],
    echo: ['jsonb', ({ echo }) => JSON.stringify(echo)],
    created_at: ['timestamptz', 'createdAt'],
    updated_at: ['timestamptz', 'updatedAt'],
    released: ['bigint', 'released'],
  },
);

/** Writes captures, cancels and reversals whose issuer has answered. */
export const updateTransactions = updateRows<Change<PaymentTransaction>>({
  name: 'accounts-update-transactions',
  table: 'payment_transaction',
  key: {
    payee_id: ['uuid', ({ after }) => after.payeeId],
    transaction_id: ['uuid', ({ after }) => after.transactionId],
  },
  seen: { state: ['text', ({ before }) => before.state] },
  set: {
    state: ['text', ({ after }) => after.state],
    problem: ['text', ({ after }) => after.problem],
    echo: ['jsonb', ({ after }) => JSON.stringify(after.echo)],
    updated_at: ['timestamptz', ({ after }) => after.updatedAt],
  },
});

// Reads outside of a batch.

/** Payments by their ids. */
export const FIND_PAYMENTS = findRows<PaymentKey>({
  name: 'accounts-find-payments',
  table: 'payment',
  key: { payee_id: ['uuid', 'payeeId'], payment_id: ['uuid', 'paymentId'] },
  shown: PAYMENT_COLUMNS,
});

/** Captures, cancels and reversals by their ids. */
export const FIND_TRANSACTIONS = findRows<TransactionKey>({
  name: 'accounts-find-transactions',
  table: 'payment_transaction',
  key: { payee_id: ['uuid', 'payeeId'], transaction_id: ['uuid', 'transactionId'] },
  shown: TRANSACTION_COLUMNS,
});

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
