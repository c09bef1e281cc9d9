import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { inputError } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { ACCOUNT_MONTHS, ACCOUNT_NUMBER_TRIES } from '../../kit/limits.ts';
import { isAmountMinor, parseCurrencyInUse } from '../../kit/money.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { findAccountByNumber } from '../../ledger/accounts/account-number.ts';
import { todayOf } from '../../merchants/payees/which-payee.ts';
import { type OpenedAccount, OWN_DIGITS, openStoredValue, ownNumber } from './open-stored-value.ts';

/** An account as the operator asks for it. */
export interface AskedAccount {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  readonly currency: string;
  /** Full months that it is good for, to the end of the last one. */
  readonly months: number;
  /** What it holds from the beginning, in minor units: from the payee's funding side. */
  readonly balance: number;
  readonly cvcRequired: boolean;
}

/**
 * Opens a stored-value account with a new number. The number and its code leave in this answer alone.
 *
 * @throws Refusal `inputerror`
 */
export async function createAccount(
  transaction: Transaction,
  context: Kontor,
  { payeeId, actor, cvcRequired, ...asked }: AskedAccount,
): Promise<OpenedAccount> {
  const currency = parseCurrencyInUse(asked.currency);
  if (currency === undefined) throw inputError('currency', 'must be a code of ISO 4217 that is in use, as in NOK');
  const { months, balance } = asked;
  if (months < 1 || months > ACCOUNT_MONTHS) throw inputError('months', `must be from 1 to ${ACCOUNT_MONTHS}`);
  if (!isAmountMinor(balance)) throw inputError('balance', 'must be from 0 to 999999999999');
  const number = await freeNumber(transaction, context, payeeId);
  const today = await todayOf(transaction.run, payeeId);
  assert(today !== undefined, 'the payee is there');
  const expiresOn = endOfMonth(today, months);
  return openStoredValue(transaction, context, {
    payeeId,
    actor,
    number,
    currency,
    expiresOn,
    cvcRequired,
    openingBalance: balance,
  });
}

/** One of a thousand million, which no account of the payee has. */
async function freeNumber(transaction: Transaction, context: Kontor, payeeId: PayeeId): Promise<Secret> {
  for (let tries = 1; ; tries++) {
    const number = ownNumber(context.randomDigits(OWN_DIGITS));
    if ((await findAccountByNumber(transaction, context.keyRing, { payeeId, number })) === undefined) return number;
    assert(tries < ACCOUNT_NUMBER_TRIES, 'a new number is found among so many');
  }
}

/** The last day of the month that lies so many months after a day's, each as `YYYY-MM-DD`. */
function endOfMonth(day: string, months: number): string {
  const then = new Date(day);
  return new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + months + 1, 0)).toISOString().slice(0, 10);
}
