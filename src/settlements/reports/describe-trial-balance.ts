import { csvLine } from '../../kit/csv.ts';
import { formatAmount, formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import type { BalanceTotal, BookedFor, TrialBalance } from './trial-balance.types.ts';

const HEADING = [
  'line',
  'side',
  'currency',
  'agreement',
  'product',
  'opening',
  'debit',
  'credit',
  'closing',
  'since',
  'counted',
  'difference',
];

/**
 * The trial balance as a table: a line for each sum, one for each currency, those of the tie-out, and a last one that says that it is whole.
 * Amounts are decimal numbers.
 */
export function trialBalanceCsv({ timeZone, from, to, lines, totals, ties }: TrialBalance): string {
  const table = [
    ...lines.map(({ agreement, product, ...one }) => [
      'Line',
      one.side,
      one.currency,
      agreement,
      product,
      ...columns(one),
    ]),
    ...totals.map((one) => ['Total', '', one.currency, '', '', ...columns(one)]),
    ...ties.map(({ what, currency, agreement, product, ...one }) => {
      const sums = [one.closing, one.since, one.counted, one.difference];
      return [
        what,
        '',
        currency,
        agreement,
        product,
        '',
        '',
        '',
        ...sums.map((minor) => formatAmount(minor, currency)),
      ];
    }),
    [`End: ${lines.length} lines from ${from} to ${to} (${timeZone})`],
  ];
  return [HEADING, ...table].map((cells) => csvLine(HEADING.map((_, place) => cells[place] ?? ''))).join('');
}

function columns({ opening, debit, credit, closing, currency }: BalanceTotal): string[] {
  return [opening, debit, credit, closing].map((minor) => formatAmount(minor, currency));
}

const nameOf = ({ agreement, product }: Pick<BookedFor, 'agreement' | 'product'>) => agreement ?? product ?? '';

/** The same for a terminal. */
export function describeTrialBalance({ timeZone, from, to, lines, totals, ties }: TrialBalance): string[] {
  const title = `From ${from} to ${to} (${timeZone}).`;
  if (lines.length === 0 && ties.length === 0) return [`${title} Nothing is booked.`];
  return [
    `${title} Above zero is credit: what the payee or holders of cards are owed.`,
    formatTable(
      ['side', 'agreement or product', 'opening', 'debit', 'credit', 'closing'],
      [
        ...lines.map((one) => [
          one.side,
          nameOf(one),
          ...[one.opening, one.debit, one.credit, one.closing].map((minor) => formatMoney(minor, one.currency)),
        ]),
        ...totals.map((one) => [
          'All sides',
          '',
          ...[one.opening, one.debit, one.credit, one.closing].map((minor) => formatMoney(minor, one.currency)),
        ]),
      ],
    ),
    'What the ledger comes to now, and what is counted elsewhere:',
    formatTable(
      ['counted', 'agreement or product', 'closing', 'since', 'counted now', 'difference'],
      ties.map((one) => [
        one.what === 'CardBalances' ? 'balances of accounts' : 'sales and refunds not paid',
        nameOf(one),
        ...[one.closing, one.since, one.counted, one.difference].map((minor) => formatMoney(minor, one.currency)),
      ]),
    ),
  ];
}
