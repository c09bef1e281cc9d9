import { actorOf } from '../http/actor.ts';
import { apiRoute } from '../http/route.ts';
import type { ApiRoute } from '../http/route.types.ts';
import { NoParams, NoQuery } from '../kit/schemas.wire.ts';
import {
  LookUpAnswer,
  LookUpQuery,
  OperationAnswer,
  OperationParams,
  PaymentAnswer,
  PaymentParams,
  TransactionAnswer,
  TransactionParams,
} from './account-answers.wire.ts';
import type { AccountRoutesOptions, LookedUp } from './accounts.types.ts';
import {
  getPayment,
  getTransaction,
  lookUpReference,
  paymentExists,
  paymentView,
  transactionExists,
} from './get-payment.ts';
import { ACCOUNT_PAYMENTS } from './new-payment.http.ts';
import {
  ACCOUNT_PATH,
  type AnswerContext,
  operationAnswer,
  paymentAnswer,
  transactionAnswer,
} from './payment-answers.http.ts';

const PAYMENT_PATH = `${ACCOUNT_PATH}/:paymentAccountId/payment/:paymentId`;

/** The endpoints that read payments, and tell what became of a reference. */
export function paymentReadRoutes({ context, baseUrl }: AccountRoutesOptions): ApiRoute[] {
  const links = () => ({ issuers: context.issuers, baseUrl: baseUrl() });
  return [
    apiRoute({
      method: 'GET',
      path: PAYMENT_PATH,
      scope: 'accounts',
      signed: true,
      operationId: 'getAccountPayment',
      tag: ACCOUNT_PAYMENTS,
      summary: 'Read a payment',
      shape: { params: PaymentParams, query: NoQuery, body: undefined, answer: PaymentAnswer },
      expandable: ['transactions', 'cancellations'],
      exists: ({ params, payeeId }) => paymentExists(context, { payeeId, ...params }),
      handle: async ({ params, payeeId, expand }) =>
        paymentAnswer(await getPayment(context, { payeeId, ...params }), links(), { expand }),
    }),
    apiRoute({
      method: 'GET',
      path: `${PAYMENT_PATH}/transactions/:transactionId`,
      scope: 'accounts',
      signed: true,
      operationId: 'getAccountTransaction',
      tag: ACCOUNT_PAYMENTS,
      summary: 'Read a capture or a reversal',
      shape: { params: TransactionParams, query: NoQuery, body: undefined, answer: TransactionAnswer },
      exists: ({ params, payeeId }) =>
        transactionExists(context, { payeeId, ...params }, { kind: 'transactions', id: params.transactionId }),
      handle: async ({ params, payeeId }) => {
        const which = { kind: 'transactions', id: params.transactionId } as const;
        return transactionAnswer(await getTransaction(context, { payeeId, ...params }, which), links());
      },
    }),
    apiRoute({
      method: 'GET',
      path: `${PAYMENT_PATH}/operations/:operationId`,
      scope: 'accounts',
      signed: true,
      operationId: 'getAccountOperation',
      tag: ACCOUNT_PAYMENTS,
      summary: 'Read a cancel',
      shape: { params: OperationParams, query: NoQuery, body: undefined, answer: OperationAnswer },
      exists: ({ params, payeeId }) =>
        transactionExists(context, { payeeId, ...params }, { kind: 'cancellations', id: params.operationId }),
      handle: async ({ params, payeeId }) => {
        const which = { kind: 'cancellations', id: params.operationId } as const;
        return operationAnswer(await getTransaction(context, { payeeId, ...params }, which), links());
      },
    }),
    apiRoute({
      method: 'GET',
      path: `${ACCOUNT_PATH}/transactions`,
      scope: 'accounts',
      signed: true,
      operationId: 'lookUpAccountReference',
      tag: ACCOUNT_PAYMENTS,
      summary: 'What became of the request with a reference',
      shape: { params: NoParams, query: LookUpQuery, body: undefined, answer: LookUpAnswer },
      expandable: ['transactions', 'cancellations'],
      handle: async (request) => {
        const { payeeId, query, expand } = request;
        const reference = query.paymentTransactionRef;
        const found = await lookUpReference(context, { payeeId, actor: actorOf(request), reference });
        if (found.status !== 'done') return { status: found.status };
        const view = await paymentView(context, found.payment, expand);
        return { status: 'done' as const, ...foundAnswer(found, view, { links: links(), expand }) };
      },
    }),
  ];
}

function foundAnswer(
  found: Extract<LookedUp, { status: 'done' }>,
  view: Parameters<typeof paymentAnswer>[0],
  { links, expand }: { readonly links: AnswerContext; readonly expand: ReadonlySet<string> },
) {
  if (!('transaction' in found)) return { payment: paymentAnswer(view, links, { expand }) };
  return found.transaction.operation === 'Cancel'
    ? { operation: operationAnswer(found, links) }
    : { transaction: transactionAnswer(found, links) };
}
