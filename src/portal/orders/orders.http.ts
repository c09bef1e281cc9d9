import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { path } from '../../http/operations.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { shownChange, waitingFor } from '../approvals/describe-changes.ts';
import { exportOrders } from './export-orders.ts';
import { withRemaining } from './orders.rules.ts';
import type { OrderStory } from './orders.types.ts';
import {
  OrderFilterQuery,
  OrderParams,
  OrderStoryAnswer,
  OrdersAnswer,
  OrdersQuery,
  SplitAnswer,
  SplitQuery,
} from './orders.wire.ts';
import { previewSplit } from './preview-split.ts';
import { orderStory, searchOrders } from './search-orders.ts';

const TAG = 'Payment orders';
const HERE = '/portal/api/payees/:payeeId/orders';

/** Lists of payment orders, and what happened to one of them. */
export function portalOrderRoutes({ database }: Kontor, { baseUrl }: RouteGiven): AnyPortalRoute[] {
  const {
    read,
    reportReads: { readFor },
  } = database;
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'searchOrders',
      tag: TAG,
      summary: 'List payment orders, the newest first',
      description: 'Filters go together; `search` stands alone.',
      shape: { params: PayeeParams, query: OrdersQuery, body: undefined, answer: OrdersAnswer },
      handle: async ({ payeeId, query }) => {
        const { rows, ...page } = await searchOrders(read, payeeId, query);
        return {
          orders: rows.map(withRemaining),
          ...page,
        };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}.csv`,
      operationId: 'exportOrders',
      tag: TAG,
      summary: 'Download payment orders as a table',
      shape: { params: PayeeParams, query: OrderFilterQuery, body: undefined, answer: undefined },
      handle: async ({ payeeId, query }) => ({
        fileName: 'orders.csv',
        text: exportOrders(readFor(payeeId), payeeId, query),
      }),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/:orderId`,
      operationId: 'getOrderStory',
      tag: TAG,
      summary: 'See a payment order, what pays it, and what happened to it',
      shape: { params: OrderParams, query: NoQuery, body: undefined, answer: OrderStoryAnswer },
      handle: async ({ payeeId, params }) => {
        const story = await orderStory(read, payeeId, params.orderId);
        const waiting = await waitingFor(read, payeeId, story.order.orderId);
        return { ...shown(story, baseUrl()), waiting: waiting.map(shownChange) };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/:orderId/split`,
      operationId: 'previewOrderSplit',
      tag: TAG,
      summary: 'See how a capture or reversal would fall on what pays a payment order',
      shape: { params: OrderParams, query: SplitQuery, body: undefined, answer: SplitAnswer },
      handle: async ({ payeeId, params, query }) => {
        const { parts, vatAmount } = await previewSplit(read, payeeId, { ...query, orderId: params.orderId });
        return { parts, vatAmount };
      },
    }),
  ];
}

function shown({ order, legs, transactions, tries, history, timeline }: OrderStory, baseUrl: string) {
  const address = `${baseUrl}${path`/psp/paymentorders/${order.orderId}`}`;
  return {
    order: { ...order, address },
    legs,
    transactions,
    tries,
    history,
    timeline,
  };
}
