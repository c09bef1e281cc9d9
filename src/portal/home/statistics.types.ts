import type { Currency } from '../../kit/money.ts';

/** Payments of one day in one currency that ended alike. */
export interface Tally {
  /** `YYYY-MM-DD` where the payee is. */
  readonly day: string;
  readonly currency: Currency;
  readonly outcome: 'succeeded' | 'failed' | 'open';
  /** Code of the decline; null unless it failed. */
  readonly problem: string | null;
  readonly payments: number;
  /** What was taken of them, in minor units. */
  readonly volume: number;
  /** Whether one of them is approved and has an amount: to verify a card moves no money. */
  readonly hasMoved: boolean;
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

export interface DayNumbers {
  readonly day: string;
  readonly volume: number;
  readonly succeeded: number;
  readonly failed: number;
}

export interface CurrencyNumbers extends Omit<DayNumbers, 'day'> {
  readonly currency: Currency;
  readonly days: readonly DayNumbers[];
  /** The most frequent first. */
  readonly declines: readonly { readonly problem: string; readonly count: number }[];
}

/** What payments came to in some days. */
export interface Statistics {
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly currencies: readonly CurrencyNumbers[];
  /** Whether there were more payments than are counted: then the oldest ones are missing. */
  readonly isPartial: boolean;
}

/** What a payee has done so far, for its first steps. */
export interface GettingStarted {
  readonly hasAccessToken: boolean;
  readonly hasCall: boolean;
  readonly hasPayment: boolean;
  readonly hasCapture: boolean;
  readonly hasWebhook: boolean;
}
