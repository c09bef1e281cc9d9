import type { Transact } from '../../db/transaction.types.ts';
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
 * `Own`: our ledger, which nobody has to be asked for. `Idle`: nobody has asked lately. `NotAnswering`: what it was asked
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
