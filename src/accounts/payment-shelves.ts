import type { Read } from '../db/transaction.types.ts';
import { LOCKS } from '../engine/locks.ts';
import type { MakeFind } from '../ledger/accounts/look-ups.ts';
import type { Holds, LedgerContext, Shelf, ShelfRow } from '../ledger/ledger.types.ts';
import { PAYMENTS, type Payment, type PaymentTransaction, TRANSACTIONS } from './account-payments.types.ts';
import type { PaymentLookUps } from './accounts.types.ts';
import {
  FIND_PAYMENTS,
  FIND_TRANSACTIONS,
  insertPayments,
  insertTransactions,
  readHolds,
  readPayments,
  readPaymentsOfReferences,
  readTransactions,
  readTransactionsOfReferences,
  selectTransactionsOf,
  updatePayments,
  updateTransactions,
} from './payments.store.ts';
import { endHold } from './steps.rules.ts';
import { turnoverId } from './turnover/turnover.rules.ts';
import { loadTurnovers, updateTurnovers } from './turnover/turnover.store.ts';
import { TURNOVERS, type Turnover } from './turnover/turnover.types.ts';

const payments: Shelf<Payment> = {
  name: PAYMENTS,
  idOf: ({ paymentId }) => paymentId,
  load: readPayments,
  loadUnder: readPaymentsOfReferences,
  insert: insertPayments,
  update: updatePayments,
};

const transactions: Shelf<PaymentTransaction> = {
  name: TRANSACTIONS,
  idOf: ({ transactionId }) => transactionId,
  load: readTransactions,
  loadUnder: readTransactionsOfReferences,
  insert: insertTransactions,
  update: updateTransactions,
};

const turnovers: Shelf<Turnover> = {
  name: TURNOVERS,
  idOf: turnoverId,
  load: loadTurnovers,
  update: updateTurnovers,
};

const holds: Holds<Payment> = {
  shelf: payments,
  load: readHolds,
  // A hold of a payment order ends with all of the order, never by itself.
  holdOf: ({ accountId, holdExpiresAt, orderId }) => ({
    accountId,
    expiresAt: orderId === null ? holdExpiresAt : null,
  }),
  end: endHold,
};

/** What account payments have the ledger keep for them. */
export const ACCOUNT_PAYMENTS: Pick<LedgerContext, 'locks' | 'shelves' | 'holds'> = {
  locks: LOCKS,
  shelves: [payments, transactions, turnovers] as unknown as readonly Shelf<ShelfRow>[],
  holds: holds as unknown as Holds<ShelfRow>,
};

/** Makes the look-ups of account payments. */
export function paymentLookUps(makeFind: MakeFind, read: Read): PaymentLookUps {
  return {
    payment: makeFind(FIND_PAYMENTS),
    transaction: makeFind(FIND_TRANSACTIONS),
    transactionsOf: async (payment) => (await selectTransactionsOf(read, payment)).rows,
  };
}
