import type { Transaction } from '../../db/transaction.types.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { whichPayee } from '../../merchants/payees/which-payee.ts';
import type { AccountId } from '../ledger.types.ts';
import type { StatementLine } from './ledger-reads.types.ts';
import { selectStatement } from './statement.store.ts';

/** Entries of one statement of an account: what a person reads. */
const STATEMENT_LINES = 1000;

/** Whose statement, as the operator typed it. */
export interface StatementOf {
  readonly account: string;
  /** May be left out while there is one payee. */
  readonly payee: string | undefined;
}

/**
 * The latest entries of an account, oldest first.
 *
 * @throws Refusal `notfound` where the payee has no such account, or it was never moved
 */
export async function accountStatement(
  transaction: Transaction,
  { account, payee }: StatementOf,
): Promise<readonly StatementLine[]> {
  const payeeId = await whichPayee(transaction, payee);
  if (!isUuid(account)) throw notFound();
  const { rows } = await selectStatement(transaction, { payeeId, accountId: account as AccountId }, STATEMENT_LINES);
  if (rows.length === 0) throw notFound();
  return rows;
}
