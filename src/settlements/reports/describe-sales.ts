import { csvLine } from '../../kit/csv.ts';
import { formatAmount, formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import type { Sales, SalesSums } from './sales.types.ts';

const SUMS = ['sales', 'salesAmount', 'salesVat', 'refunds', 'refundsAmount', 'refundsVat', 'net', 'fees'] as const;
const COUNTS: readonly string[] = ['sales', 'refunds'];

function cells(one: SalesSums, format: (minor: number, currency: SalesSums['currency']) => string): string[] {
  return SUMS.map((name) => (COUNTS.includes(name) ? String(one[name]) : format(one[name], one.currency)));
}

/** The report as a table: a line for each sum, one for each currency, and a last one that says that it is whole. Amounts are decimal numbers. */
export function salesCsv({ timeZone, from, to, by, lines, totals }: Sales): string {
  const heading = ['line', ...by, 'currency', ...SUMS];
  const table = [
    heading,
    ...lines.map((one) => [
      'Line',
      ...by.map((column) => one[column] ?? ''),
      one.currency,
      ...cells(one, formatAmount),
    ]),
    ...totals.map((one) => ['Total', ...by.map(() => ''), one.currency, ...cells(one, formatAmount)]),
    [`End: ${lines.length} lines from ${from} to ${to} (${timeZone})`],
  ];
  return table.map((row) => csvLine(heading.map((_, place) => row[place] ?? ''))).join('');
}

/** The same for a terminal. */
export function describeSales({ timeZone, from, to, by, lines, totals }: Sales): string[] {
  const title = `From ${from} to ${to} (${timeZone}).`;
  if (lines.length === 0) return [`${title} Nothing was sold or given back.`];
  return [
    title,
    formatTable(
      [...by, ...SUMS],
      [
        ...lines.map((one) => [...by.map((column) => one[column] ?? ''), ...cells(one, formatMoney)]),
        ...totals.map((one) => [...by.map((_, place) => (place === 0 ? 'All' : '')), ...cells(one, formatMoney)]),
      ],
    ),
  ];
}
