import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { orderPath, PAYMENT_ORDERS } from '../../kit/cards/payment-order-paths.ts';
import { notFound } from '../../kit/errors.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { findOrder, type NamedOrder, orderExists } from '../find-order.ts';
import type { OrderView, SplitTransaction } from '../orders.types.ts';
import {
  CurrentPaymentAnswer,
  FinancialTransactionAnswer,
  OrderItemsAnswer,
  OrderParams,
  OrderTransactionParams,
  orderPartAnswer,
} from './order-answers.wire.ts';
import { financialOf, financialShown, orderPart } from './order-parts.rules.ts';
import {
  lookingAt,
  namedBy,
  type OrderRoutesOptions,
  orderDetails,
  PAYMENT_ORDERS_TAG,
} from './order-requests.http.ts';
import { type OrderPartName, SUB_RESOURCES } from './views.rules.ts';

/** What each part is, in the texts of the API's document. */
const WORDS: Readonly<Record<OrderPartName, string>> = {
  orderItems: 'lines',
  urls: 'addresses',
  payeeInfo: "payee's words",
  payer: 'payer',
  history: 'history',
  failed: 'failure',
  aborted: 'abort',
  paid: 'success',
  cancelled: 'cancellation',
  reversed: 'reversal',
  financialTransactions: 'financial transactions',
  failedAttempts: 'failed attempts to pay',
  postPurchaseFailedAttempts: 'failed captures, cancellations and reversals',
  metadata: 'metadata',
  payments: 'payments',
  currentPayment: 'payment that leads it',
};

/** Another address of a part, which some clients know. */
const OTHER_PATHS: Readonly<Partial<Record<OrderPartName, string>>> = {
  postPurchaseFailedAttempts: 'failedpostpurchaseattempts',
};

/** Reads of the parts of an order, each at an address of its own. */
export function orderPartRoutes(options: OrderRoutesOptions): ApiRoute[] {
  const names = Object.keys(SUB_RESOURCES) as OrderPartName[];
  return [
    ...names.flatMap((name) => {
      const other = OTHER_PATHS[name];
      const route = partRoute(options, name, SUB_RESOURCES[name].path);
      return other === undefined ? [route] : [route, partRoute(options, name, other)];
    }),
    ...financialRoutes(options),
  ];
}

function partRoute(options: OrderRoutesOptions, name: OrderPartName, path: string): ApiRoute {
  const { context } = options;
  const isOther = path !== SUB_RESOURCES[name].path;
  return apiRoute({
    method: 'GET',
    path: `${PAYMENT_ORDERS}/:orderId/${path}`,
    scope: 'payments',
    operationId: `getPaymentOrder${name.charAt(0).toUpperCase()}${name.slice(1)}${isOther ? 'ByOtherName' : ''}`,
    tag: PAYMENT_ORDERS_TAG,
    summary: `Read the ${WORDS[name]} of a payment order${isOther ? ', by another address' : ''}`,
    shape: {
      params: OrderParams,
      query: NoQuery,
      body: undefined,
      answer: name === 'currentPayment' ? CurrentPaymentAnswer : orderPartAnswer(name),
    },
    exists: (request) => orderExists(context, namedBy(request)),
    handle: async (request) => {
      const view = await findOrder(context, namedBy(request));
      lookingAt(view, request, options);
      const asked = { ...request, expand: new Set([name.toLowerCase()]) };
      const part = orderPart(name, await orderDetails(view, asked, options));
      const paymentOrder = orderPath(view.order);
      if (name !== 'currentPayment') return { paymentOrder, [name]: part } as never;
      const { id: _, ...members } = part;
      return { paymentOrder, ...members } as never;
    },
  });
}

/** One financial transaction, and its lines. */
function financialRoutes(options: OrderRoutesOptions): ApiRoute[] {
  const { context } = options;
  const path = `${PAYMENT_ORDERS}/:orderId/${SUB_RESOURCES.financialTransactions.path}/:transactionId`;
  const common = {
    method: 'GET',
    scope: 'payments',
    tag: PAYMENT_ORDERS_TAG,
    exists: async ({ payeeId, params }: Named) => (await findOne(context, { payeeId, params })) !== undefined,
  } as const;
  const shape = { params: OrderTransactionParams, query: NoQuery, body: undefined };
  return [
    apiRoute({
      ...common,
      path,
      operationId: 'getFinancialTransaction',
      summary: 'Read one financial transaction of a payment order',
      shape: { ...shape, answer: FinancialTransactionAnswer },
      handle: async (request) => {
        const { view, transaction } = await requireOne(context, request);
        lookingAt(view, request, options);
        return {
          paymentOrder: orderPath(view.order),
          financialTransaction: financialShown(transaction, view) as never,
        };
      },
    }),
    apiRoute({
      ...common,
      path: `${path}/orderitems`,
      operationId: 'getFinancialTransactionOrderItems',
      summary: 'Read the lines of one financial transaction',
      shape: { ...shape, answer: OrderItemsAnswer },
      handle: async (request) => {
        const { view, transaction } = await requireOne(context, request);
        lookingAt(view, request, options);
        const id = `${financialShown(transaction, view).id}/orderitems`;
        return {
          paymentOrder: orderPath(view.order),
          orderItems: { id, orderItemList: itemsOf(view, transaction) as never },
        };
      },
    }),
  ];
}

/** The lines that were sent with a transaction; an authorization is of the order's own. */
function itemsOf({ order }: OrderView, { type, orderItems }: SplitTransaction) {
  return orderItems ?? (type === 'Authorization' || type === 'Sale' ? order.orderItems : []);
}

interface Named {
  readonly payeeId: NamedOrder['payeeId'];
  readonly params: { readonly orderId: string; readonly transactionId: string };
}

type Context = OrderRoutesOptions['context'];

async function findOne(context: Context, { payeeId, params }: Named) {
  const view = await findOrder(context, { payeeId, orderId: params.orderId });
  const named = params.transactionId.toLowerCase();
  const transaction = financialOf(view).find(({ transactionId }) => transactionId === named);
  return transaction && { view, transaction };
}

async function requireOne(context: Context, named: Named) {
  const found = await findOne(context, named);
  if (found === undefined) throw notFound();
  return found;
}
