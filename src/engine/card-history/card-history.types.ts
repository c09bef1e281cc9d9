import type { PayeeId } from '../../kit/ids.ts';
import type { WriteName } from '../../kit/row-writes.ts';

/** What an issuer has said of a card of a payee's, as far as it bears on later tries. */
export interface CardVerdict {
  readonly payeeId: PayeeId;
  readonly cardDigest: Buffer;
  /** Neither its payee nor its payer may try it before; now: it is not blocked. */
  readonly blockedUntil: string;
  /** Its payee may not charge it by itself before. */
  readonly retryAt: string | null;
  /** Null where it does not count as a decline of the card. */
  readonly declinedAt: string | null;
  readonly isApproved: boolean;
}

/** What issuers have just said of cards. */
export const CARD_VERDICT: WriteName<CardVerdict> = 'card-verdict';

/** What issuers have said of a card of a payee's before. */
export interface CardHistory {
  /** Whether one has said lately never to try it again. */
  readonly isBlocked: boolean;
  /** Whether one has said to leave it alone for a time that is not over. */
  readonly isTooSoon: boolean;
  /** Since the last approval, within 24 hours and 30 days. */
  readonly declinesInDay: number;
  readonly declinesInMonth: number;
  /** Tries of the command's card that wait for their issuer: each may be declined. */
  readonly triesUnderWay: number;
  /** Whether there is anything that an approval ends. */
  readonly isCounted: boolean;
}

/** Days for which a card is recognised by its digest: schemes count declines for 30. */
export const CARD_HISTORY_DAYS = 30;

/** What a payee's card is known by without its number, for as long as its declines are counted. */
export interface CardDigests {
  readonly digest: Buffer;
  /** Under keys that were replaced lately: rows from before have these. */
  readonly earlier: readonly Buffer[];
}

/** The digests of a payee's card, of which that of now takes the place of those of before. */
export interface Renewal extends CardDigests {
  readonly payeeId: PayeeId;
}
