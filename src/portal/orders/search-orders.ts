import type { Read } from '../../db/transaction.types.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import { PORTAL_PAGE_ROWS_MOST } from '../../kit/portal-limits.ts';
import { selectResourceCalls } from '../calls/calls.store.ts';
import type { Page } from '../newest-first.types.ts';
import { endingCursor, pageByEnd, pageOf } from '../page.rules.ts';
import { timelineOf } from '../payments/story.rules.ts';
import { selectCardTransactions, selectStoryOf } from '../payments/story.store.ts';
import { type AskedOrders, legLine, orderWay, readOrders, withRemaining } from './orders.rules.ts';
import { selectNamedOrders, selectOneOrder, selectOrderParts, selectOrders } from './orders.store.ts';
import type { ListedOrder, OrderSearch, OrderStory } from './orders.types.ts';

/**
 * A page of a payee's orders, the newest first, or those that end first: those of a period, cut down by status, instrument, split and amount; or
 * those that a text names, which are all on one page.
 *
 * @throws Refusal `inputerror`
 */
export async function searchOrders(read: Read, payeeId: PayeeId, asked: AskedOrders): Promise<Page<ListedOrder>> {
  const wanted = readOrders(asked);
  if (wanted.by === 'text') {
    const rows = await selectNamedOrders(read, { payeeId, searched: wanted.searched }, PORTAL_PAGE_ROWS_MOST);
    return { rows, next: null, searchedTo: null };
  }
  return pageOfOrders(read, { ...wanted, payeeId });
}

/** A page of orders that was read already. */
export async function pageOfOrders(read: Read, search: OrderSearch): Promise<Page<ListedOrder>> {
  const found = await selectOrders(read, { ...search, limit: search.limit + 1 }, orderWay(search.match));
  if (search.match.status !== 'ToCapture') return pageOf([found], search.limit, ({ orderId }) => orderId);
  return pageByEnd([found], search.limit, ({ authorizedUntil, orderId }) => endingCursor(authorizedUntil, orderId));
}

/**
 * An order, what pays it, and all that happened to it.
 *
 * @throws Refusal `notfound`
 */
export async function orderStory(read: Read, payeeId: PayeeId, id: string): Promise<OrderStory> {
  const orderId = id.toLowerCase();
  const key = { payeeId, orderId };
  const order = isUuid(orderId) ? await selectOneOrder(read, key) : undefined;
  if (order === undefined) throw notFound();
  const [{ legs, transactions, history }, tries, told] = await Promise.all([
    selectOrderParts(read, key),
    selectCardTransactions(read, { payeeId, paymentId: order.cardPaymentId }),
    selectStoryOf(read, { payeeId, objectId: orderId, kind: 'payment-order' }),
  ]);
  const sessionIds = told.acts.flatMap(({ sessionId }) => sessionId ?? []);
  // Of an order that is no state of a question: it only is not paid yet.
  const acts = told.acts.map((act) => (act.state === 'Initialized' ? { ...act, state: null } : act));
  const calls = await selectResourceCalls(read, { payeeId, resourceId: orderId }, sessionIds);
  return {
    order: withRemaining(order),
    legs: legs.map((leg) => legLine(leg, order)),
    transactions,
    tries: tries.filter(({ type }) => type === 'Authorization' || type === 'Verification'),
    history,
    timeline: timelineOf(order, { ...told, acts, transactions, movements: [], calls }),
  };
}
