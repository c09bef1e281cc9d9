import type { Read } from '../../db/transaction.types.ts';
import { csvLine } from '../../kit/csv.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { formatAmount } from '../../kit/money.ts';
import { type ExportedItem, selectItems } from './export.store.ts';

/** Items that are read at once. */
const PAGE = 1_000;

const HEADING = [
  'day',
  'agreement',
  'type',
  'currency',
  'amount',
  'payment',
  'transaction',
  'attempt',
  'acquirerReference',
  'retrievalReference',
  'batch',
  'line',
  'valueDate',
  'fee',
  'net',
  'difference',
  'orderNumber',
  'merchantId',
  'paidCurrency',
  'paid',
  'exchangeRate',
];

/** A table of a payee's day, a line for each sale and refund, some lines at a time. Amounts are decimal numbers. */
export async function* exportDay(read: Read, payeeId: PayeeId, day: string): AsyncGenerator<string> {
  yield csvLine(HEADING);
  for await (const items of itemsOf(read, payeeId, day)) {
    yield items.map((item) => csvLine(cellsOf(day, item))).join('');
  }
}

/** The same as JSON, one object a line. */
export async function* itemLines(read: Read, payeeId: PayeeId, day: string): AsyncGenerator<string> {
  for await (const items of itemsOf(read, payeeId, day)) {
    yield items.map((item) => `${JSON.stringify(item)}\n`).join('');
  }
}

async function* itemsOf(read: Read, payeeId: PayeeId, day: string): AsyncGenerator<readonly ExportedItem[]> {
  let after: string | undefined;
  for (;;) {
    const items = await selectItems(read, payeeId, { day, after, limit: PAGE });
    if (items.length > 0) yield items;
    const last = items.at(-1);
    if (items.length < PAGE || last === undefined) return;
    after = last.attemptId;
  }
}

function cellsOf(day: string, item: ExportedItem): (string | number)[] {
  const { currency, amount, paidCurrency, paid, fee, net } = item;
  const inPayout = (minor: number | null) => (minor === null ? '' : formatAmount(minor, paidCurrency ?? currency));
  return [
    day,
    item.agreement,
    item.type,
    currency,
    formatAmount(amount, currency),
    item.paymentId,
    item.transactionId ?? '',
    item.attemptId,
    item.acquirerReference ?? '',
    item.retrievalReference,
    item.batch ?? '',
    item.lineId ?? '',
    item.valueDate ?? '',
    inPayout(fee),
    inPayout(net),
    item.difference ?? '',
    item.orderNumber ?? '',
    item.merchantId ?? '',
    paidCurrency ?? '',
    inPayout(paid),
    item.exchangeRate ?? '',
  ];
}
