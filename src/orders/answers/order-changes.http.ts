import { actorOf } from '../../http/actor.ts';
import type { Operation } from '../../http/operations.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute, EdgeRequest } from '../../http/route.types.ts';
import { assert } from '../../kit/assert.ts';
import { paymentPath } from '../../kit/cards/card-payment-paths.ts';
import { giftCardPath, orderPath, PAYMENT_ORDERS } from '../../kit/cards/payment-order-paths.ts';
import { notFound } from '../../kit/errors.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { followUpOrder } from '../changes/follow-up-order.flow.ts';
import { findOrder, orderExists } from '../find-order.ts';
import type { OrderChanged, OrderFollowUpRequest } from '../order-requests.types.ts';
import type { OrderView, SplitTransaction } from '../orders.types.ts';
import { OrderAmountBody, OrderCancellationBody } from '../requests/order-bodies.wire.ts';
import { refuseBadItems } from '../requests/order-items.rules.ts';
import { orderOperations } from './order-answer.http.ts';
import {
  OrderFollowUpAnswer,
  OrderParams,
  OrderTransactionAnswer,
  OrderTransactionParams,
} from './order-answers.wire.ts';
import {
  answerOrder,
  lookingAt,
  namedBy,
  ORDER_BODY_BYTES,
  ORDER_EXPAND_NAMES,
  type OrderRoutesOptions,
  PAYMENT_ORDERS_TAG,
  readItems,
  refuseUndone,
} from './order-requests.http.ts';
import { leadOf } from './order-state.rules.ts';
import { EXPANDABLE } from './orders.http.ts';
import { answersWithOrder } from './views.rules.ts';

type Type = OrderFollowUpRequest['type'];

/** Where transactions of each type are made and found, and what an answer calls one. */
const PLACES = {
  Capture: { path: 'captures', name: 'capture', verb: 'capture', summary: 'Take part or all of what is held' },
  Cancellation: { path: 'cancellations', name: 'cancellation', verb: 'cancel', summary: 'Release all that is left' },
  Reversal: {
    path: 'reversals',
    name: 'reversal',
    verb: 'reverse',
    summary: 'Give back part or all of what was taken',
  },
} as const;

type Request = Pick<
  EdgeRequest,
  | 'payeeId'
  | 'caller'
  | 'sessionId'
  | 'trace'
  | 'remoteAddress'
  | 'idempotencyKey'
  | 'expand'
  | 'version'
  | 'noteVersion'
  | 'noteReplay'
> & {
  readonly params: { readonly orderId: string };
  readonly body: OrderAmountBody | OrderCancellationBody;
};

/** The endpoints that make a transaction of a paid order, and those that read one. */
export function orderChangeRoutes(options: OrderRoutesOptions): ApiRoute[] {
  const { context } = options;
  const common = (type: Type) =>
    ({
      method: 'POST',
      scope: 'payments',
      tag: PAYMENT_ORDERS_TAG,
      path: `${PAYMENT_ORDERS}/:orderId/${PLACES[type].path}`,
      followsUp: true,
      operationId: `${PLACES[type].verb}PaymentOrder`,
      summary: PLACES[type].summary,
      bodyBytes: ORDER_BODY_BYTES,
      expandable: EXPANDABLE,
      mostExpanded: ORDER_EXPAND_NAMES,
      takesIdempotencyKey: true,
      declines: true,
      problems: ['conflict', 'referencereused'],
      exists: (request: Parameters<typeof namedBy>[0]) => orderExists(context, namedBy(request)),
      handle: (request: Request) => follow(options, request, type),
    }) as const;
  const shape = { params: OrderParams, query: NoQuery, answer: OrderFollowUpAnswer };
  return [
    apiRoute({ ...common('Capture'), shape: { ...shape, body: OrderAmountBody } }),
    apiRoute({ ...common('Cancellation'), shape: { ...shape, body: OrderCancellationBody } }),
    apiRoute({
      ...common('Reversal'),
      shape: { ...shape, body: OrderAmountBody },
      gives: async (request) => {
        const { order } = await findOrder(context, namedBy(request));
        const { amount, description: reason } = request.body.transaction;
        return { amount, currency: order.currency, object: { kind: 'order', id: order.orderId }, reason };
      },
    }),
    ...(Object.keys(PLACES) as Type[]).map((type) => transactionRoute(options, type)),
  ];
}

