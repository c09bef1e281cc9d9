import type { CardVerdict } from '../../accounts/accounts.types.ts';
import { isBlocked } from '../../accounts/identifying/strikes.rules.ts';
import { addSeconds, later, unixMsOf } from '../../kit/instants.ts';
import type { AccountId, KnownAccount } from '../../ledger/ledger.types.ts';
import { mostFor } from '../plan.rules.ts';
import type { Closed, Counter, GiftCardJudged, JudgedFor } from './guessing.types.ts';

/** Entries of one order, right ones too, and wrong ones, before it takes no more gift cards. */
export const ENTRIES_OF_ORDER = 20;
export const WRONG_OF_ORDER = 5;

const DAY_SECONDS = 24 * 60 * 60;

/** How many wrong entries there may be in a window and in a day. */
export interface GuessLimit {
  readonly wrong: number;
  readonly windowSeconds: number;
  readonly wrongOfDay: number;
}

/** Of one subscriber's network at one payee: a payer mistypes a number a few times, and an office has many payers. */
export const OF_ADDRESS: GuessLimit = { wrong: 10, windowSeconds: 600, wrongOfDay: 30 };
/** Of a /48 of IPv6, which one customer may have whole: as much as four subscribers. */
export const OF_SITE: GuessLimit = { wrong: 40, windowSeconds: 600, wrongOfDay: 120 };
/** Of one network in its window, while the gift cards of the payee are guessed: who mistypes twice can still pay. */
export const WRONG_UNDER_ATTACK = 3;
/** Of one card on all pages: a stranger learns one code of 1 000 in a hundred days. */
export const OF_CARD: GuessLimit = { wrong: 5, windowSeconds: 1800, wrongOfDay: 10 };
/** Of a payer who has paid with the card before, while pages compare no codes of it. */
export const OF_PAYER: GuessLimit = { wrong: 5, windowSeconds: DAY_SECONDS, wrongOfDay: 5 };

/** Wrong entries of a payee, against different cards, in a window that are an attack. Right ones count nothing down. */
export const WRONG_OF_PAYEE = 100;
export const PAYEE_WINDOW_SECONDS = 600;
/** How long after the last of them networks wait after a few wrong entries. */
export const ATTACK_SECONDS = 1800;
/** Days in which a card that is closed a second time is told of. No counter is kept for longer. */
export const PAUSES_DAYS = 30;
const PAUSES_TOLD = 2;

/** A counter before anything was counted. */
export function newCounter({ kind, subject }: Pick<Counter, 'kind' | 'subject'>): Counter {
  const nothing = { entries: 0, wrong: 0, wrongOfDay: 0, pauses: 0 };
  const never = { windowEndsAt: null, dayEndsAt: null, closedUntil: null, pausesEndAt: null };
  return { kind, subject, ...nothing, ...never, forgetAt: '' };
}

/** Whether it holds anything back now. */
export function isClosed({ closedUntil }: Pick<Counter, 'closedUntil'>, now: string): boolean {
  return closedUntil !== null && now < closedUntil;
}

/** Whether an order takes no more gift cards. */
export function isSpent({ entries, wrong }: Pick<Counter, 'entries' | 'wrong'>): boolean {
  return wrong >= WRONG_OF_ORDER || entries >= ENTRIES_OF_ORDER;
}

/** An entry more of an order. */
export function countEntry(counter: Counter, wasWrong: boolean, forgetAt: string): Counter {
  return { ...counter, entries: counter.entries + 1, wrong: counter.wrong + (wasWrong ? 1 : 0), forgetAt };
}

/** An entry more of a payee, in its present window. */
export function countOfPayee(counter: Counter, wasWrong: boolean, now: string): Counter {
  const isOpen = counter.windowEndsAt !== null && now < counter.windowEndsAt;
  const windowEndsAt = isOpen ? counter.windowEndsAt : addSeconds(now, PAYEE_WINDOW_SECONDS);
  const before = isOpen ? counter : { entries: 0, wrong: 0 };
  const wrong = before.wrong + (wasWrong ? 1 : 0);
  return { ...counter, entries: before.entries + 1, wrong, windowEndsAt, forgetAt: windowEndsAt };
}

/** Whether the counters of a payee's parts say that its gift cards are guessed. */
export function isUnderAttack(parts: readonly Counter[], now: string): boolean {
  const open = parts.filter(({ windowEndsAt }) => windowEndsAt !== null && now < windowEndsAt);
  return open.reduce((sum, part) => sum + part.wrong, 0) >= WRONG_OF_PAYEE;
}

/** Whether a card was entered wrongly a moment ago: the next wrong entry of it is no other card. */
export function isWrongAgain(card: Counter, now: string): boolean {
  return isClosed(card, now) || (card.windowEndsAt !== null && now < card.windowEndsAt);
}

