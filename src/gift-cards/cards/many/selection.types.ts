import type { Actor } from '../../../kit/caller.ts';
import type { PayeeId } from '../../../kit/ids.ts';
import type { FileStamp } from '../../../kit/imports/import.types.ts';
import type { AccountId } from '../../../ledger/ledger.types.ts';
import type { Asked } from '../life.types.ts';

/** Which cards of a payee are meant: those that have all that is said. */
export interface Selection {
  readonly productId?: string | undefined;
  /** The first and the last day of issue where the payee is, `YYYY-MM-DD`. */
  readonly issuedFrom?: string | undefined;
  readonly issuedTo?: string | undefined;
  /** Cards whose last day is before this one. */
  readonly expiredBefore?: string | undefined;
  /** Cards on which nothing has moved since, ISO 8601 in UTC; and what has moved until their turn comes keeps them out, too. */
  readonly unmovedSince?: string | undefined;
  /** Those that a file names. */
  readonly accountIds?: ReadonlySet<string> | undefined;
}

/** What of a card it is chosen by. */
export interface PageCard {
  readonly accountId: AccountId;
  readonly productId: string;
  /** `YYYY-MM-DD`, where the payee is. */
  readonly issuedOn: string;
  /** `YYYY-MM-DD`, its last day. */
  readonly lastDay: string;
  readonly isExpired: boolean;
  readonly isEnded: boolean;
  readonly isBlocked: boolean;
  /** Until a person unblocks it. */
  readonly isBlockedForGood: boolean;
  /** Minor units. */
  readonly available: number;
  /** Whether something has moved on it since the instant that was asked for. */
  readonly hasMoved: boolean;
  readonly currency: string;
}

/** A step of all cards that are meant and can take it. */
export interface ManySteps {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  readonly reason: string | null;
  readonly selection: Selection;
  /** The file that names them, where one does. */
  readonly file?: FileStamp | undefined;
  readonly asked: Extract<Asked, { readonly step: 'Block' | 'Unblock' | 'Sweep' | 'Extend' }>;
  /** Says what would be done, and does nothing. */
  readonly isPreview: boolean;
}

/** What was done so far, or would be: cards, and what is on them by currency, in minor units. */
export interface Touched {
  cards: number;
  readonly amounts: Record<string, number>;
}
