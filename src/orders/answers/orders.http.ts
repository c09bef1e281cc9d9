import { actorOf } from '../../http/actor.ts';
import { withPlainNumbers } from '../../http/body/json-number.ts';
import { CardRefusal } from '../../http/document/problem.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { orderPath, PAYMENT_ORDERS } from '../../kit/cards/payment-order-paths.ts';
import { Refusal } from '../../kit/errors.ts';
import { NoParams, NoQuery } from '../../kit/schemas.wire.ts';
import { createOrder } from '../create-order.flow.ts';
import { findOrder, orderExists } from '../find-order.ts';
import { changeUnpaidOrder } from '../instruments/change-unpaid.flow.ts';
import type { OrderView } from '../orders.types.ts';
import { readChange, type SentChange } from '../requests/change-order.rules.ts';
import { madeIn, needsPayeeName, readNewOrder } from '../requests/new-order.rules.ts';
import type { SentNewOrder, SentPayer } from '../requests/new-order.types.ts';
import { ChangeOrderBody, CreateOrderBody, type SentOrder } from '../requests/order-bodies.wire.ts';
import { OrderAnswer, OrderParams } from './order-answers.wire.ts';
import { payeeName } from './order-lookups.ts';
import {
  answerOrder,
  namedBy,
  ORDER_BODY_BYTES,
  ORDER_EXPAND_NAMES,
  type OrderRoutesOptions,
  PAYMENT_ORDERS_TAG,
  readItems,
  textIn,
} from './order-requests.http.ts';
import { SUB_RESOURCES } from './views.rules.ts';

/** Names that `$expand` knows: of members, and of addresses. */
export const EXPANDABLE: readonly string[] = [
  ...new Set([
    ...Object.keys(SUB_RESOURCES).map((name) => name.toLowerCase()),
    ...Object.values(SUB_RESOURCES).map(({ path }) => path),
  ]),
];

/** What clients write otherwise. */
const ROOT_SPELLINGS = { paymentOrder: 'paymentorder' };
const SPELLINGS = {
  ...ROOT_SPELLINGS,
  'paymentorder.PaymentToken': 'paymentToken',
  'paymentorder.items.creditcard': 'creditCard',
};

/** The endpoints of an order itself: make, read, change. */
export function orderRoutes(options: OrderRoutesOptions): ApiRoute[] {
  const { context } = options;
  const common = {
    scope: 'payments',
    tag: PAYMENT_ORDERS_TAG,
    expandable: EXPANDABLE,
    mostExpanded: ORDER_EXPAND_NAMES,
  } as const;
  return [
    apiRoute({
      ...common,
      method: 'POST',
      path: PAYMENT_ORDERS,
      bodyBytes: ORDER_BODY_BYTES,
      spellings: SPELLINGS,
      takesIdempotencyKey: true,
      declines: true,
      operationId: 'createPaymentOrder',
      summary: 'Make a payment order',
      shape: { params: NoParams, query: NoQuery, body: CreateOrderBody, answer: OrderAnswer },
      problems: ['conflict', 'referencereused', 'paymenttokeninactive', 'noacquirer'],
      handle: async (request) => {
        const { payeeId, body, idempotencyKey, userAgent } = request;
        const sent = readSent(body.paymentorder);
        const { isSandbox } = context.cardPayments;
        const order = readNewOrder(sent, {
          payeeId,
          payeeName: needsPayeeName(sent) ? await payeeName(context, payeeId) : undefined,
          userAgent,
          isSandbox,
        });
        const { isReplay, menu, ...view } = await createOrder(options, {
          ...order,
          payeeId,
          actor: actorOf(request),
          initiatedBy: 'Payee',
          idempotencyKey,
          madeIn: madeIn(request.version, sent),
        });
        if (isReplay) request.noteReplay();
        request.noteCreated(`${options.baseUrl()}${orderPath(view.order)}`);
        refuseUnpaid(view);
        return answerOrder(view, request, options, menu);
      },
    }),
    apiRoute({
      ...common,
      method: 'GET',
      path: `${PAYMENT_ORDERS}/:orderId`,
      operationId: 'getPaymentOrder',
      summary: 'Read a payment order',
      shape: { params: OrderParams, query: NoQuery, body: undefined, answer: OrderAnswer },
      exists: (request) => orderExists(context, namedBy(request)),
      handle: async (request) => answerOrder(await findOrder(context, namedBy(request)), request, options),
    }),
    apiRoute({
      ...common,
      method: 'PATCH',
      path: `${PAYMENT_ORDERS}/:orderId`,
      bodyBytes: ORDER_BODY_BYTES,
      spellings: ROOT_SPELLINGS,
      followsUp: true,
      operationId: 'changePaymentOrder',
      summary: 'Change or abort a payment order that has not been paid',
      shape: { params: OrderParams, query: NoQuery, body: ChangeOrderBody, answer: OrderAnswer },
      asks: ({ paymentorder }) => paymentorder.operation,
      problems: ['conflict'],
      exists: (request) => orderExists(context, namedBy(request)),
      handle: async (request) => {
        const change = readChange(readSentChange(request.body.paymentorder));
        const asked = {
          ...namedBy(request),
          actor: actorOf(request),
          initiatedBy: 'Payee',
          idempotencyKey: undefined,
        } as const;
        return answerOrder(await changeUnpaidOrder(options, asked, change), request, options);
      },
    }),
  ];
}

/** An order with its numbers as JavaScript has them, and texts for what some clients send as numbers. */
function readSent({ metadata, orderItems, payer, ...order }: SentOrder): SentNewOrder {
  return {
    ...order,
    ...(metadata !== undefined && { metadata: withPlainNumbers(metadata) }),
    ...(orderItems !== undefined && { orderItems: readItems(orderItems) }),
    ...(payer !== undefined && { payer: readPayerTexts(payer) }),
  };
}

function readSentChange({ orderItems, ...change }: ChangeOrderBody['paymentorder']): SentChange {
  return { ...change, ...(orderItems !== undefined && { orderItems: readItems(orderItems) }) };
}

function readPayerTexts({
  shippingAddress,
  billingAddress,
  msisdn,
  ...payer
}: NonNullable<SentOrder['payer']>): SentPayer {
  return {
    ...payer,
    ...withText({ msisdn }),
    ...(shippingAddress !== undefined && { shippingAddress: withText(shippingAddress) }),
    ...(billingAddress !== undefined && { billingAddress: withText(billingAddress) }),
  };
}

type Texts<Sent> = { readonly [Name in keyof Sent]: string };

/** The members that are there, as texts. */
function withText<Sent extends Readonly<Record<string, string | number | undefined>>>(sent: Sent): Texts<Sent> {
  const texts = Object.entries(sent).map(([name, value]) => [name, textIn(value)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined)) as Texts<Sent>;
}

/**
 * Answers an order that is paid without its payer as the problem that it came to: shops take any 2xx as paid. It stays, and
 * the answer says where.
 */
function refuseUnpaid({ order }: OrderView): void {
  if (order.operation !== 'Recur' && order.operation !== 'UnscheduledPurchase') return;
  if (order.status === 'Failed') throw new CardRefusal(order.problem ?? 'acquirererror');
  if (order.status === 'Initialized') {
    throw new Refusal(
      'gatewaytimeout',
      'The issuer did not answer in time. Repeat the request with the same reference.',
    );
  }
}
