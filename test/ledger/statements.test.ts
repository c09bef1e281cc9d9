import { afterAll, beforeAll, expect, test } from 'vitest';
import * as payments from '../../src/accounts/payments.store.ts';
import type { GuardedCall } from '../../src/db/batch/batch.types.ts';
import { insertAccounts } from '../../src/ledger/accounts/accounts.store.ts';
import * as open from '../../src/ledger/accounts/read-ledger.store.ts';
import { FIND_PAYMENT_NUMBERS, insertPaymentNumbers } from '../../src/ledger/payment-numbers.store.ts';
import * as save from '../../src/ledger/save-batch.store.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { explain, testPlans } from '../support/database/explain.ts';
import { addAccounts, addPayee } from '../support/database/ledger.ts';

const STATEMENTS = [
  open.claimReferences([]),
  open.lockAccounts([], false),
  open.lockAccounts([], true),
  open.readReferences([]),
  payments.readPayments([]),
  payments.readPaymentsOfReferences([]),
  payments.readTransactionsOfReferences([]),
  payments.readTransactions([]),
  payments.readHolds([]),
  open.readNumbers([]),
  save.deleteReferences([]),
  save.updateAccounts([]),
  payments.insertPayments([]),
  payments.updatePayments([]),
  payments.insertTransactions([]),
  payments.updateTransactions([]),
  save.insertMovements([]),
  save.insertEntries([]),
  insertAccounts([]),
  insertPaymentNumbers([]),
].map((call: Partial<GuardedCall> & Pick<GuardedCall, 'statement'>) => call.statement);

/** What PostgreSQL itself asks for each row that refers to an account. */
const FOREIGN_KEY = {
  name: 'foreign-key-to-account',
  text: 'select 1 from only account x where payee_id = $1::uuid and account_id = $2::uuid for key share of x',
};

const LOOK_UPS = [
  FOREIGN_KEY,
  open.FIND_ACCOUNTS,
  open.FIND_ACCOUNTS_BY_NUMBER,
  payments.FIND_PAYMENTS,
  open.FIND_REFERENCES,
  payments.FIND_TRANSACTIONS,
  FIND_PAYMENT_NUMBERS,
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test.each([
  [FOREIGN_KEY, 'account_pkey'],
  [open.readNumbers([]).statement, 'number_has_one_account'],
])('while there is no account $name already takes the index that has both of its columns', async (statement, index) => {
  expect(await explain(database, statement)).toContain(`using ${index} on account`);
});

async function fill(): Promise<void> {
  const payeeId = await addPayee(database);
  await addAccounts(database, 20_000, { payeeId });
  await database.asAdmin(`
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled,
      reversed, hold_expires_at, payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    select payee_id, account_id, account_id, 'Authorize', 'OK', 10, 'NOK', 0, 0, 0, kontor_now(), 'o', 'r', '{}', kontor_now(), kontor_now(), 1
    from account;
    insert into payment_transaction (payee_id, transaction_id, payment_id, operation, state, amount, payment_order_ref,
      payment_transaction_ref, echo, created_at, updated_at)
    select payee_id, payment_id, payment_id, 'Capture', 'OK', 10, 'o', 'r', '{}', kontor_now(), kontor_now() from payment;
    insert into reference (payee_id, scope, reference, command_id, payment_id)
    select payee_id, 'payment', payment_id::text, payment_id, payment_id from payment;
    insert into payment_number select payee_id, row_number() over (), payment_id from payment;
    analyze`);
}

testPlans({ database: () => database, fill, keyed: [...STATEMENTS, ...LOOK_UPS] });
