import type { Read } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import { type Currency, formatAmount } from '../kit/money.ts';
import { selectSettlements } from './days/shown-days.store.ts';
import { selectDifferences } from './differences.store.ts';
import { selectDisputes } from './disputes/disputes.store.ts';
import { tableOf } from './tables.ts';

/** Differences that one table has: they are read at once, and a payee with more has another problem. */
const DIFFERENCE_LINES = 10_000;

/** Whose, and of which days, both with. */
interface OfPeriod {
  readonly payeeId: PayeeId;
  readonly from: string;
  readonly to: string;
}

const money = (minor: number | null, currency: Currency) => (minor === null ? '' : formatAmount(minor, currency));

/** A payee's closed days as a table, the latest first: what is owed for each, what was paid of it, and what is missing. */
export function exportSettlements(read: Read, asked: OfPeriod): AsyncIterable<string> {
  return tableOf({
    heading: [
      'day',
      'agreement',
      'acquirer',
      'merchantId',
      'state',
      'currency',
      'sales',
      'salesTakenBack',
      'refunds',
      'refundsTakenBack',
      'owed',
      'settled',
      'missing',
      'openDifferences',
      'closedAt',
      'settlement',
    ],
    readPage: (after, limit) => selectSettlements(read, { ...asked, day: undefined, after, limit }),
    idOf: ({ settlementId }) => settlementId,
    cellsOf: (one) => [
      one.day,
      one.agreement,
      one.acquirer,
      one.merchantId,
      one.state,
      one.currency,
      money(one.salesAmount, one.currency),
      money(one.saleReversalsAmount, one.currency),
      money(one.refundsAmount, one.currency),
      money(one.refundReversalsAmount, one.currency),
      money(one.net, one.currency),
      money(one.settledAmount, one.currency),
      money(one.net - one.settledAmount, one.currency),
      one.openDifferences,
      one.closedAt,
      one.settlementId,
    ],
  });
}

/** A payee's disputes as a table, the latest first. */
export function exportDisputes(read: Read, asked: OfPeriod): AsyncIterable<string> {
  return tableOf({
    heading: [
      'openedAt',
      'case',
      'agreement',
      'stage',
      'state',
      'reasonCode',
      'category',
      'currency',
      'amount',
      'taken',
      'refunded',
      'respondBy',
      'payment',
      'transaction',
      'updatedAt',
      'dispute',
    ],
    readPage: (after, limit) => selectDisputes(read, { ...asked, state: undefined, after, limit }),
    idOf: ({ disputeId }) => disputeId,
    cellsOf: (one) => [
      one.openedAt,
      one.caseId,
      one.agreement,
      one.stage,
      one.state,
      one.reasonCode ?? '',
      one.category ?? '',
      one.currency,
      formatAmount(one.amount, one.currency),
      formatAmount(one.taken, one.paymentCurrency),
      formatAmount(one.refunded, one.paymentCurrency),
      one.respondBy ?? '',
      one.paymentId,
      one.transactionId ?? '',
      one.updatedAt,
      one.disputeId,
    ],
  });
}

/** A payee's differences as a table, the oldest first, ended ones too. */
export function exportDifferences(read: Read, asked: OfPeriod): AsyncIterable<string> {
  return tableOf({
    heading: [
      'openedAt',
      'kind',
      'state',
      'agreement',
      'day',
      'currency',
      'ours',
      'acquirers',
      'acquirersCurrency',
      'payment',
      'batch',
      'line',
      'closedAt',
      'outcome',
      'reason',
      'difference',
    ],
    readPage: async (after, limit) => {
      const most = limit === 1 ? DIFFERENCE_LINES + 1 : DIFFERENCE_LINES;
      const all = await selectDifferences(read, { ...asked, onlyOpen: false, settlementId: undefined, most });
      return after === undefined ? all : all.slice(DIFFERENCE_LINES);
    },
    idOf: ({ differenceId }) => differenceId,
    most: DIFFERENCE_LINES,
    cellsOf: (one) => [
      one.openedAt,
      one.kind,
      one.state,
      one.agreement,
      one.day ?? '',
      one.currency,
      money(one.ours, one.currency),
      money(one.theirs, one.theirCurrency ?? one.currency),
      one.theirs === null ? '' : (one.theirCurrency ?? one.currency),
      one.paymentId ?? '',
      one.batch ?? '',
      one.lineId ?? '',
      one.closedAt ?? '',
      one.outcome ?? '',
      one.reason ?? '',
      one.differenceId,
    ],
  });
}
