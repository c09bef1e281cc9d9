import type { GuardedCall } from '../db/batch.types.ts';
import { journalCalls } from '../journal/journal-calls.ts';
import { assert } from '../kit/assert.ts';
import { insertAccounts } from './accounts.store.ts';
import type { KnownAccount } from './ledger.types.ts';
import { insertPaymentNumbers } from './payment-numbers.store.ts';
import {
  deleteReferences,
  insertEntries,
  insertMovements,
  insertPayments,
  insertTransactions,
  updateAccounts,
  updatePayments,
  updateTransactions,
} from './save-batch.store.ts';
import type { Workspace } from './workspace.rules.ts';

/** The statements that write what a workspace has come to, in the order in which rows refer to each other. */
export function workspaceCalls(workspace: Workspace): GuardedCall[] {
  const { accounts, payments, transactions, movements, entries, released, numbered, audit, events } = workspace;
  const calls = [
    deleteReferences(released),
    insertAccounts(openedAccounts(workspace)),
    updateAccounts(accounts.changed()),
    insertPayments(payments.added()),
    insertPaymentNumbers(numbered),
    updatePayments(payments.changed()),
    insertTransactions(transactions.added()),
    updateTransactions(transactions.changed()),
    insertMovements(movements),
    insertEntries(entries),
    ...journalCalls({ audit, events }, workspace.newId),
  ];
  return calls.filter(({ expected }) => expected > 0);
}

/** New accounts as the batch leaves them, with what only their first row says. */
function openedAccounts({ opened, accounts }: Workspace): KnownAccount[] {
  return opened.map(({ accountId, numberDigest, numberKeyId }) => {
    const account = accounts.get(accountId);
    assert(account !== undefined, 'an account that was opened is among the accounts');
    return { ...account, numberDigest, numberKeyId };
  });
}
