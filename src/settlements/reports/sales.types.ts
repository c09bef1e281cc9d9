import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';

/** What sales can be told apart by, beside their currency. */
export const SALES_COLUMNS = ['day', 'shop', 'site', 'terminal', 'vatRate', 'means', 'brand'] as const;
export type SalesColumn = (typeof SALES_COLUMNS)[number];

/** Whose sales, of which days of the payee's, both with. */
export interface SalesAsked {
  readonly payeeId: PayeeId;
  readonly from: string;
  readonly to: string;
  readonly by: readonly SalesColumn[];
  /** Only of these; undefined: of all. */
  readonly shop?: string | undefined;
  readonly site?: string | undefined;
  readonly terminal?: string | undefined;
}

/** What captures and purchases have taken, and what was given back of it, by the time at which the ledger has booked it. Minor units. */
export interface SalesSums {
  readonly currency: Currency;
  readonly sales: number;
  readonly salesAmount: number;
  readonly salesVat: number;
  readonly refunds: number;
  readonly refundsAmount: number;
  readonly refundsVat: number;
  /** Sales less refunds. */
  readonly net: number;
  /** Below 0: what acquirers have kept of them, as far as their files have come, in the currency in which they kept it. */
  readonly fees: number;
}

/** A line of the report; what it is not told apart by is null, and so is what nothing is known of. */
export type SalesLine = SalesSums & Readonly<Record<SalesColumn, string | null>>;

/** The answer. */
export interface Sales {
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly by: readonly SalesColumn[];
  readonly lines: readonly SalesLine[];
  readonly totals: readonly SalesSums[];
}
