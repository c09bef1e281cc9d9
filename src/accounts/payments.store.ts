import { overRows, type PayeeTexts } from '../db/rows/over-rows.ts';
import { findRows, insertRows, updateChanges } from '../db/rows/tables.ts';
import type { Read, Rows } from '../db/transaction.types.ts';
import { EXPIRED_HOLDS } from '../kit/limits.ts';
import { ACCOUNT, REFERENCE } from '../ledger/ledger.tables.ts';
import type { AccountKey, PaymentKey, ShelfKey, TakenReference } from '../ledger/ledger.types.ts';
import type { PaymentTransaction } from './account-payments.types.ts';
import { PAYMENT, PAYMENT_TRANSACTION } from './accounts.tables.ts';

// As in the ledger's stores, reads of a batch walk an index key by key.

/** Payments by their ids. */
export const readPayments = overRows<ShelfKey>({
  name: 'accounts-read-payments',
  columns: { payment_id: ['uuid', 'id'] },
  text: ({ rows, matches }) => `
    select p.*
    from ${rows}
    cross join lateral (select ${PAYMENT.columns} from payment where ${matches} limit 1) p`,
}).ask;

/** Captures, cancels and reversals by their ids. */
export const readTransactions = overRows<ShelfKey>({
  name: 'accounts-read-transactions',
  columns: { transaction_id: ['uuid', 'id'] },
  text: ({ rows, matches }) => `
    select t.*
    from ${rows}
    cross join lateral (select ${PAYMENT_TRANSACTION.columns} from payment_transaction where ${matches} limit 1) t`,
}).ask;

const underReferences = ({ rows, matches }: PayeeTexts) => `
  from ${rows}
  cross join lateral (select payment_id, transaction_id from reference where ${matches} limit 1) r`;

/** Payments that the references stand for, or whose captures, cancels and reversals they stand for. */
export const readPaymentsOfReferences = overRows<TakenReference>({
  name: 'accounts-read-payments-of-references',
  columns: REFERENCE.key,
  text: (texts) => `
    select p.*
    ${underReferences(texts)}
    cross join lateral (
      select ${PAYMENT.columns} from payment where payee_id = ${texts.payee} and payment_id = r.payment_id
      limit 1
    ) p`,
}).ask;

/** Captures, cancels and reversals that the references stand for. */
export const readTransactionsOfReferences = overRows<TakenReference>({
  name: 'accounts-read-transactions-of-references',
  columns: REFERENCE.key,
  text: (texts) => `
    select t.*
    ${underReferences(texts)}
    cross join lateral (
      select ${PAYMENT_TRANSACTION.columns}
      from payment_transaction
      where payee_id = ${texts.payee} and transaction_id = r.transaction_id
      limit 1
    ) t`,
}).ask;

/**
 * The first holds of those accounts that have one whose time is over: as many as a batch releases, and one more. An
 * account that turns out to have none has a row without a payment.
 */
export const readHolds = overRows<AccountKey>({
  name: 'accounts-read-holds',
  columns: ACCOUNT.key,
  text: ({ rows, matches }) => `
    select v.account_id as "ofAccount", p.*
    from ${rows}
    cross join lateral (select next_hold_expires_at from account where ${matches} limit 1) a
    left join lateral (
      select ${PAYMENT.columns}
      from payment
      where ${matches} and hold_expires_at is not null and order_id is null
      order by hold_expires_at
      limit ${EXPIRED_HOLDS + 1}
    ) p on true
    where a.next_hold_expires_at <= kontor_now()`,
}).ask;

/** Adds payments. */
export const insertPayments = insertRows('accounts-insert-payments', PAYMENT);

/** Writes payments that were changed, each where what was decided on is as it was. */
export const updatePayments = updateChanges(
  'accounts-update-payments',
  PAYMENT,
  'state',
  'captured',
  'cancelled',
  'reversed',
  'reservedHold',
  'reservedReversal',
);

/** Adds captures, cancels and reversals. */
export const insertTransactions = insertRows('accounts-insert-transactions', PAYMENT_TRANSACTION);

/** Writes captures, cancels and reversals whose issuer has answered. */
export const updateTransactions = updateChanges('accounts-update-transactions', PAYMENT_TRANSACTION, 'state');

// Reads outside of a batch.

/** Payments by their ids. */
export const FIND_PAYMENTS = findRows({ name: 'accounts-find-payments', table: PAYMENT, key: PAYMENT.key });

/** Captures, cancels and reversals by their ids. */
export const FIND_TRANSACTIONS = findRows({
  name: 'accounts-find-transactions',
  table: PAYMENT_TRANSACTION,
  key: PAYMENT_TRANSACTION.key,
});

/** The captures, cancels and reversals of a payment, oldest first. */
export function selectTransactionsOf(read: Read, key: PaymentKey): Promise<Rows<PaymentTransaction>> {
  return read<PaymentTransaction>(
    {
      name: 'accounts-select-transactions-of',
      text: `
        select ${PAYMENT_TRANSACTION.columns}
        from payment_transaction
        where payee_id = $1::uuid and payment_id = $2::uuid
        order by created_at, transaction_id`,
    },
    [key.payeeId, key.paymentId],
  );
}
