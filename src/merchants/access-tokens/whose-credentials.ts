import type { Transaction } from '../../db/transaction.types.ts';
import { OPERATOR, type PayeeId } from '../../kit/ids.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { whichPayee } from '../payees/which-payee.ts';

/** What was written after a command: whose credentials it is about. */
export interface Owner {
  readonly payee?: string;
  readonly operator?: true;
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
