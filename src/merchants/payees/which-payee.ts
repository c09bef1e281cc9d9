import type { Read, Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { OPERATOR, type PayeeId, parsePayeeId } from '../../kit/ids.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { Payee } from '../merchants.types.ts';
import { selectPayee, selectPayees, selectToday } from './payees.store.ts';

/**
 * The payee that a command is about: the one that `--payee` names, or the only one there is.
 *
 * @param text what was written after `--payee`; undefined where it was left out
 * @throws Trouble that says what to do, where that is no payee, or there is none, or more than one
 */
export async function whichPayee(transaction: Transaction, text: string | undefined): Promise<PayeeId> {
  return text === undefined ? theOnlyPayee(transaction) : namedPayee(transaction, text);
}

async function namedPayee(transaction: Transaction, text: string): Promise<PayeeId> {
  const payeeId = parsePayeeId(text);
  if (payeeId === undefined)
    throw new Trouble('--payee takes the id of a payee, a UUID. `kontor payees list` shows them.');
  const { rows } = await selectPayee(transaction, payeeId);
  // The operator has a row among the payees, but no payers and no payments.
  if (rows.length === 0 || payeeId === OPERATOR)
    throw new Trouble('There is no such payee. `kontor payees list` shows them.');
  return payeeId;
}

async function theOnlyPayee(transaction: Transaction): Promise<PayeeId> {
  const { rows } = await selectPayees(transaction, 2);
  const [only, another] = rows;
  if (only === undefined) throw new Trouble('There is no payee yet. `kontor payees create --name NAME` makes one.');
  if (another !== undefined) {
    throw new Trouble('There are several payees. Name one with --payee ID; `kontor payees list` shows them.');
  }
  return only.payeeId;
}

/** The day where a payee is, `YYYY-MM-DD`: not that of UTC around midnight. Undefined where there is no such payee. */
export async function todayOf(read: Read, payeeId: PayeeId): Promise<string | undefined> {
  const { rows } = await selectToday(read, payeeId);
  return rows[0]?.today;
}

/** What was written after a command: whose credentials it is about. */
export interface Owner {
  readonly payee: string | undefined;
  readonly operator: boolean;
}

/**
 * The payee whose credentials a command is about; the operator with `--operator`.
 *
 * @throws Trouble that says what to do, where both are named, or the payee is not clear
 */
export async function whoseCredentials(transaction: Transaction, owner: Owner): Promise<PayeeId> {
  if (!owner.operator) return whichPayee(transaction, owner.payee);
  if (owner.payee !== undefined) throw new Trouble('--operator and --payee exclude each other.');
  return OPERATOR;
}

/** A payee that is there: that of a credential, for instance. */
export async function payeeOf(transaction: Transaction, payeeId: PayeeId): Promise<Payee> {
  const { rows } = await selectPayee(transaction, payeeId);
  const [payee] = rows;
  assert(payee, 'the payee of a credential is there');
  return payee;
}

/** The name of a payee that is there, for people. */
export async function namePayee(transaction: Transaction, payeeId: PayeeId): Promise<string> {
  return (await payeeOf(transaction, payeeId)).name;
}

/** Whether there is such a payee. */
export async function payeeExists(transaction: Transaction, payeeId: PayeeId): Promise<boolean> {
  const { count } = await selectPayee(transaction, payeeId);
  return count === 1;
}
