import type { GuardedCall } from '../db/batch/batch.types.ts';
import { journalCalls } from '../journal/write-events.ts';
import { assert } from '../kit/assert.ts';
import { insertAccounts } from './accounts/accounts.store.ts';
import type { KnownAccount, LedgerContext, LedgerWriter } from './ledger.types.ts';
import { insertPaymentNumbers } from './payment-numbers.store.ts';
import { deleteReferences, insertEntries, insertMovements, updateAccounts } from './save-batch.store.ts';
import { rowsOn, type Workspace } from './workspace.rules.ts';

/** The statements that write what a workspace has come to, in the order in which rows refer to each other. */
export function workspaceCalls(workspace: Workspace, { shelves, writers }: LedgerContext): GuardedCall[] {
  const { accounts, movements, entries, released, numbered, audit, events, now } = workspace;
  const calls: GuardedCall[] = [];
  const add = <Row>(rows: readonly Row[], write: (rows: readonly Row[]) => GuardedCall) => {
    if (rows.length > 0) calls.push(write(rows));
  };
  add(released, deleteReferences);
  add(openedAccounts(workspace), insertAccounts);
  add(accounts.changed(), updateAccounts);
  for (const shelf of shelves) {
    const rows = rowsOn(workspace, shelf.name);
    add(rows.added(), (added) => {
      assert(shelf.insert !== undefined, 'a shelf without an insert has all of its rows when they are loaded');
      return shelf.insert(added);
    });
    add(rows.changed(), (changed) => shelf.update(changed));
  }
  add(numbered, insertPaymentNumbers);
  add(movements, insertMovements);
  add(entries, insertEntries);
  calls.push(...journalCalls({ audit, events, now }, workspace.newId));
  calls.push(...writerCalls(workspace, writers));
  return calls;
}

/** What writes the rows that stand on no shelf. */
function writerCalls({ written, now }: Workspace, writers: readonly LedgerWriter[]): GuardedCall[] {
  const named = writers.filter(({ name }) => written.has(name));
  assert(named.length === written.size, 'the ledger knows what writes each row');
  return named.flatMap(({ name, write }) => write((written.get(name) ?? []) as never[], now));
}

/** New accounts as the batch leaves them, with what only their first row says. */
function openedAccounts({ opened, accounts }: Workspace): KnownAccount[] {
  return opened.map(({ accountId, numberDigest, numberKeyId }) => {
    const account = accounts.get(accountId);
    assert(account !== undefined, 'an account that was opened is among the accounts');
    return { ...account, numberDigest, numberKeyId };
  });
}
