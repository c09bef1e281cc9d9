import type { Currency } from '../../kit/money.ts';
import type { BusinessDayLine, BusinessDayTotal } from './business-days.types.ts';

/** What the lines of each currency come to. */
export function businessDayTotals(lines: readonly BusinessDayLine[]): readonly BusinessDayTotal[] {
  const currencies = [...new Set(lines.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => totalOf(currency, lines));
}

function totalOf(currency: Currency, lines: readonly BusinessDayLine[]): BusinessDayTotal {
  const sum = (wanted: BusinessDayLine['within']) =>
    lines
      .filter((line) => line.currency === currency && line.within === wanted)
      .reduce((total, { net }) => total + net, 0);
  const [both, businessDayAlone, calendarDayAlone] = [sum('Both'), sum('BusinessDay'), sum('CalendarDay')];
  return {
    currency,
    both,
    businessDayAlone,
    calendarDayAlone,
    byBusinessDay: both + businessDayAlone,
    byCalendarDay: both + calendarDayAlone,
  };
}
