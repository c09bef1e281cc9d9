import type { PayeeId } from '../../kit/ids.ts';
import { addSeconds } from '../../kit/instants.ts';
import type { Answer } from '../leg.types.ts';
import type { CardHistory, CardVerdict } from './card-history.types.ts';

// How often a payee may charge a card again that its issuer has declined. Schemes take a fee for each charge beyond, and in
// the end the payee's agreement. So we refuse it before the acquirer is asked.

/** Declines after which a payee no longer charges a card by itself, within a day and within 30 days. */
interface RetryLimit {
  readonly inDay: number;
  readonly inMonth: number;
}

/** Mastercard's rule for repeated charges; that of Visa is for 30 days alone, and the others get it too. */
const LIMITS: Partial<Record<string, RetryLimit>> = {
  Mastercard: { inDay: 10, inMonth: 35 },
  Maestro: { inDay: 10, inMonth: 35 },
};
const OTHERS: RetryLimit = { inDay: 15, inMonth: 15 };

/**
 * Whether a payee must wait before it charges a card by itself: the issuer has said so, has declined it too often, or may have once
 * it has answered what is under way.
 */
export function mustWait(history: CardHistory, brand: string | undefined): boolean {
  const { inDay, inMonth } = LIMITS[brand ?? ''] ?? OTHERS;
  const { isTooSoon, declinesInDay, declinesInMonth, triesUnderWay } = history;
  return isTooSoon || declinesInDay + triesUnderWay >= inDay || declinesInMonth + triesUnderWay >= inMonth;
}

/** Seconds for which a card is not charged that must never be tried again: 30 days. */
const BLOCK_SECONDS = 30 * 24 * 60 * 60;

/** Problems that say nothing of the card: its issuer was not asked, or the acquirer does not take it. */
const OF_ACQUIRERS = ['acquirererror', 'acquirergatewayerror', 'acquirergatewaytimeout'];

/**
 * What an answer says of a card for later tries; undefined where it says nothing: no issuer has answered, or the card is
 * approved as before.
 */
export function verdictOf(
  { payeeId, cardDigest }: { readonly payeeId: PayeeId; readonly cardDigest: Buffer | null },
  answer: Answer,
  { history, now }: { readonly history: Pick<CardHistory, 'isCounted'>; readonly now: string },
): CardVerdict | undefined {
  if (cardDigest === null) return undefined;
  const none = { payeeId, cardDigest, blockedUntil: now, retryAt: null, declinedAt: null, isApproved: false };
  switch (answer.outcome) {
    case 'Approved':
      return history.isCounted ? { ...none, isApproved: true } : undefined;
    case 'PartiallyApproved':
    case 'AuthenticationRequired':
    case 'Refused':
      return { ...none, declinedAt: now };
    case 'Declined': {
      const { advice, afterHours } = answer.retry;
      return {
        ...none,
        declinedAt: OF_ACQUIRERS.includes(answer.problem) ? null : now,
        blockedUntil: advice === 'Never' ? addSeconds(now, BLOCK_SECONDS) : now,
        retryAt: advice === 'Later' && afterHours !== undefined ? addSeconds(now, afterHours * 3600) : null,
      };
    }
    default:
      return undefined;
  }
}