function transactionRoute(options: OrderRoutesOptions, type: Type): ApiRoute {
  const { context } = options;
  const { path, name } = PLACES[type];
  const find = async ({
    payeeId,
    params,
  }: Pick<Request, 'payeeId'> & { readonly params: { readonly orderId: string; readonly transactionId: string } }) => {
    const view = await findOrder(context, { payeeId, orderId: params.orderId });
    const named = params.transactionId.toLowerCase();
    const transaction = view.transactions.find((one) => one.type === type && one.transactionId === named);
    return transaction && { view, transaction };
  };
  return apiRoute({
    method: 'GET',
    path: `${PAYMENT_ORDERS}/:orderId/${path}/:transactionId`,
    scope: 'payments',
    operationId: `getPaymentOrder${type}`,
    tag: PAYMENT_ORDERS_TAG,
    summary: `Read one ${name} of a payment order`,
    shape: { params: OrderTransactionParams, query: NoQuery, body: undefined, answer: OrderTransactionAnswer },
    exists: async (request) => (await find(request)) !== undefined,
    handle: async (request) => {
      const found = await find(request);
      if (found === undefined) throw notFound();
      const { view, transaction } = found;
      lookingAt(view, request, options);
      return { paymentOrder: orderPath(view.order), [name]: transactionShown(view, transaction) };
    },
  });
}

async function follow(options: OrderRoutesOptions, request: Request, type: Type) {
  const changed = await followUpOrder(options, wanted(request, type));
  const { isReplay, view, transaction, menu } = changed;
  if (isReplay) request.noteReplay();
  assert(transaction !== undefined, 'a capture, cancellation or reversal has its transaction');
  refuseUndone(changed);
  const looking = lookingAt(view, request, options);
  if (answersWithOrder(looking.version)) return answerOrder(view, request, options, menu);
  return transactionAnswer({ view, transaction, type, operations: orderOperations(view, looking) });
}

function wanted(request: Request, type: Type): OrderFollowUpRequest {
  const { idempotencyKey, body } = request;
  const { description, payeeReference } = body.transaction;
  const sent = 'amount' in body.transaction ? body.transaction : undefined;
  const orderItems = sent?.orderItems && readItems(sent.orderItems);
  if (orderItems !== undefined) refuseBadItems('transaction.orderItems', orderItems);
  return {
    actor: actorOf(request),
    initiatedBy: 'Payee',
    idempotencyKey,
    type,
    amount: sent?.amount,
    vatAmount: sent?.vatAmount,
    description: description?.trim(),
    payeeReference,
    receiptReference: sent?.receiptReference?.trim(),
    orderItems,
    legs: sent?.legs?.map(({ id, amount }) => ({ legId: id.toLowerCase(), amount })),
    ...namedBy(request),
  };
}

interface Made extends Pick<OrderChanged, 'view'> {
  readonly transaction: SplitTransaction;
  readonly type: Type;
  readonly operations: readonly Operation[];
}

/** The answer as 2.0 and 3.0 have it: the lead leg's payment, and the transaction of the whole amount. */
function transactionAnswer({ view, transaction, type, operations }: Made) {
  const lead = leadOf(view.legs, transaction.parts);
  const paymentId = lead?.paymentId ?? view.order.cardPaymentId;
  return {
    payment: lead?.kind === 'Account' ? giftCardPath({ paymentId }) : paymentPath({ paymentId }),
    [PLACES[type].name]: transactionShown(view, transaction),
    operations,
  };
}

function transactionShown({ order }: OrderView, transaction: SplitTransaction) {
  const { transactionId, description, payeeReference, receiptReference, type } = transaction;
  const place = PLACES[type as Type];
  return {
    id: `${orderPath(order)}/${place.path}/${transactionId}`,
    transaction: {
      id: `${orderPath(order)}/financialtransactions/${transactionId}`,
      created: transaction.createdAt,
      updated: transaction.updatedAt,
      type: type as Type,
      state: transaction.state,
      number: transaction.number,
      amount: transaction.amount,
      vatAmount: transaction.vatAmount,
      ...(description !== null && { description }),
      ...(payeeReference !== null && { payeeReference }),
      ...(receiptReference !== null && { receiptReference }),
      isOperational: false,
      operations: [],
    },
  };
}
