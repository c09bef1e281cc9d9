import type { Currency } from '../../kit/money.ts';

/** What is of the period: by both days, by the business day of the acquirer alone, or by the calendar day of the payee alone. */
export type WithinPeriod = 'Both' | 'BusinessDay' | 'CalendarDay';

/** Sales and refunds with cards of acquirers of one business day that were booked on one day of the payee's. Minor units. */
export interface BusinessDayLine {
  /** The business day, `YYYY-MM-DD`; null: no business day has collected it yet. */
  readonly day: string | null;
  readonly calendarDay: string;
  /** Null where no business day has collected it yet. */
  readonly agreement: string | null;
  readonly currency: Currency;
  readonly sales: number;
  readonly salesAmount: number;
  readonly refunds: number;
  readonly refundsAmount: number;
  readonly net: number;
  readonly within: WithinPeriod;
}

/** What the nets of one currency come to. */
export interface BusinessDayTotal {
  readonly currency: Currency;
  readonly both: number;
  readonly businessDayAlone: number;
  readonly calendarDayAlone: number;
  /** As settlements have it: both, and by the business day alone. */
  readonly byBusinessDay: number;
  /** As the sales report has it: both, and by the calendar day alone. */
  readonly byCalendarDay: number;
}

/** The answer. */
export interface BusinessDays {
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly lines: readonly BusinessDayLine[];
  readonly totals: readonly BusinessDayTotal[];
}
