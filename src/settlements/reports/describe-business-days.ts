import { csvLine } from '../../kit/csv.ts';
import { formatAmount, formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import type { BusinessDays, BusinessDayTotal } from './business-days.types.ts';

const HEADING = [
  'line',
  'businessDay',
  'calendarDay',
  'within',
  'agreement',
  'currency',
  'sales',
  'salesAmount',
  'refunds',
  'refundsAmount',
  'net',
];

/** The sums of a currency by their names. */
const TOTALS: readonly (readonly [name: string, of: Exclude<keyof BusinessDayTotal, 'currency'>])[] = [
  ['Both', 'both'],
  ['BusinessDayAlone', 'businessDayAlone'],
  ['CalendarDayAlone', 'calendarDayAlone'],
  ['ByBusinessDay', 'byBusinessDay'],
  ['ByCalendarDay', 'byCalendarDay'],
];

/** The report as a table: its lines, five sums of each currency, and a last line that says that it is whole. Amounts are decimal numbers. */
export function businessDaysCsv({ timeZone, from, to, lines, totals }: BusinessDays): string {
  const table: (string | number)[][] = [
    ...lines.map((one) => [
      'Line',
      one.day ?? '',
      one.calendarDay,
      one.within,
      one.agreement ?? '',
      one.currency,
      one.sales,
      formatAmount(one.salesAmount, one.currency),
      one.refunds,
      formatAmount(one.refundsAmount, one.currency),
      formatAmount(one.net, one.currency),
    ]),
    ...totals.flatMap((one) =>
      TOTALS.map(([name, of]) => [
        name,
        '',
        '',
        '',
        '',
        one.currency,
        '',
        '',
        '',
        '',
        formatAmount(one[of], one.currency),
      ]),
    ),
    [`End: ${lines.length} lines from ${from} to ${to} (${timeZone})`],
  ];
  return [HEADING, ...table].map((cells) => csvLine(HEADING.map((_, place) => cells[place] ?? ''))).join('');
}

/** The same for a terminal. */
export function describeBusinessDays({ timeZone, from, to, lines, totals }: BusinessDays): string[] {
  const title = `From ${from} to ${to}, business days of acquirers and days in ${timeZone}.`;
  if (lines.length === 0) return [`${title} Nothing was sold or given back with cards.`];
  return [
    title,
    formatTable(
      ['business day', 'calendar day', 'within', 'agreement', 'sales', 'refunds', 'net'],
      lines.map((one) => [
        one.day ?? 'none yet',
        one.calendarDay,
        one.within,
        one.agreement ?? '',
        `${one.sales}: ${formatMoney(one.salesAmount, one.currency)}`,
        `${one.refunds}: ${formatMoney(one.refundsAmount, one.currency)}`,
        formatMoney(one.net, one.currency),
      ]),
    ),
    formatTable(
      ['by business day', 'of both', 'by calendar day', 'business day alone', 'calendar day alone'],
      totals.map((one) =>
        [one.byBusinessDay, one.both, one.byCalendarDay, one.businessDayAlone, one.calendarDayAlone].map((minor) =>
          formatMoney(minor, one.currency),
        ),
      ),
    ),
  ];
}
