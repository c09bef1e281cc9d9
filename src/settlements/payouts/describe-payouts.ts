import type { Read } from '../../db/transaction.types.ts';
import { type Currency, formatAmount, formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { tableOf } from '../tables.ts';
import { selectListedPayouts } from './payouts.store.ts';
import type { Converted, HeldReserve, ListedPayout, PaidDay, PayoutSums, PayoutsAsked } from './payouts.types.ts';

const HEADING = [
  'valueDate',
  'batch',
  'acquirer',
  'currency',
  'gross',
  'interchange',
  'schemeFees',
  'otherFees',
  'fees',
  'chargebacks',
  'adjustments',
  'reserves',
  'net',
  'unmatchedLines',
  'seenAt',
  'seenBy',
  'withdrawnAt',
  'withdrawnBy',
  'withdrawnBecause',
  'importedAt',
  'number',
  'merchantId',
  'converted',
];

/** Payouts of a period as a table, the latest first. Amounts are decimal numbers. */
export function exportPayouts(read: Read, asked: PayoutsAsked): AsyncIterable<string> {
  return tableOf({
    heading: HEADING,
    readPage: (after, limit) =>
      selectListedPayouts(read, asked, { after: after === undefined ? undefined : Number(after), limit }),
    idOf: ({ number }) => String(number),
    cellsOf,
  });
}

function cellsOf(one: ListedPayout): (string | number)[] {
  const money = (minor: number) => formatAmount(minor, one.currency);
  return [
    one.valueDate ?? '',
    one.batch,
    one.acquirer,
    one.currency,
    money(one.gross),
    money(one.interchange),
    money(one.schemeFees),
    money(one.otherFees),
    money(one.fees),
    money(one.chargebacks),
    money(one.adjustments),
    money(one.reserves),
    money(one.net),
    one.unmatched,
    one.seenAt ?? '',
    one.seenBy ?? '',
    one.withdrawnAt ?? '',
    one.withdrawnBy ?? '',
    one.withdrawnBecause ?? '',
    one.importedAt,
    one.number,
    one.merchantId,
    one.converted.map((part) => convertedText(part, one.currency)).join('; '),
  ];
}

/** As in `100.00 EUR as 1150.00 NOK`. */
function convertedText({ currency, amount, paid }: Converted, payout: Currency): string {
  return `${formatAmount(amount, currency)} ${currency} as ${formatAmount(paid, payout)} ${payout}`;
}

/** The same for a terminal, and what is paid on each day. */
export function describePayouts(
  payouts: readonly ListedPayout[],
  days: readonly PaidDay[],
  reserves: readonly HeldReserve[],
): string[] {
  if (payouts.length === 0) return ['Nothing is paid on these days.', ...describeReserves(reserves)];
  const amounts = (sums: PayoutSums, currency: Currency) =>
    [sums.gross, sums.fees, sums.chargebacks, sums.adjustments, sums.reserves, sums.net].map((minor) =>
      formatMoney(minor, currency),
    );
  const titles = ['gross', 'fees', 'chargebacks', 'adjustments', 'reserves', 'net', 'unmatched lines'];
  return [
    formatTable(
      ['paid on', 'batch', 'acquirer', 'merchant number', ...titles, 'on the statement'],
      payouts.map((one) => [
        one.valueDate ?? '',
        one.batch,
        one.acquirer,
        one.merchantId,
        ...amounts(one, one.currency),
        String(one.unmatched),
        one.withdrawnAt === null ? (one.seenBy ?? '') : `withdrawn: ${one.withdrawnBecause}`,
      ]),
    ),
    ...payouts.flatMap(({ batch, merchantId, converted, currency }) =>
      converted.map((part) => `Batch ${batch} of ${merchantId} pays ${convertedText(part, currency)}.`),
    ),
    'By the day on which they are paid:',
    formatTable(
      ['paid on', 'payouts', ...titles, 'on the statement'],
      days.map((one) => [
        one.day,
        String(one.payouts),
        ...amounts(one, one.currency),
        String(one.unmatched),
        `${one.seen} of ${one.payouts}`,
      ]),
    ),
    ...describeReserves(reserves),
  ];
}

function describeReserves(reserves: readonly HeldReserve[]): string[] {
  if (reserves.length === 0) return [];
  return [
    'Held in reserve at the end of the last day:',
    formatTable(
      ['acquirer', 'merchant number', 'held'],
      reserves.map(({ acquirer, merchantId, held, currency }) => [acquirer, merchantId, formatMoney(held, currency)]),
    ),
  ];
}
