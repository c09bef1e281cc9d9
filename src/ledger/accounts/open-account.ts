import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import type { Change } from '../../kit/change.types.ts';
import type { Kontor } from '../../kontor.types.ts';
import { book } from '../book.rules.ts';
import type { Account, AccountId, KnownAccount, MovementDraft } from '../ledger.types.ts';
import { insertEntries, insertMovements, updateAccounts } from '../save-batch.store.ts';
import { findAccountByNumber, numberIdentity } from './account-number.ts';
import { insertAccount } from './accounts.store.ts';
import type { AccountDraft } from './open-account.types.ts';

/**
 * Opens an account, or finds the one that has its number already, as it is. What it holds from the beginning comes from
 * the payee's funding side, as a movement like any other.
 */
export async function openAccount(
  transaction: Transaction,
  kontor: Kontor,
  { draft, actor }: { readonly draft: AccountDraft; readonly actor: Actor },
): Promise<KnownAccount> {
  const { payeeId, number } = draft;
  const known = await findAccountByNumber(transaction, kontor.keyRing, { payeeId, number });
  if (known !== undefined) return known;
  const numberKeyId = (await loadWriteKeys(transaction, kontor.keyRing)).current['account-numbers'];
  const numberDigest = kontor.keyRing.digest(numberKeyId, payeeId, numberIdentity(number));
  const accountId = kontor.newId() as AccountId;
  const added = await insertAccount(transaction, { ...draft, accountId, numberDigest, numberKeyId });
  const account = await findAccountByNumber(transaction, kontor.keyRing, { payeeId, number });
  assert(account !== undefined, 'an account is there once it was added, by this transaction or another');
  if (added === 0) return account;
  const { openingBalance: amount, currency } = draft;
  const details = amount > 0 && currency !== null ? { amount, currency } : {};
  await writeAudit(transaction, [{ payeeId, actor, action: 'open-account', objectId: accountId, details }]);
  return { ...account, ...(await fund(transaction, kontor, { account, draft })) };
}

async function fund(
  transaction: Transaction,
  { newId }: Kontor,
  { account, draft }: { readonly account: KnownAccount; readonly draft: AccountDraft },
): Promise<Account> {
  const { currency } = account;
  if (draft.openingBalance === 0) return account;
  assert(currency !== null, 'only stored value holds money');
  const { payeeId, accountId } = account;
  const opening: MovementDraft = {
    kind: 'Opening',
    currency,
    paymentId: null,
    transactionId: null,
    entries: [
      { side: 'Available', accountId, amount: draft.openingBalance },
      { side: 'Funding', accountId: null, amount: -draft.openingBalance },
    ],
  };
  const booked = book({ payeeId, account: () => account, newId, now: account.createdAt }, [opening]);
  const [after] = booked.accounts;
  assert(after !== undefined, 'the opening moves the account');
  const change: Change<Account> = { before: account, after };
  const calls = [updateAccounts([change]), insertMovements(booked.movements), insertEntries(booked.entries)];
  for (const { statement, values, expected } of calls) {
    const { count } = await transaction.run(statement, values);
    assert(count === expected, `${statement.name} touches the rows of one account`);
  }
  return change.after;
}
