import type { Find, Gathered } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AccountId, KnownAccount } from '../../ledger/ledger.types.ts';
import type { PageOutcome } from '../../payments/page/page.types.ts';
import type { GiftCardEntry } from '../order-requests.types.ts';
import type { PaymentOrder } from '../orders.types.ts';

/** Where an entry comes from. */
export interface Guesser {
  /** Of the payer's connection; undefined where all payers have one, behind a proxy that does not tell. */
  readonly address: string | undefined;
  /** On this machine, in a sandbox: only the limits of the order hold. */
  readonly isFree: boolean;
}

/** An order as an entry is judged for it. */
export type JudgedFor = Pick<PaymentOrder, 'payeeId' | 'orderId' | 'currency' | 'orderItems' | 'expiresAt' | 'terms'>;

/** A gift card or prepaid account that a payer wants to pay an order with. */
export interface GiftCardAsked {
  readonly order: JudgedFor;
  /** Accounts that are on the order already. */
  readonly added: readonly AccountId[];
  readonly entry: GiftCardEntry;
  readonly guesser: Guesser;
}

/** Why nothing is looked up: until when, in seconds, where that ends before the order. */
export interface Closed {
  readonly outcome: 'closed';
  readonly retryAfterSeconds?: number;
}

/**
 * What an entry comes to. `notusable` tells nothing about the card; only who knows number and code learns anything else.
 */
export type GiftCardJudged =
  | { readonly outcome: 'ok'; readonly account: KnownAccount }
  | {
      readonly outcome: Extract<
        PageOutcome,
        'notusable' | 'expired' | 'empty' | 'currency' | 'notallowed' | 'alreadyadded'
      >;
    }
  | Closed;

/** What judging entries is made of. */
export interface GuessingParts {
  readonly keyRing: KeyRing;
  readonly newId: () => string;
  readonly pause: (durationMs: number) => Promise<void>;
}

/** What judging entries needs. */
export interface GuessingContext extends Omit<GuessingParts, 'newId'> {
  readonly findCounter: Find<CounterKey, FoundCounter>;
  /** Judges and counts an entry, with others that come at the same time. */
  readonly count: Gathered<PlacedEntry, Judgement>;
  /** Hears of entries, for log and metrics. */
  readonly listener?: GuessingListener;
}

/** Who hears of entries, of this process. No number and no address is told. */
export interface GuessingListener {
  /** An entry, by what it came to. */
  entered(outcome: GiftCardJudged['outcome']): void;
  /** The gift cards of a payee are being guessed from now on. Of all instances one is told. */
  attacked(payeeId: PayeeId): void;
}

/** What an entry comes to, and whether an attack on its payee has begun with it. */
export interface Judgement {
  readonly judged: GiftCardJudged;
  readonly isNews: boolean;
}

/** What is counted: of an order, of an address at a payee, of a card on pages, of a payer with a card, and of a payee. */
export type CounterKind = 'order' | 'address' | 'card' | 'payer' | 'payee' | 'attack';

/** Names a counter. */
export interface CounterKey {
  readonly payeeId: PayeeId;
  readonly kind: CounterKind;
  readonly subject: Buffer;
}

/** A counter as it was found: without one, only the time. */
export type FoundCounter = { readonly now: string } & (Counter | { readonly kind: null });

/** The counters that an entry has to do with. */
export interface Places {
  readonly keys: readonly CounterKey[];
  /** The part of its payee's that it is counted in. */
  readonly part: number;
}

/** An entry, and where it is counted. */
export interface PlacedEntry extends GiftCardAsked {
  readonly places: Places;
}

/** A counter of wrong entries, as it was stored. Times ISO 8601 in UTC; null where nothing is counted or closed. */
export interface Counter {
  readonly kind: CounterKind;
  readonly subject: Buffer;
  /** All entries, right ones too. */
  readonly entries: number;
  /** Wrong ones of the present window. */
  readonly wrong: number;
  readonly windowEndsAt: string | null;
  readonly wrongOfDay: number;
  readonly dayEndsAt: string | null;
  readonly closedUntil: string | null;
  /** How often it was closed, until `pausesEndAt`. */
  readonly pauses: number;
  readonly pausesEndAt: string | null;
  /** From then on it says nothing any more. */
  readonly forgetAt: string;
}
