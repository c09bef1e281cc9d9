import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { operation } from '../../http/operations.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import { NoParams, NoQuery } from '../../kit/schemas.wire.ts';
import { periodOf } from '../period.rules.ts';
import { listPage, SETTLEMENTS_TAG } from '../settlements.http.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { DisputeAnswer, DisputeParams, DisputesAnswer, DisputesQuery } from '../settlements.wire.ts';
import { selectDispute, selectDisputes } from './disputes.store.ts';
import type { Dispute } from './disputes.types.ts';

const DISPUTES = '/psp/disputes';

/** What holders of cards have asked back from a payee. */
export function disputeRoutes(context: SettlementContext, { baseUrl }: RouteGiven): ApiRoute[] {
  // Many rows: where the planner is free.
  const { read } = context.database.background;
  const addressOf = ({ accountId, paymentId }: Dispute) =>
    accountId === null
      ? `/psp/creditcard/payments/${paymentId}`
      : `/api/payments/payment-account/${accountId}/payment/${paymentId}`;
  const operationsOf = (dispute: Dispute) => [
    operation('GET', 'get-dispute', `${baseUrl()}${DISPUTES}/${dispute.disputeId}`),
    operation('GET', 'get-payment', baseUrl() + addressOf(dispute)),
  ];
  const find = async (payeeId: PayeeId, disputeId: string) =>
    isUuid(disputeId) ? selectDispute({ run: read }, payeeId, disputeId) : undefined;
  return [
    apiRoute({
      method: 'GET',
      path: DISPUTES,
      scope: 'payments',
      operationId: 'listDisputes',
      tag: SETTLEMENTS_TAG,
      summary: 'List disputes, the latest first, or those that were opened in a period',
      shape: { params: NoParams, query: DisputesQuery, body: undefined, answer: DisputesAnswer },
      handle: async ({ payeeId, query: { state, from, to, after, limit: most } }) => {
        const period = periodOf({ from, to });
        const { page, hasMore, operations } = await listPage({
          address: `${baseUrl()}${DISPUTES}`,
          filter: { state, from, to },
          most,
          find: (limit) => selectDisputes(read, { payeeId, state, ...period, after, limit }),
          idOf: ({ disputeId }) => disputeId,
        });
        const disputeList = page.map((one) => ({ ...shown(one), operations: operationsOf(one) }));
        return { disputes: { id: DISPUTES, hasMore, disputeList }, operations };
      },
    }),
    apiRoute({
      method: 'GET',
      path: `${DISPUTES}/:disputeId`,
      scope: 'payments',
      operationId: 'getDispute',
      tag: SETTLEMENTS_TAG,
      summary: 'Read a dispute',
      shape: { params: DisputeParams, query: NoQuery, body: undefined, answer: DisputeAnswer },
      exists: async ({ payeeId, params }) => (await find(payeeId, params.disputeId)) !== undefined,
      handle: async ({ payeeId, params }) => {
        const found = await find(payeeId, params.disputeId);
        if (found === undefined) throw notFound();
        return { dispute: shown(found), operations: operationsOf(found) };
      },
    }),
  ];
}

function shown(dispute: Dispute) {
  const { disputeId, caseId, paymentId, transactionId, agreement, stage, state, reasonCode, category } = dispute;
  const { amount, taken, refunded, currency, respondBy, openedAt, updatedAt } = dispute;
  return {
    id: `${DISPUTES}/${disputeId}`,
    disputeId,
    caseId,
    paymentId,
    ...(transactionId !== null && { transactionId }),
    ...(dispute.orderId !== null && { orderId: dispute.orderId }),
    ...(dispute.orderReference !== null && { orderReference: dispute.orderReference }),
    agreement,
    stage,
    state,
    ...(reasonCode !== null && { reasonCode }),
    ...(category !== null && { category }),
    amount,
    taken,
    refunded,
    currency,
    ...(dispute.paymentCurrency !== currency && { paymentCurrency: dispute.paymentCurrency }),
    ...(respondBy !== null && { respondBy }),
    openedAt,
    updatedAt,
  };
}
