import type { HistoryEntry } from '../../gift-cards/cards/history/history.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import type { AccountEntry } from '../ledger/ledger.types.ts';
import type { Slice } from '../newest-first.types.ts';

export type GiftCardState = 'Active' | 'Inactive' | 'Blocked' | 'Expired' | 'Voided' | 'Merged' | 'Replaced' | 'Swept';

/** A gift card as the portal lists it. Amounts in minor units, times ISO 8601 in UTC. */
export interface ListedGiftCard {
  readonly accountId: string;
  readonly productId: string;
  readonly productName: string;
  readonly masked: string;
  readonly state: GiftCardState;
  readonly currency: Currency;
  readonly available: number;
  readonly held: number;
  /** The last day, `YYYY-MM-DD`. */
  readonly expiresOn: string | null;
  readonly issuedAt: string;
  readonly blockedAt: string | null;
  /** When it was voided, merged, replaced or swept. */
  readonly endedAt: string | null;
}

/** A part of the list, cut down by a product or a state. */
export interface GiftCardList extends Slice {
  readonly payeeId: PayeeId;
  readonly productId: string | undefined;
  readonly state: GiftCardState | undefined;
}

/** A gift card and what happened to it. */
export interface GiftCardStory {
  readonly giftCard: ListedGiftCard;
  readonly steps: readonly HistoryEntry[];
  /** The latest entries, newest first. */
  readonly entries: readonly AccountEntry[];
  /** The cursor of those before. */
  readonly next: string | null;
}
