import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import type { SettlementDay, Totals } from '../settlements.types.ts';

/** Names a day before it is closed. */
export interface OpenDay {
  readonly payeeId: PayeeId;
  readonly acquirer: string;
  readonly agreement: string;
  readonly currency: Currency;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

/** Which days of an acquirer are looked for. */
export interface DaysAsked {
  /** The last one. */
  readonly to: string;
  /** That one alone; else also those before it that were not closed in time, of any age. */
  readonly isOne: boolean;
}

/** What a day comes to, by its items and by the ledger. */
export interface DaySums extends Totals {
  readonly merchantId: string;
  /** What the ledger has booked of its sales and refunds. */
  readonly booked: number;
  readonly now: string;
}

/** What some items of a day come to. */
export interface SummedItems extends Totals, Pick<DaySums, 'booked'> {
  readonly items: number;
  /** Of one of them; null where there are none. */
  readonly merchantId: string | null;
}

/** A day that is being closed. */
export type ClosingDay = Omit<SettlementDay, 'state' | 'acquirerTotals'> & {
  /** When its totals are told; null where the acquirer does not want to hear them. */
  readonly dueAt: string | null;
};

/** A day whose totals are to be told, as the message names itself. */
export interface DueDay extends SettlementDay {
  readonly stan: string | null;
  /** Whole seconds, ISO 8601 in UTC. */
  readonly sentAt: string | null;
  readonly tries: number;
  /** Whether the message was handed over before: then it is repeated. */
  readonly wasSent: boolean;
}
