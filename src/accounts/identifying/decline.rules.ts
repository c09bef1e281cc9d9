import { countedAs } from '../../kit/caller.ts';
import type { CardProblemCode } from '../../kit/cards/card-problems.ts';
import { monthOf, oldestMonthOf } from '../../kit/instants.ts';
import type { Account } from '../../ledger/ledger.types.ts';
import type { CardVerdict, NewPaymentCommand } from '../accounts.types.ts';
import { isBlocked, isKeptOff } from './strikes.rules.ts';

/** Why a payment is declined, and whether the card is to be charged with a wrong value. */
export interface Decline {
  readonly problem: CardProblemCode;
  readonly isStrike: boolean;
}

/**
 * Judges the card and the money of a request, in this order: an unknown, blocked or wrongly typed card looks like any
 * other from outside, so these come before anything that would tell them apart.
 *
 * @param now the time of the batch
 * @returns undefined where nothing speaks against the payment
 */
export function declineOf(command: NewPaymentCommand, account: Account, now: string): Decline | undefined {
  const { verdict, operation, currency, amount } = command;
  const isClosed = isBlocked(account, now) || isKeptOff(account, countedAs(command.actor), now);
  if (!verdict.numberMatches || isClosed) return { problem: 'carddeclined', isStrike: false };
  if (isWrong(verdict, account)) return { problem: 'carddeclined', isStrike: true };
  if (lacksCode(verdict, account) && !isMoneyIn(command)) return { problem: 'carddeclined', isStrike: false };
  if (hasExpired(verdict, account, now)) return { problem: 'acquirercardexpired', isStrike: false };
  if (account.currency !== null && account.currency !== currency) return { problem: 'carddeclined', isStrike: false };
  if (!mayBuy(command, account)) return { problem: 'carddeclined', isStrike: false };
  const spends = operation === 'Authorize' || operation === 'Purchase';
  if (account.kind === 'StoredValue' && spends && (isUnsold(account) || amount > account.available)) {
    return { problem: 'acquirerinsufficientfunds', isStrike: false };
  }
  return undefined;
}

/** Whether a request brings money to the account instead of taking it. */
export function isMoneyIn({ operation }: Pick<NewPaymentCommand, 'operation'>): boolean {
  return operation === 'Deposit' || operation === 'Credit';
}

/** Whether no money ever came to a gift card, as to one on a shelf: with nothing to hold it would pass for one that can be used. */
function isUnsold({ instrument, entryCount }: Account): boolean {
  return instrument === 'giftcard' && entryCount === 0;
}

/** Whether a cvc or an expiry was sent that is not the card's. */
export function isWrong({ code, expiryMonth }: CardVerdict, { expiresOn }: Account): boolean {
  return code === 'Wrong' || (expiryMonth !== undefined && expiresOn !== null && expiryMonth !== monthOf(expiresOn));
}

/** Whether the card needs a cvc and none was sent. */
export function lacksCode({ code }: CardVerdict, { cvcRequired }: Account): boolean {
  return cvcRequired && code === 'NotSent';
}

/** By what the account knows; of an external card by what was sent, to the end of that month everywhere. */
function hasExpired({ expiryMonth }: CardVerdict, { expiresAt }: Account, now: string): boolean {
  if (expiresAt !== null) return expiresAt <= now;
  return expiryMonth !== undefined && expiryMonth < oldestMonthOf(now);
}

function mayBuy({ echo }: NewPaymentCommand, { allowedProductIds }: Account): boolean {
  if (allowedProductIds.length === 0) return true;
  return (echo.words.products ?? []).every(({ productId }) => allowedProductIds.includes(productId));
}
