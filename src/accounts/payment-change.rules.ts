import type { EventType } from '../journal/journal.types.ts';
import { assert } from '../kit/assert.ts';
import type { AmountMinor } from '../kit/money.ts';
import type { Account, Effect, RowName, ShelfRow } from '../ledger/ledger.types.ts';
import { PAYMENTS, type Payment, type PaymentTransaction, TRANSACTIONS } from './account-payments.types.ts';

/** A payment that is new or changed, and what is changed with it. */
export interface PaymentChange {
  /** As it was; undefined where it is new. */
  readonly before: Payment | undefined;
  readonly payment: Payment;
  /** The capture, cancel or reversal that it makes or changes. */
  readonly transaction?: PaymentTransaction;
  /** The event that tells other programs of it; absent for a change that has none. */
  readonly event?: EventType;
  /** What is released of its hold, where no transaction says how much it moves. */
  readonly released?: AmountMinor;
  /** The payment's. */
  readonly account: Pick<Account, 'accountId' | 'nextHoldExpiresAt'>;
}

/** The rows of a change as they are stored, and its part of an effect. */
export interface ChangedPayment<Transaction> {
  readonly payment: Payment;
  readonly transaction: Transaction;
  readonly effect: Required<Pick<Effect, 'rows' | 'accountChanges' | 'ownEvents'>>;
  /** What the audit trail says of it. */
  readonly object: NonNullable<Effect['object']>;
}

/**
 * Completes the rows of a change with its time and the number of its event.
 *
 * @throws AssertionFailure where the payment has come to an end before
 */
export function changePayment<Transaction extends PaymentTransaction | undefined = undefined>(
  now: string,
  change: PaymentChange & { readonly transaction?: Transaction },
): ChangedPayment<Transaction> {
  const { before, event, account } = change;
  assert(
    before === undefined || before.state === 'OK' || before.state === 'CALLING',
    'a failed or reversed payment is final',
  );
  const eventSequence = change.payment.eventSequence + (event === undefined ? 0 : 1);
  const payment: Payment = { ...change.payment, updatedAt: now, eventSequence };
  const transaction = (change.transaction && { ...change.transaction, updatedAt: now }) as Transaction;
  const { paymentId, accountId, operation, holdExpiresAt, orderId } = payment;
  const { state, amount } = transaction ?? payment;
  const transactionId = transaction?.transactionId ?? null;
  const isNext = orderId === null && holdExpiresAt !== null && holdExpiresAt < (account.nextHoldExpiresAt ?? '~');
  const rows: (RowName & { readonly row: ShelfRow })[] = [{ shelf: PAYMENTS, id: paymentId, row: payment }];
  if (transaction !== undefined) rows.push({ shelf: TRANSACTIONS, id: transaction.transactionId, row: transaction });
  const payload = {
    paymentId,
    accountId,
    operation,
    state: payment.state,
    amount: payment.amount,
    currency: payment.currency,
    transactionId,
    transactionAmount: transaction?.amount ?? change.released ?? null,
    ...(orderId !== null && { orderId }),
  };
  return {
    payment,
    transaction,
    effect: {
      rows,
      accountChanges: isNext ? [{ accountId, nextHoldExpiresAt: holdExpiresAt }] : [],
      ownEvents:
        event === undefined ? [] : [{ type: event, resourceId: paymentId, resourceSequence: eventSequence, payload }],
    },
    object: {
      objectId: paymentId,
      details: transactionId === null ? { state, amount } : { state, amount, transactionId },
    },
  };
}
