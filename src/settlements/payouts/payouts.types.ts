import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';

/** What the lines of one payout, or of all of a day, come to. Minor units with their sign: fees are below 0. */
export interface PayoutSums {
  /** Sales less refunds. */
  readonly gross: number;
  readonly fees: number;
  /** Of the fees: what banks of cards get, what schemes get, and the rest. */
  readonly interchange: number;
  readonly schemeFees: number;
  readonly otherFees: number;
  /** Chargebacks less their reversals. */
  readonly chargebacks: number;
  readonly adjustments: number;
  /** Below 0: what the acquirer holds back; above 0: what it releases. */
  readonly reserves: number;
  /** What is paid: the sum of the others. */
  readonly net: number;
}

/** What a payout pays of sales, refunds and disputes of another currency. Minor units with their sign. */
export interface Converted {
  /** Of the transactions, and their amount. */
  readonly currency: Currency;
  readonly amount: number;
  /** What is paid for it, in the currency of the payout: a part of its sums. */
  readonly paid: number;
}

/** One batch of an acquirer, whether it has a line of ours or not. */
export interface ListedPayout extends PayoutSums {
  /** Numbers batches in the order in which they were imported. */
  readonly number: number;
  readonly acquirer: string;
  /** As its file names it. */
  readonly batch: string;
  /** The merchant number that it pays. */
  readonly merchantId: string;
  /** When it is paid, `YYYY-MM-DD`; null where no line says so: it is listed by the day of its import then. */
  readonly valueDate: string | null;
  readonly day: string;
  readonly currency: Currency;
  readonly converted: readonly Converted[];
  /** Lines about sales, refunds, disputes and adjustments that nothing in our books matches. */
  readonly unmatched: number;
  readonly importedAt: string;
  /** When a person has seen it on the bank's statement, and who. */
  readonly seenAt: string | null;
  readonly seenBy: string | null;
  /** When it was withdrawn, by whom and why: nothing of it counts. */
  readonly withdrawnAt: string | null;
  readonly withdrawnBy: string | null;
  readonly withdrawnBecause: string | null;
}

/** What is paid on one day in one currency, without what was withdrawn. */
export interface PaidDay extends PayoutSums {
  readonly day: string;
  readonly currency: Currency;
  readonly payouts: number;
  readonly unmatched: number;
  /** Of the payouts: those that a person has seen on the statement. */
  readonly seen: number;
}

/** What an acquirer holds in reserve of one currency: kept and not released. */
export interface HeldReserve {
  readonly acquirer: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly held: number;
}

/** Payouts by the day on which they are paid, both days with. */
export interface PayoutsAsked {
  readonly payeeId: PayeeId;
  readonly from: string;
  readonly to: string;
}
