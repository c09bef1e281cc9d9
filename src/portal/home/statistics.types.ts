import type { Currency } from '../../kit/money.ts';
import type { Figure } from '../ledger/ledger.types.ts';
import type { IdReach, Period } from '../newest-first.types.ts';

/** Money that moved on one day in one currency and counts as one figure. */
export interface MoneyTally {
  /** `YYYY-MM-DD` where the payee is. */
  readonly day: string;
  readonly currency: Currency;
  /** Null: it counts as none. */
  readonly figure: Figure | null;
  readonly movements: number;
  /** What came, in minor units. */
  readonly came: number;
  /** What went back. */
  readonly went: number;
}

/** What stands for itself in a list: an order is one, however many means paid it. */
export type Payable = 'payments' | 'orders';

/** Payments or orders of one day in one currency that ended alike. */
export interface CountTally {
  /** `YYYY-MM-DD` where the payee is: on which they were made. */
  readonly day: string;
  readonly currency: Currency;
  /** `open`: there was no attempt yet, or none that has ended. */
  readonly outcome: 'paid' | 'declined' | 'open';
  readonly count: number;
  /** Whether one of them is paid and has an amount: to verify a card moves no money. */
  readonly hasMoved: boolean;
}

/** Attempts that failed by one reason, and the payments or orders that they were of. */
export interface DeclineTally {
  readonly currency: Currency;
  readonly problem: string;
  readonly attempts: number;
  readonly count: number;
}

/** What is counted in one table. */
export interface Counted<Row> {
  readonly of: Payable;
  readonly rows: readonly Row[];
}

/** What is counted. */
export interface Tallied {
  readonly payeeId: string;
  readonly reach: IdReach;
  readonly period: Period;
  readonly timeZone: string;
}

/** All that was read of some days. */
export interface Tallies {
  readonly money: readonly MoneyTally[];
  readonly counts: readonly Counted<CountTally>[];
  readonly declines: readonly Counted<DeclineTally>[];
}

/** Days as a request names them, not yet checked. */
export interface AskedDays {
  readonly days?: string | undefined;
  /** The last one; where it is absent, today where the payee is. */
  readonly to?: string | undefined;
}

/** The same, checked. */
export interface CheckedDays {
  readonly days: number;
  readonly to: string | undefined;
}

/** Days of a payee, the first and the last as `YYYY-MM-DD` where the payee is, and the instants between which they lie. */
export interface PayeeDays {
  readonly timeZone: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly from: string;
  readonly to: string;
}

/** How many stand in the list of payments, and in that of orders. */
export type Counts = Readonly<Record<Payable, number>>;

/** What money moved, in minor units, and how many were made that were paid or declined since. */
export interface Numbers {
  /** What issuers elsewhere paid less what went back to them: captured less refunded. */
  readonly volume: number;
  readonly captured: number;
  readonly refunded: number;
  /** Stored value that was sold and loaded, less what was taken back. */
  readonly sold: number;
  /** Paid with stored value, less what went back onto it. */
  readonly spent: number;
  readonly paid: Counts;
  readonly declined: Counts;
}

export interface DayNumbers extends Numbers {
  readonly day: string;
}

/** A reason for which attempts failed, and in how many payments and orders it came. */
export interface Decline extends Counts {
  readonly problem: string;
  readonly attempts: number;
}

export interface CurrencyNumbers extends Numbers {
  readonly currency: Currency;
  readonly days: readonly DayNumbers[];
  /** The most frequent first. */
  readonly declines: readonly Decline[];
}

/** What some days came to. */
export interface Statistics {
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly currencies: readonly CurrencyNumbers[];
  /** Whether there was more than is counted: then the oldest is missing. */
  readonly isPartial: boolean;
}
