import { isBlocked, keepsSomebodyOff } from '../../accounts/identifying/strikes.rules.ts';
import type { CardAccount, CardLife, CardState, LifeStep } from './life.types.ts';

/** What a step is decided on. */
export interface CardSituation {
  readonly card: CardLife;
  readonly account: CardAccount;
  /** The present instant, ISO 8601 in UTC. */
  readonly now: string;
}

/** The steps that are offered, in their order. An extension needs a day, and a restoration is the exception: commands do them. */
const STEPS: readonly LifeStep[] = ['Block', 'Unblock', 'Void', 'Merge', 'Replace', 'Sweep'];

/** The steps that are possible now: those that would not be refused. */
export function possibleSteps(situation: CardSituation): readonly LifeStep[] {
  return STEPS.filter((step) => whyNot(step, situation) === undefined);
}

/** Why a step is not possible, in words for the caller; undefined where it is. */
export function whyNot(step: LifeStep, situation: CardSituation): string | undefined {
  // A card that was swept has ended, and a restoration is for such a card alone.
  return (step === 'Restore' ? undefined : endOf(situation)) ?? REASONS[step](situation);
}

/** What a card is now. */
export function stateOf({ card, account, now }: CardSituation): CardState {
  if (card.voidedAt !== null) return 'Voided';
  if (card.mergedAt !== null) return 'Merged';
  if (card.replacedAt !== null) return 'Replaced';
  if (card.sweptAt !== null) return 'Swept';
  if (hasExpired(account, now)) return 'Expired';
  if (isBlocked(account, now)) return 'Blocked';
  return isUnsold({ card, account }) ? 'Inactive' : 'Active';
}

/** Why a card cannot take the balance of another one; undefined where it can. */
export function whyNotInto(situation: CardSituation): string | undefined {
  const { card, account, now } = situation;
  if (account.closedAt !== null) return 'The other card has ended.';
  if (hasExpired(account, now)) return 'The other card has expired.';
  if (isUnsold({ card, account })) return 'The other card has not been sold yet.';
  return isBlocked(account, now) ? 'The other card is blocked.' : undefined;
}

function endOf({ card, account }: CardSituation): string | undefined {
  if (card.voidedAt !== null) return 'The card was voided.';
  if (card.mergedAt !== null) return 'The card was merged into another one.';
  if (card.replacedAt !== null) return 'The card was replaced by another one.';
  if (card.sweptAt !== null) return 'The card has expired, and its remainder was swept.';
  // A step before this one in the same batch has ended it.
  return account.closedAt === null ? undefined : 'The card has ended.';
}

const REASONS: Readonly<Record<LifeStep, (situation: CardSituation) => string | undefined>> = {
  Block: ({ account }) => (isBlockedForGood(account) ? 'The card is blocked already.' : undefined),
  Unblock: ({ account, now }) =>
    isBlocked(account, now) || keepsSomebodyOff(account, now) ? undefined : 'The card is not blocked.',
  Void: (situation) => (isFresh(situation) ? undefined : 'Only a card that was never used can be voided.'),
  Merge: ({ account, now }) =>
    expiredOrHeld(account, now) ??
    (isBlocked(account, now) ? 'The card is blocked.' : undefined) ??
    (account.available === 0 ? NOTHING_LEFT : undefined),
  // A lost card is blocked as a rule, and one without money can be situation again.
  Replace: ({ card, account, now }) =>
    isUnsold({ card, account }) ? 'The card has not been sold yet.' : expiredOrHeld(account, now),
  Sweep: ({ account, now }) => {
    if (!hasExpired(account, now)) return 'The card has not expired.';
    return account.available === 0 ? NOTHING_LEFT : undefined;
  },
  Extend: () => undefined,
  Restore: ({ card, account }) =>
    card.sweptAt === null || account.closedAt === null ? 'Only a card that was swept can be restored.' : undefined,
};

const NOTHING_LEFT = 'Nothing is available on the card.';

function expiredOrHeld(account: CardAccount, now: string): string | undefined {
  if (hasExpired(account, now)) return 'The card has expired.';
  return account.held > 0 ? 'Part of its balance is held: capture or cancel that first.' : undefined;
}

/** Whether a card that was issued to be sold later waits for its sale: no money has come to it. */
export function isUnsold({ card, account }: Pick<CardSituation, 'card' | 'account'>): boolean {
  return card.inactiveUntilSold && account.entryCount === 0;
}

function hasExpired({ expiresAt }: CardAccount, now: string): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Until a request unblocks it, unlike the block of a day after wrong codes. */
function isBlockedForGood({ blockedAt, blockedUntil }: CardAccount): boolean {
  return blockedAt !== null && blockedUntil === null;
}

/** Whether nothing has moved on the card, or its first deposit alone. */
function isFresh({ card, account }: CardSituation): boolean {
  if (account.entryCount === 0) return true;
  return account.entryCount === 1 && card.firstKind === 'Deposit' && card.firstPaymentId !== null;
}
