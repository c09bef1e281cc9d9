import { writer } from '../kit/row-writes.ts';
import { insertPayments, insertTransactions, updatePayments, updateTransactions } from './payments.store.ts';
import {
  CHANGED_CARD_PAYMENT,
  CHANGED_CARD_TRANSACTION,
  NEW_CARD_PAYMENT,
  NEW_CARD_TRANSACTION,
} from './payments.types.ts';

/** What writes card payments in a batch. */
export const CARD_PAYMENT_WRITERS = [
  writer(NEW_CARD_PAYMENT, insertPayments),
  writer(CHANGED_CARD_PAYMENT, updatePayments),
  writer(NEW_CARD_TRANSACTION, insertTransactions),
  writer(CHANGED_CARD_TRANSACTION, updateTransactions),
];
