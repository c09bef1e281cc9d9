import type { Read } from '../../db/transaction.types.ts';
import { csvLine } from '../../kit/csv.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { formatAmount } from '../../kit/money.ts';
import { PORTAL_EXPORT_ROWS, PORTAL_PAGE_ROWS_MOST } from '../../kit/portal-limits.ts';
import { type DayOf, inDaysOf } from '../days-of-payee.ts';
import { slicedAfter } from '../newest-first.rules.ts';
import { tableOf } from '../table-lines.ts';
import { type AskedPayments, leftOf, readPayments } from './payments.rules.ts';
import type { ListedPayment } from './payments.types.ts';
import { pageOfPayments, searchPayments } from './search-payments.ts';

const HEADING = [
  'createdAt',
  'paymentId',
  'family',
  'number',
  'kind',
  'state',
  'currency',
  'amountMinor',
  'amount',
  'capturedMinor',
  'captured',
  'cancelledMinor',
  'cancelled',
  'reversedMinor',
  'reversed',
  'remainingMinor',
  'remaining',
  'orderReference',
  'reference',
  'payerReference',
  'card',
  'problem',
  'shop',
  'site',
  'terminal',
  'updatedAt',
  'day',
  'authorizedUntil',
];

/**
 * The payments that `searchPayments` lists as lines of a table, some at a time. What is asked for is read at once,
 * so that a wrong request is refused and not cut off.
 *
 * @throws Refusal `inputerror`
 */
export function exportPayments(read: Read, payeeId: PayeeId, asked: AskedPayments): AsyncIterable<string> {
  const wanted = readPayments(asked);
  return inDaysOf(read, payeeId, (dayOf) =>
    tableOf(
      HEADING,
      (payment: ListedPayment) => lineOf(payment, dayOf),
      async (cursor) => {
        if (wanted.by === 'text') {
          return searchPayments(read, payeeId, { ...asked, limit: String(PORTAL_PAGE_ROWS_MOST) });
        }
        const list = { ...wanted, payeeId, limit: PORTAL_EXPORT_ROWS };
        const isByEnd = wanted.match.state === 'ToCapture';
        return pageOfPayments(read, cursor === undefined ? list : slicedAfter(list, cursor, isByEnd));
      },
    ),
  );
}

function lineOf(payment: ListedPayment, dayOf: DayOf): string {
  const { currency } = payment;
  const both = (minor: number) => [minor, formatAmount(minor, currency)];
  return csvLine([
    payment.createdAt,
    payment.paymentId,
    payment.family,
    payment.number ?? '',
    payment.kind,
    payment.state,
    currency,
    ...both(payment.amount),
    ...both(payment.captured),
    ...both(payment.cancelled),
    ...both(payment.reversed),
    ...both(leftOf(payment).capture),
    payment.orderReference ?? '',
    payment.reference ?? '',
    payment.payerReference ?? '',
    payment.masked ?? '',
    payment.problem ?? '',
    payment.shop ?? '',
    payment.site ?? '',
    payment.terminal ?? '',
    payment.updatedAt,
    dayOf(payment.createdAt),
    payment.authorizedUntil ?? '',
  ]);
}
