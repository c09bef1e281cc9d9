import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { FileStamp } from '../../kit/imports/import.types.ts';
import type { WriteName } from '../../kit/row-writes.ts';
import type { Secret } from '../../kit/secret.ts';
import type {
  Account,
  AccountId,
  LedgerCommand,
  MovementKind,
  PaymentId,
  TransactionId,
} from '../../ledger/ledger.types.ts';
import type { CardDraft, GiftCard } from '../gift-cards.types.ts';

/** What can be done in a card's life, beside loading and spending it. */
export type LifeStep = 'Block' | 'Unblock' | 'Void' | 'Merge' | 'Replace' | 'Sweep' | 'Extend' | 'Restore';

/** How a card has ended; one at most is set, a merge or replacement with the other card. */
export type CardEnds = Pick<GiftCard, 'voidedAt' | 'mergedAt' | 'mergedInto' | 'replacedAt' | 'replacedBy' | 'sweptAt'>;

/** A card's row after a step, and the number of its latest event before. */
export interface ChangedCard extends CardEnds {
  readonly payeeId: PayeeId;
  readonly accountId: AccountId;
  readonly seen: number;
  readonly eventSequence: number;
}

/** A card with another last day. */
export type ExtendedCard = Pick<GiftCard, 'payeeId' | 'accountId'> & { readonly extendedTo: string };

/** What of a card's own row its life depends on. */
export type CardLife = CardEnds &
  Pick<GiftCard, 'productId' | 'inactiveUntilSold' | 'eventSequence' | 'extendedTo'> & {
    /** The movement that brought its first money; null where there was none yet, and its payment where it has one. */
    readonly firstKind: MovementKind | null;
    readonly firstPaymentId: PaymentId | null;
  };

/** What of a card's account its life depends on. */
export type CardAccount = Pick<
  Account,
  'available' | 'held' | 'blockedAt' | 'blockedUntil' | 'strikers' | 'closedAt' | 'expiresAt' | 'entryCount'
>;

/** A card with its account as they were at one instant. */
export interface CardView extends CardLife, CardAccount {
  readonly payeeId: PayeeId;
  readonly accountId: AccountId;
  readonly issuedAt: string;
  readonly numberMasked: string;
  readonly currency: NonNullable<Account['currency']>;
  /** `YYYY-MM-DD`, the last day that is printed on it. */
  readonly expiresOn: string;
  readonly cvcRequired: boolean;
  readonly cvcKeyId: string | null;
  readonly cvcSequence: number;
  readonly allowedProductIds: readonly string[];
  readonly largestBalance: Account['largestBalance'];
  /** How it came from elsewhere: with how much, in minor units, and by which file. Null: it was issued here. */
  readonly imported: { readonly balance: number; readonly file: string | null; readonly digest: string | null } | null;
  /** The lost card that it is in the place of. */
  readonly replaces: AccountId | null;
  /** The instant itself. */
  readonly now: string;
}

/** What a card is at an instant: its end, where it has had one; else whether it can be spent. */
export type CardState = 'Active' | 'Inactive' | 'Blocked' | 'Expired' | 'Voided' | 'Merged' | 'Replaced' | 'Swept';

/** A step as it was asked for and carried out. */
export interface TakenStep {
  readonly payeeId: PayeeId;
  readonly transactionRef: string;
  readonly accountId: AccountId;
  readonly step: LifeStep;
  readonly reason: string | null;
  /** Of a merge. */
  readonly mergedInto: AccountId | null;
  /** `YYYY-MM-DD`, of an extension or restoration. */
  readonly until: string | null;
}

/** A last day, and the instant when it is over where the payee is. */
export interface LastDay {
  /** `YYYY-MM-DD`. */
  readonly until: string;
  readonly endsAt: string;
}

/** How much a step may move. */
interface Bounded {
  /** Minor units: a card with more on it is left. Undefined: whatever is on it. */
  readonly most?: number | undefined;
}

/** What a step needs beside the card that it is about. */
export type Asked =
  | { readonly step: 'Block' | 'Unblock' }
  | ({ readonly step: 'Sweep' } & Bounded)
  | {
      readonly step: 'Void';
      /** The deposit to be given back, as far as the caller saw one; and the ids of its reversal. */
      readonly depositId: PaymentId | null;
      readonly reversalId: TransactionId;
    }
  | ({ readonly step: 'Extend' } & LastDay)
  | ({
      readonly step: 'Restore';
      /** What is to be given back, in minor units, as of the card's event of that number. */
      readonly swept: number;
      readonly seen: number;
    } & LastDay)
  | ({ readonly step: 'Merge'; readonly into: AccountId } & Bounded)
  | ({ readonly step: 'Replace'; readonly draft: CardDraft } & Bounded);

/** A step in a card's life, ready for the queue. */
export interface ChangeCardCommand extends LedgerCommand {
  readonly accountId: AccountId;
  readonly transactionRef: string;
  readonly reason: string | null;
  readonly asked: Asked;
  /** The file that named the card, where it was one of many. */
  readonly file?: FileStamp | undefined;
}

/** Gift cards as steps leave them. */
export const CHANGED_GIFT_CARD: WriteName<ChangedCard> = 'changed-gift-card';
/** Gift cards that have another last day. */
export const EXTENDED_GIFT_CARD: WriteName<ExtendedCard> = 'extended-gift-card';
/** Steps that are carried out. */
export const STEP_OF_GIFT_CARD: WriteName<TakenStep> = 'step-of-gift-card';

/** What a batch loads for a step. */
export interface LifeRow extends CardLife {
  /** Number of the latest event of the other card of a merge; null where there is no such card. */
  readonly intoSequence: number | null;
  /** Whether that card was issued to be sold later. */
  readonly intoInactiveUntilSold: boolean | null;
  /** Whether the card's product keeps a merge from cards with fewer limits. */
  readonly keepsLimits: boolean;
  /** Whether that card is of another product, and this one's limits what is loaded and spent. */
  readonly intoHasOtherLimits: boolean;
  /** What stands under the reference; nulls where it is free. */
  readonly stepAccountId: AccountId | null;
  readonly step: LifeStep | null;
  readonly reason: string | null;
  readonly stepMergedInto: AccountId | null;
  readonly stepUntil: string | null;
  /** The key that new values are to be sealed with; null where nothing is sealed. */
  readonly sealWith: string | null;
  /** When something last happened to the card, or to the other one of a merge: what is done now is not before it. */
  readonly updatedAt: string | null;
}

/** How a step went. `Changed`: nothing was done, because what the caller prepared is out of date; it prepares it anew. */
export type StepOutcome =
  /** With what it moved, in minor units. */
  { readonly kind: 'Done'; readonly amount: number } | { readonly kind: 'Known' | 'Changed' };

/** A step, as a request or a command asks for it. */
export interface AskStep {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  /** As the path has it. */
  readonly paymentAccountId: string;
  readonly transactionRef: string;
  readonly reason: string | undefined;
  /** Minor units: what a person was weighed by, or another one has agreed to. Undefined: whatever is on the card. */
  readonly most?: number | undefined;
}

/** A card, with what can be done with it now. */
export interface CardShown {
  readonly card: CardView;
  readonly state: CardState;
  readonly possible: readonly LifeStep[];
}

/** The card that took a lost one's place. */
export interface Replacement {
  readonly card: CardView;
  /** Its number and code, for a day; undefined afterwards, and where it has ended. */
  readonly secrets: { readonly number: Secret; readonly cvc: Secret } | undefined;
}
