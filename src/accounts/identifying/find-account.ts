import type { Transaction } from '../../db/transaction.types.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import type { AccountIdentity } from '../../ledger/accounts/ledger-reads.types.ts';
import { listAccounts } from '../../ledger/accounts/look-ups.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';
import type { AccountsContext } from '../accounts.types.ts';

type LookUps = Pick<AccountsContext, 'lookUps'>;

/**
 * The account that a path names.
 *
 * @throws Refusal `notfound` where the payee has none of it
 */
export async function accountOfPath(
  context: LookUps,
  payeeId: PayeeId,
  paymentAccountId: string,
): Promise<AccountIdentity> {
  const account = await findAccount(context, payeeId, paymentAccountId);
  if (account === undefined) throw notFound();
  return account;
}

/** Whether the payee has an account of that id. */
export async function accountExists(context: LookUps, payeeId: PayeeId, paymentAccountId: string): Promise<boolean> {
  return (await findAccount(context, payeeId, paymentAccountId)) !== undefined;
}

function findAccount({ lookUps }: LookUps, payeeId: PayeeId, text: string): Promise<AccountIdentity | undefined> {
  // A text that is no UUID would fail the statement for all that travel with it.
  if (!isUuid(text)) return Promise.resolve(undefined);
  return lookUps.accountIdentity({ payeeId, accountId: text.toLowerCase() as AccountId });
}

/** A payee's accounts as requests name them: gift cards and cards of issuers elsewhere among them, the newest first. */
export async function listPaymentAccounts(transaction: Transaction, payeeId: PayeeId) {
  const { rows } = await listAccounts(transaction, payeeId);
  return rows.map(({ accountId, ...account }) => ({ paymentAccountId: accountId, ...account }));
}
