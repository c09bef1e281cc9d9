import type { CardProblemCode } from '../kit/card-problems.ts';
import { addSeconds, monthOf } from '../kit/instants.ts';
import { WRONG_CODE_BLOCK_SECONDS, WRONG_CODE_WINDOW_SECONDS, WRONG_CODES } from '../kit/limits.ts';
import type { Account, AccountChange } from '../ledger/ledger.types.ts';
import type { CardVerdict, OpenPaymentCommand } from './accounts.types.ts';

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
export function declineOf(command: OpenPaymentCommand, account: Account, now: string): Decline | undefined {
  const { verdict, operation, currency, amount } = command;
  if (!verdict.numberMatches || isBlocked(account, now)) return { problem: 'carddeclined', isStrike: false };
  if (isWrong(verdict, account)) return { problem: 'carddeclined', isStrike: true };
  if (lacksCode(verdict, account) && !isMoneyIn(command)) return { problem: 'carddeclined', isStrike: false };
  if (hasExpired(verdict, account, now)) return { problem: 'acquirercardexpired', isStrike: false };
  if (account.currency !== null && account.currency !== currency) return { problem: 'carddeclined', isStrike: false };
  if (!mayBuy(command, account)) return { problem: 'carddeclined', isStrike: false };
  const spends = operation === 'Authorize' || operation === 'Purchase';
  if (account.kind === 'StoredValue' && spends && amount > account.available) {
    return { problem: 'acquirerinsufficientfunds', isStrike: false };
  }
  return undefined;
}

/** Whether a request brings money to the account instead of taking it. */
export function isMoneyIn({ operation }: Pick<OpenPaymentCommand, 'operation'>): boolean {
  return operation === 'Deposit' || operation === 'Credit';
}

/** Whether nobody may use the card online now. One that has ended is never usable again, and looks the same. */
export function isBlocked(
  { blockedAt, blockedUntil, closedAt }: Pick<Account, 'blockedAt' | 'blockedUntil' | 'closedAt'>,
  now: string,
): boolean {
  if (closedAt !== null) return true;
  return blockedAt !== null && (blockedUntil === null || now < blockedUntil);
}

/** Whether a cvc or an expiry was sent that is not the card's. */
export function isWrong({ code, expiryMonth }: CardVerdict, { expiresOn }: Account): boolean {
  return code === 'Wrong' || (expiryMonth !== undefined && expiresOn !== null && expiryMonth !== monthOf(expiresOn));
}

/** Whether the card needs a cvc and none was sent. */
export function lacksCode({ code }: CardVerdict, { cvcRequired }: Account): boolean {
  return cvcRequired && code === 'NotSent';
}

/** By what the account knows; of an external card by what was sent, to the end of that month in UTC. */
function hasExpired({ expiryMonth }: CardVerdict, { expiresAt }: Account, now: string): boolean {
  if (expiresAt !== null) return expiresAt <= now;
  return expiryMonth !== undefined && expiryMonth < monthOf(now);
}

function mayBuy({ echo }: OpenPaymentCommand, { allowedProductIds }: Account): boolean {
  if (allowedProductIds.length === 0) return true;
  return (echo.words.products ?? []).every(({ productId }) => allowedProductIds.includes(productId));
}

/** One more wrong value: it opens a window or counts in the open one, and the fifth blocks the card for a day. */
export function strike(account: Account, now: string): AccountChange {
  const isOpen = account.strikesEndAt !== null && now < account.strikesEndAt;
  const strikes = isOpen ? account.strikes + 1 : 1;
  if (strikes < WRONG_CODES) {
    const strikesEndAt = isOpen ? account.strikesEndAt : addSeconds(now, WRONG_CODE_WINDOW_SECONDS);
    return { accountId: account.accountId, strikes, strikesEndAt };
  }
  return {
    accountId: account.accountId,
    strikes: 0,
    strikesEndAt: null,
    blockedAt: now,
    blockedUntil: addSeconds(now, WRONG_CODE_BLOCK_SECONDS),
  };
}