/** Until when a network enters no more while the gift cards of the payee are guessed; undefined where it may. */
export function pausedUntil({ wrong, windowEndsAt }: Counter, now: string): string | undefined {
  const isOpen = windowEndsAt !== null && now < windowEndsAt;
  return isOpen && wrong >= WRONG_UNDER_ATTACK ? windowEndsAt : undefined;
}

/**
 * A wrong entry more. Once there are too many it is closed for a window from now on, or to the end of the day.
 *
 * @param day where no day is counted yet, it begins now
 */
export function strike(counter: Counter, limit: GuessLimit, now: string): Counter {
  const isOpen = counter.windowEndsAt !== null && now < counter.windowEndsAt;
  const isSameDay = counter.dayEndsAt !== null && now < counter.dayEndsAt;
  const wrong = isOpen ? counter.wrong + 1 : 1;
  const windowEndsAt = isOpen ? counter.windowEndsAt : addSeconds(now, limit.windowSeconds);
  const wrongOfDay = isSameDay ? counter.wrongOfDay + 1 : 1;
  const dayEndsAt = isSameDay && counter.dayEndsAt !== null ? counter.dayEndsAt : addSeconds(now, DAY_SECONDS);
  const counted = { ...counter, entries: counter.entries + 1, wrong, windowEndsAt, wrongOfDay, dayEndsAt };
  const isFull = wrong >= limit.wrong || wrongOfDay >= limit.wrongOfDay;
  if (!isFull) return { ...counted, forgetAt: later(dayEndsAt, counter.pausesEndAt ?? dayEndsAt) };
  const closedUntil = wrongOfDay >= limit.wrongOfDay ? dayEndsAt : addSeconds(now, limit.windowSeconds);
  const isPausedBefore = counter.pausesEndAt !== null && now < counter.pausesEndAt;
  const pauses = isPausedBefore ? counter.pauses + 1 : 1;
  const pausesEndAt = isPausedBefore ? counter.pausesEndAt : addSeconds(now, PAUSES_DAYS * DAY_SECONDS);
  // What is closed begins anew afterwards.
  return { ...counted, wrong: 0, windowEndsAt: null, closedUntil, pauses, pausesEndAt, forgetAt: pausesEndAt ?? '' };
}

/** Whether a strike has closed a card for the second time, so that its payee is to be told; then it is counted anew. */
export function isTold(before: Counter, after: Counter): boolean {
  return after.pauses !== before.pauses && after.pauses === PAUSES_TOLD;
}

/** The counter of a card whose payee was told. */
export function afterTelling(counter: Counter): Counter {
  return { ...counter, pauses: 0, pausesEndAt: null };
}

/** Seconds, rounded up, that something is still closed; at least one. */
export function secondsUntil(instant: string, now: string): number {
  return Math.max(1, Math.ceil((unixMsOf(instant) - unixMsOf(now)) / 1000));
}

/** That nothing is looked up, and for how long. */
export function closed(until: string | undefined, now: string): Closed {
  return { outcome: 'closed', ...(until !== undefined && { retryAfterSeconds: secondsUntil(until, now) }) };
}

/** What an entry is compared with, and what came of it. */
export interface Compared {
  readonly order: JudgedFor;
  /** Accounts that are on the order already. */
  readonly added: readonly AccountId[];
  readonly account: KnownAccount | undefined;
  readonly verdict: CardVerdict;
  /** Whether pages compare no codes of it, for this payer. */
  readonly isPaused: boolean;
}

/**
 * What a payer is told of an entry. All that is said to who does not know number and code is one answer; the rest stands
 * after it.
 */
export function outcomeOf({ order, added, account, verdict, isPaused }: Compared, now: string): GiftCardJudged {
  if (account === undefined || isPaused || !isUsableOnline(account) || isBlocked(account, now)) return NOT_USABLE;
  if (!verdict.numberMatches || verdict.code !== 'Matches') return NOT_USABLE;
  if (added.includes(account.accountId)) return { outcome: 'alreadyadded' };
  if (account.expiresAt !== null && account.expiresAt <= now) return { outcome: 'expired' };
  if (account.currency !== order.currency) return { outcome: 'currency' };
  if (mostFor(order, account) <= 0) return { outcome: 'notallowed' };
  if (account.available <= 0) return { outcome: 'empty' };
  return { outcome: 'ok', account };
}

const NOT_USABLE: GiftCardJudged = { outcome: 'notusable' };

/** Money of the payee's own ledger, with a code that can be checked. */
function isUsableOnline({ kind, cvcKeyId }: KnownAccount): boolean {
  return kind === 'StoredValue' && cvcKeyId !== null;
}
