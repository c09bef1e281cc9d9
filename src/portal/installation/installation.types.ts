import type { Transact } from '../../db/transaction.types.ts';
import type { Product } from '../../gift-cards/gift-cards.types.ts';
import type { Issuers, IssuerTerms } from '../../issuers/issuers.types.ts';

/** What became of the questions that were put to an issuer lately. */
export interface IssuerTally {
  readonly issuerId: string;
  /** Answered in time. */
  readonly answered: number;
  /** Not answered in time, so they are, or were, taken back. */
  readonly unanswered: number;
  /** When the latest question of each was put; null where there is none. */
  readonly latestAnsweredAt: string | null;
  readonly latestUnansweredAt: string | null;
}

/** What an issuer still owes, however old it is. */
export interface IssuerBacklog {
  readonly issuerId: string;
  /** Questions without an answer yet. */
  readonly waiting: number;
  /** Questions that the issuer has to confirm as taken back. */
  readonly toTakeBack: number;
  /** When the oldest of both was put. */
  readonly oldestAt: string | null;
}

/**
 * `Own`: our ledger, which decides by itself. `Idle`: it was not asked lately. `NotAnswering`: what it was asked
 * last, it did not answer in time.
 */
export type IssuerState = 'Own' | 'Idle' | 'Answering' | 'NotAnswering';

/** An issuer of this installation, and how it does. */
export interface ListedIssuer extends IssuerTerms, IssuerTally, IssuerBacklog {
  readonly kind: 'Ledger' | 'Elsewhere';
  readonly state: IssuerState;
  /** First digits of the numbers that it decides on. */
  readonly prefixes: readonly string[];
}

/** What the command needs of the running installation. */
export interface IssuersService {
  readonly report: Transact;
  readonly issuers: Issuers;
}

/** A gift-card product of any payee, as operators see it. */
export interface ListedProduct extends Omit<Product, 'retiredAt'> {
  readonly payeeName: string;
  readonly state: 'OnSale' | 'Retired';
  /** No new cards since then; null where it is on sale. */
  readonly retiredAt: string | null;
}

/** Which products are wanted: from one on, in the order of payees and of their products' ids. */
export interface ProductList {
  /** Null: of all payees. */
  readonly payeeId: string | null;
  readonly state: ListedProduct['state'] | null;
  /** The last one of the page before. */
  readonly after: { readonly payeeId: string; readonly productId: string };
  readonly limit: number;
}
