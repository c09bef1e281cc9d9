import type { Read, Transact } from '../../db/transaction.types.ts';
import { Refusal } from '../../kit/errors.ts';
import type { KnownAccount } from '../../ledger/ledger.types.ts';
import type { AccountsContext } from '../accounts.types.ts';
import { type AskBalance, checkBalance, findForBalance, readForBalance } from './ask-balance.ts';
import { countLookUp } from './limit-look-ups.ts';

/** What a question for a balance needs. */
export interface BalanceParts {
  readonly read: Read;
  readonly transact: Transact;
  readonly context: AccountsContext;
}

/**
 * The account of a card, for a caller who has the card. One read answers a question that is right. Any other goes the long way
 * after it, whatever is wrong with it, so that its time does not tell what that is.
 *
 * @throws Refusal `notfound` where the account is unknown or blocked, or the cvc or expiry is wrong
 * @throws Refusal `inputerror` where the card is named twice in different ways
 * @throws Refusal `toomanyrequests` where the caller, or its payee, has no look-ups left
 */
export async function askBalance(
  { read, transact, context }: BalanceParts,
  question: AskBalance,
): Promise<KnownAccount> {
  const known = await readForBalance(read, context, question);
  if (known !== undefined) return known;
  const found = await transact((transaction) => findForBalance(transaction, context, question));
  const account = await checkBalance(context, question, found);
  if (!(account instanceof Refusal)) return account;
  await transact((transaction) => countLookUp(transaction, question));
  throw account;
}
