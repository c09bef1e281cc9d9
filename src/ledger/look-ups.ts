import type { Find, GroupStatement, Read } from '../db/transaction.types.ts';
import type { LedgerLookUps } from './ledger-reads.types.ts';
import { FIND_PAYMENT_NUMBERS } from './payment-numbers.store.ts';
import {
  FIND_ACCOUNTS,
  FIND_PAYMENTS,
  FIND_REFERENCES,
  FIND_TRANSACTIONS,
  selectTransactionsOf,
} from './read-ledger.store.ts';

/** Makes a look-up that gathers what is asked for in one tick into one statement: the database's. */
export type MakeFind = <Key extends object, Row extends object>(statement: GroupStatement<Key>) => Find<Key, Row>;

/** Makes the look-ups of the ledger. They lock nothing and show what was committed last. */
export function ledgerLookUps(makeFind: MakeFind, read: Read): LedgerLookUps {
  return {
    account: makeFind(FIND_ACCOUNTS),
    payment: makeFind(FIND_PAYMENTS),
    transaction: makeFind(FIND_TRANSACTIONS),
    reference: makeFind(FIND_REFERENCES),
    paymentNumber: makeFind(FIND_PAYMENT_NUMBERS),
    transactionsOf: async (payment) => (await selectTransactionsOf(read, payment)).rows,
  };
}
