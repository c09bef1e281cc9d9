import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import type { Side } from '../../ledger/ledger.types.ts';

/** Whose books, and for which days of the payee's, both with. */
export interface TrialBalanceAsked {
  readonly payeeId: PayeeId;
  readonly from: string;
  readonly to: string;
}

/** Where the days begin and end. Instants are ISO 8601 in UTC. */
export interface TrialBalancePeriod {
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  /** Nothing that happened before can still be on its way. */
  readonly latest: string;
}

/** What the lines of the ledger are told apart by. */
export interface BookedFor {
  readonly side: Side;
  readonly currency: Currency;
  /** Of an acquirer, or the name of another issuer; null where it is about no card of an issuer. */
  readonly agreement: string | null;
  /** Of gift cards; null where it is about none. */
  readonly product: string | null;
}

/** A line of the trial balance. Minor units: above 0 the payee or a holder of a card is owed (credit), below 0 it is owed to us. */
export interface BalanceLine extends BookedFor {
  readonly opening: number;
  readonly debit: number;
  readonly credit: number;
  readonly closing: number;
}

/** A line as it was read, with what was booked since the period. */
export interface ReadLine extends BalanceLine {
  readonly since: number;
}

/** What another place than the ledger says of now. */
export interface ElsewhereNow {
  readonly what: 'CardBalances' | 'OpenItems';
  readonly currency: Currency;
  readonly agreement: string | null;
  readonly product: string | null;
  readonly amount: number;
}

/** What was read for a trial balance, as of one instant. */
export interface BooksRead {
  readonly lines: readonly ReadLine[];
  readonly elsewhere: readonly ElsewhereNow[];
}

/** What the ledger comes to now, beside what is counted elsewhere: `CardBalances` of accounts, `OpenItems` of sales and refunds that are not paid. */
export interface Tie extends Omit<ElsewhereNow, 'amount'> {
  /** Of the ledger, at the end of the period. */
  readonly closing: number;
  /** Booked since. */
  readonly since: number;
  /** What is counted elsewhere, with the sign that the ledger has it with. */
  readonly counted: number;
  /** Closing and since, less what is counted: 0, or the books are wrong. */
  readonly difference: number;
}

/** All lines of one currency together: 0 in each column. */
export interface BalanceTotal {
  readonly currency: Currency;
  readonly opening: number;
  readonly debit: number;
  readonly credit: number;
  readonly closing: number;
}

/** The answer. */
export interface TrialBalance {
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly lines: readonly BalanceLine[];
  readonly totals: readonly BalanceTotal[];
  readonly ties: readonly Tie[];
}
