import type { Read } from '../../db/transaction.types.ts';
import { csvLine } from '../../kit/csv.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { formatAmount } from '../../kit/money.ts';
import { PORTAL_EXPORT_ROWS, PORTAL_PAGE_ROWS_MOST } from '../../kit/portal-limits.ts';
import { type DayOf, inDaysOf } from '../days-of-payee.ts';
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
        const { reach, ...list } = wanted;
        const further = cursor === undefined ? reach : { ...reach, below: cursor };
        return pageOfPayments(read, { ...list, payeeId, reach: further, limit: PORTAL_EXPORT_ROWS });
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
  ]);
}
