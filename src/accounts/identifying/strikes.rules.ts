import { countedAs } from '../../kit/caller.ts';
import { addSeconds } from '../../kit/instants.ts';
import {
  WRONG_CODE_BLOCK_SECONDS,
  WRONG_CODE_WINDOW_SECONDS,
  WRONG_CODES,
  WRONG_CODES_OF_DAY,
} from '../../kit/limits.ts';
import { write } from '../../kit/row-writes.ts';
import type { Account, AccountChange, Effect } from '../../ledger/ledger.types.ts';
import type { Striker, Strikers } from '../../ledger/strikers.types.ts';
import { type FailedLookUp, UNKNOWN_NUMBER } from '../accounts.types.ts';

/**
 * Wrong values of all callers that close a card for all, in a day and for a day. No two callers reach it, so a stranger with
 * a token cannot take a card from its holder; many callers together guess 3 of 100 codes a day.
 */
const WRONG_CODES_OF_ALL = 30;

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Whether the card is closed for all callers now; see `isKeptOff` for one caller. A card that has ended stays closed,
 * and looks the same.
 */
export function isBlocked(
  { blockedAt, blockedUntil, closedAt }: Pick<Account, 'blockedAt' | 'blockedUntil' | 'closedAt'>,
  now: string,
): boolean {
  if (closedAt !== null) return true;
  return blockedAt !== null && (blockedUntil === null || now < blockedUntil);
}

/** Whether wrong codes keep this caller from the card now. */
export function isKeptOff({ strikers }: Pick<Account, 'strikers'>, caller: string, now: string): boolean {
  return isClosedFor(strikers?.[caller], now);
}

/** A card as a caller has it: one that wrong codes keep them from is blocked, for them. */
export function asHadBy<Card extends Pick<Account, 'blockedAt' | 'blockedUntil' | 'closedAt' | 'strikers'>>(
  card: Card,
  caller: string,
  now: string,
): Card {
  const blockedUntil = card.strikers?.[caller]?.blockedUntil ?? null;
  if (blockedUntil === null || isBlocked(card, now) || !isKeptOff(card, caller, now)) return card;
  return { ...card, blockedAt: addSeconds(blockedUntil, -WRONG_CODE_BLOCK_SECONDS), blockedUntil };
}

/** Whether wrong codes keep some caller from the card now. */
export function keepsSomebodyOff({ strikers }: Pick<Account, 'strikers'>, now: string): boolean {
  return Object.values(strikers ?? {}).some((striker) => isClosedFor(striker, now));
}

function isClosedFor(striker: Striker | undefined, now: string): boolean {
  return striker?.blockedUntil != null && now < striker.blockedUntil;
}

/**
 * One more wrong cvc or expiry. It counts for the caller that sent it, and closes the card for them: the fifth in half
 * an hour, or the tenth in a day. Only what many callers give together closes it for all. Both are for a day.
 *
 * Guessing stays pointless: see docs/security.md.
 *
 * @param caller what the caller counts as: `countedAs`
 */
export function strike(account: Account, caller: string, now: string): AccountChange {
  const { accountId } = account;
  const strikers = { ...stillCounting(account.strikers ?? {}, now), [caller]: struck(account.strikers?.[caller], now) };
  const isOpen = account.strikesEndAt !== null && now < account.strikesEndAt;
  const strikes = isOpen ? account.strikes + 1 : 1;
  if (strikes < WRONG_CODES_OF_ALL) {
    const strikesEndAt = isOpen ? account.strikesEndAt : addSeconds(now, DAY_SECONDS);
    return { accountId, strikers, strikes, strikesEndAt };
  }
  const blockedUntil = addSeconds(now, WRONG_CODE_BLOCK_SECONDS);
  return { accountId, strikers, strikes: 0, strikesEndAt: null, blockedAt: now, blockedUntil };
}

/**
 * What is written down of it. An unknown number leaves as many rows as a wrong code, and asks for as many statements: else
 * the time would tell a caller who tries numbers which of them are cards.
 */
export function failure(
  { payeeId, actor, numberDigest, isWrong }: FailedLookUp,
  account: Account | undefined,
  now: string,
): Effect {
  const action = 'note-wrong-code';
  if (account === undefined) {
    const writes = [write(UNKNOWN_NUMBER, { payeeId, digest: numberDigest })];
    return { action, isAttempt: true, object: { objectId: 'unknown' }, writes };
  }
  const caller = countedAs(actor);
  const isStrike = isWrong && !isBlocked(account, now) && !isKeptOff(account, caller, now);
  const change = isStrike ? strike(account, caller, now) : { accountId: account.accountId };
  return { action, isAttempt: true, accountChanges: [change] };
}

/** What forgives all wrong codes. */
export const NO_STRIKES = { strikes: 0, strikesEndAt: null, strikers: null } as const;

function struck(before: Striker | undefined, now: string): Striker {
  const isOpen = before !== undefined && now < before.windowEndsAt;
  const isSameDay = before !== undefined && now < before.dayEndsAt;
  const wrong = isOpen ? before.wrong + 1 : 1;
  const wrongOfDay = isSameDay ? before.wrongOfDay + 1 : 1;
  const isTooMuch = wrong >= WRONG_CODES || wrongOfDay >= WRONG_CODES_OF_DAY;
  return {
    wrong: isTooMuch ? 0 : wrong,
    windowEndsAt:
      isOpen && !isTooMuch ? before.windowEndsAt : addSeconds(now, isTooMuch ? 0 : WRONG_CODE_WINDOW_SECONDS),
    wrongOfDay,
    dayEndsAt: isSameDay ? before.dayEndsAt : addSeconds(now, DAY_SECONDS),
    blockedUntil: isTooMuch ? addSeconds(now, WRONG_CODE_BLOCK_SECONDS) : null,
  };
}

/** Callers that nothing counts any more are forgotten: as many stay as give wrong codes in a day. */
function stillCounting(strikers: Strikers, now: string): Strikers {
  return Object.fromEntries(
    Object.entries(strikers).filter(([, striker]) => now < striker.dayEndsAt || isClosedFor(striker, now)),
  );
}
