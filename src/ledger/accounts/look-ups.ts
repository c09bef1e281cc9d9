import type { Find, GroupStatement, Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { ACCOUNTS_LISTED } from '../../kit/limits.ts';
import { FIND_PAYMENT_NUMBERS } from '../payment-numbers.store.ts';
import { selectAccounts } from './accounts.store.ts';
import type { AccountLine, LedgerLookUps } from './ledger-reads.types.ts';
import {
  FIND_ACCOUNT_IDENTITIES,
  FIND_ACCOUNTS,
  FIND_ACCOUNTS_BY_NUMBER,
  FIND_REFERENCES,
} from './read-ledger.store.ts';

/** Makes a look-up that gathers what is asked for in one tick into one statement: the database's. */
export type MakeFind = <Key extends object, Row extends object>(statement: GroupStatement<Key>) => Find<Key, Row>;

/** Makes the look-ups of the ledger. They lock nothing and show what was committed last. */
export function ledgerLookUps(makeFind: MakeFind): LedgerLookUps {
  return {
    account: makeFind(FIND_ACCOUNTS),
    accountIdentity: makeFind(FIND_ACCOUNT_IDENTITIES),
    accountByNumber: makeFind(FIND_ACCOUNTS_BY_NUMBER),
    reference: makeFind(FIND_REFERENCES),
    paymentNumber: makeFind(FIND_PAYMENT_NUMBERS),
  };
}

/** A payee's accounts of all kinds, the newest first, as many as a list has. */
export function listAccounts(transaction: Transaction, payeeId: PayeeId): Promise<Rows<AccountLine>> {
  return selectAccounts(transaction, payeeId, ACCOUNTS_LISTED);
}
