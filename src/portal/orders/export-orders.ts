import type { Read } from '../../db/transaction.types.ts';
import { csvLine } from '../../kit/csv.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { formatAmount } from '../../kit/money.ts';
import { PORTAL_EXPORT_ROWS, PORTAL_PAGE_ROWS_MOST } from '../../kit/portal-limits.ts';
import { type DayOf, inDaysOf } from '../days-of-payee.ts';
import { slicedAfter } from '../newest-first.rules.ts';
import { tableOf } from '../table-lines.ts';
import { type AskedOrders, readOrders, withRemaining } from './orders.rules.ts';
import type { ListedOrder } from './orders.types.ts';
import { pageOfOrders, searchOrders } from './search-orders.ts';

const HEADING = [
  'createdAt',
  'orderId',
  'number',
  'operation',
  'status',
  'currency',
  'amountMinor',
  'amount',
  'vatMinor',
  'vat',
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
  'paidWith',
  'problem',
  'shop',
  'site',
  'terminal',
  'updatedAt',
  'day',
  'authorizedUntil',
];

/**
 * The orders that `searchOrders` lists as lines of a table, some at a time. What is asked for is read at once, so that a wrong request
 * is refused and not cut off.
 *
 * @throws Refusal `inputerror`
 */
export function exportOrders(read: Read, payeeId: PayeeId, asked: AskedOrders): AsyncIterable<string> {
  const wanted = readOrders(asked);
  return inDaysOf(read, payeeId, (dayOf) =>
    tableOf(
      HEADING,
      (order: ListedOrder) => lineOf(order, dayOf),
      async (cursor) => {
        if (wanted.by === 'text') {
          return searchOrders(read, payeeId, { ...asked, limit: String(PORTAL_PAGE_ROWS_MOST) });
        }
        const list = { ...wanted, payeeId, limit: PORTAL_EXPORT_ROWS };
        const isByEnd = wanted.match.status === 'ToCapture';
        return pageOfOrders(read, cursor === undefined ? list : slicedAfter(list, cursor, isByEnd));
      },
    ),
  );
}

function lineOf(order: ListedOrder, dayOf: DayOf): string {
  const { currency } = order;
  const both = (minor: number) => [minor, formatAmount(minor, currency)];
  return csvLine([
    order.createdAt,
    order.orderId,
    order.number,
    order.operation,
    order.status,
    currency,
    ...both(order.amount),
    ...both(order.vatAmount),
    ...both(order.captured),
    ...both(order.cancelled),
    ...both(order.reversed),
    ...both(withRemaining(order).remaining.capture),
    order.orderReference ?? '',
    order.payeeReference ?? '',
    order.payerReference ?? '',
    order.instruments.map(({ name, brand }) => (brand === null ? name : `${brand} ${name}`)).join(' + '),
    order.problem ?? '',
    order.shop ?? '',
    order.site ?? '',
    order.terminal ?? '',
    order.updatedAt,
    dayOf(order.createdAt),
    order.authorizedUntil ?? '',
  ]);
}
