import type { Transact, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import type { ProductId } from '../gift-cards.types.ts';

/** What is asked: instants of ISO 8601, or days, `YYYY-MM-DD`, which mean their beginning where the payee is. */
export interface LiabilityQuestion {
  readonly payeeId: PayeeId;
  /** What was owed then. Undefined: the latest instant that can be told. */
  readonly asOf: string | undefined;
  /** What moved from then. Undefined: the beginning of the month of the next. */
  readonly from: string | undefined;
  /** To then, that instant left out. Undefined: as `asOf`. */
  readonly to: string | undefined;
}

/** The question as instants. */
export interface LiabilityInstants {
  readonly timeZone: string;
  /** Nothing that happened before can still be on its way. */
  readonly latest: string;
  readonly asOf: string;
  readonly from: string;
  readonly to: string;
}

/**
 * What moved on cards, each reckoned so that it is above zero: `issued` with a new card, `imported` with one of another programme,
 * `opening` with an account that was opened with something on it, `loaded` later, `refunded` of what
 * was spent, `spent`, `takenBack` of what was issued or loaded, `expired` and swept. `merged` came from other cards, or
 * went to them where it is below zero.
 */
export type LiabilityFigure =
  | 'issued'
  | 'imported'
  | 'opening'
  | 'loaded'
  | 'refunded'
  | 'spent'
  | 'takenBack'
  | 'expired'
  | 'merged';

/** New cards that were issued, came from another programme, or stand in the place of a lost one. */
export type CountedCards = 'cardsIssued' | 'cardsImported' | 'cardsReplaced';

/** A sum over the cards of a product, as it was read. */
export interface LiabilityRow {
  readonly figure: 'outstanding' | CountedCards | LiabilityFigure;
  readonly currency: Currency;
  readonly productId: ProductId;
  readonly productName: string;
  /** Of what is outstanding: the month of the cards' last day, `YYYY-MM`; else null. */
  readonly month: string | null;
  /** Cards that have a part in it. */
  readonly cards: number;
  /** Minor units. */
  readonly amount: number;
}

/** Up to which instants sums that are kept answer a question. ISO 8601 in UTC. */
export interface KeptSpans {
  readonly closedTo: string;
  readonly asOf: string;
  readonly from: string;
  readonly to: string;
}

/** A sum of those that are kept, and of what moved since: one of a question, one by age, or the row that says that they were kept. */
export interface SumRow {
  readonly figure: LiabilityRow['figure'] | 'age' | 'kept';
  readonly currency: Currency;
  readonly productId: ProductId | null;
  readonly productName: string | null;
  readonly issued: string | null;
  readonly month: string | null;
  readonly cards: number;
  readonly amount: number;
}

/** What was read for an answer. */
export interface LiabilityRows {
  readonly rows: readonly LiabilityRow[];
  readonly ages: readonly OwedByAge[];
}

/** What is owed on the cards of a product. */
export interface Outstanding {
  readonly currency: Currency;
  readonly productId: ProductId;
  readonly productName: string;
  /** Cards with something on them. */
  readonly cards: number;
  readonly amount: number;
  /** The same by the month in which cards expire, the first one first. */
  readonly expiring: readonly { readonly month: string; readonly cards: number; readonly amount: number }[];
}

/** What is owed on cards of one month of issue and one last month. */
export interface OwedByAge {
  readonly currency: Currency;
  /** Null: on accounts that are no gift card. */
  readonly productId: ProductId | null;
  /** The month in which they were issued, `YYYY-MM`, where the payee is. */
  readonly issued: string;
  /** Their last month; null: they do not expire. */
  readonly expiring: string | null;
  readonly cards: number;
  readonly amount: number;
}

/** What moved on the cards of a product. */
export type Turnover = Readonly<Record<LiabilityFigure | CountedCards, number>> & {
  readonly currency: Currency;
  readonly productId: ProductId;
  readonly productName: string;
};

/** The answer. */
export interface Liability extends Omit<LiabilityInstants, 'latest'> {
  readonly outstanding: readonly Outstanding[];
  /** What is owed by the months of issue and of expiry, on accounts that are no gift card too. */
  readonly ages: readonly OwedByAge[];
  readonly turnover: readonly Turnover[];
  /** What is owed in each currency. */
  readonly totals: readonly { readonly currency: Currency; readonly amount: number }[];
}

/** What the command needs of the running installation. */
export interface LiabilityService {
  /** Reads as of one instant, without time-outs. */
  readonly report: Transact;
  whichPayee(transaction: Transaction, payee: string | undefined): Promise<PayeeId>;
}
