import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import type { AccountId, ShelfName, ShelfRow } from '../../ledger/ledger.types.ts';

/** Value that comes to gift cards, or leaves them for payments. */
export type Flow = 'Loaded' | 'Spent';

/** Whose sum is limited: of all cards of a product together, of each card, or of each payer. */
export type LimitScope = 'Product' | 'Card' | 'Payer';

/** A day or a month, where the payee is. */
export type LimitPeriod = 'Day' | 'Month';

/** What may be put on gift cards of a product, or spent with them. Minor units. */
export interface ValueLimit {
  readonly flow: Flow;
  readonly scope: LimitScope;
  readonly period: LimitPeriod;
  readonly amount: number;
}

/** Sums of the present day and month, or what limits them. Minor units. */
export type ByFlow = Readonly<Record<`${Flow}${LimitPeriod}`, number>>;

/** What a product, a card or a payer has loaded and spent, under the lock of its row. */
export interface Turnover extends ShelfRow {
  readonly productId: string;
  readonly scope: LimitScope;
  /** Empty for a product; the account of a card; the reference of a payer. */
  readonly subject: string;
  /** When the present day and month have begun where the payee is. ISO 8601 in UTC, as all times. */
  readonly dayBeganAt: string;
  readonly monthBeganAt: string;
  readonly sums: ByFlow;
  /** Those that there are. */
  readonly limits: Partial<ByFlow>;
  /** Changes of the row so far; guards the next one. */
  readonly version: number;
}

/** The same as its row. */
export interface TurnoverRow extends Pick<Turnover, 'payeeId' | 'productId' | 'scope' | 'subject' | 'version'> {
  readonly dayBeganAt: string;
  readonly monthBeganAt: string;
  readonly loadedOfDay: number;
  readonly loadedOfMonth: number;
  readonly spentOfDay: number;
  readonly spentOfMonth: number;
}

/** A payer, by the payee's reference. */
export interface NamedPayer {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
}

/** What a payer's gift cards of one product have come to, on its last day and in its last month. Minor units. */
export type SumsOfPayer = Pick<
  TurnoverRow,
  'productId' | 'dayBeganAt' | 'monthBeganAt' | 'loadedOfDay' | 'loadedOfMonth' | 'spentOfDay' | 'spentOfMonth'
>;

/** The shelf of these sums. */
export const TURNOVERS: ShelfName<Turnover> = 'gift_card_turnover';

/** Of what product a card is, who has bought it, and whose sums are limited by that product. */
export interface LimitedCard {
  readonly productId: string;
  readonly payerReference: string | null;
  readonly scopes: readonly LimitScope[];
}

/** The names of the sums that a card counts to, on their shelf. */
export interface CountedCard {
  readonly payeeId: PayeeId;
  readonly accountId: AccountId;
}

/** How much more may be counted to a sum, which several cards may share. */
export interface Rest {
  readonly id: string;
  readonly left: number;
}

/** A limit that something would have passed. */
export interface ReachedLimit extends ValueLimit {
  readonly productId: string;
}

/** Nothing was done: a limit would have been passed. */
export interface LimitReached {
  readonly kind: 'Limited';
  readonly limit: ReachedLimit;
}

/** What a limit has stopped. */
export interface StoppedByLimit {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  /** Null: of a card that was not made. */
  readonly accountId: AccountId | null;
  readonly limit: ReachedLimit;
  /** What was asked for, in minor units. */
  readonly amount: number;
  readonly currency: Currency;
}
