import type { Transaction } from '../../db/transaction.types.ts';
import { notFound } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Secret } from '../../kit/secret.ts';
import { findAccountByNumber } from '../../ledger/accounts/account-number.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';
import type { LifeContext } from './life.types.ts';

/**
 * The id of the payee's card with this number.
 *
 * @throws Refusal `notfound` where there is none
 */
export async function findCardByNumber(
  transaction: Transaction,
  context: Pick<LifeContext, 'keyRing'>,
  wanted: { readonly payeeId: PayeeId; readonly number: Secret },
): Promise<AccountId> {
  const account = await findAccountByNumber(transaction, context, wanted);
  if (account === undefined) throw notFound();
  return account.accountId;
}
