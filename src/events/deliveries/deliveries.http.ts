import { actorOf } from '../../http/actor.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { PAGE_DELIVERIES } from '../../kit/limits.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { deliveriesAnswer, deliveryAnswer } from '../webhooks/webhook-answers.http.ts';
import {
  DeliveriesAnswer,
  DeliveriesQuery,
  DeliveryAnswer,
  DeliveryLogParams,
  DeliveryParams,
} from '../webhooks/webhooks.wire.ts';
import { deliveryExists, deliveryLogExists, getDelivery, listDeliveries } from './read-deliveries.ts';
import { redeliver } from './redeliver.ts';

/** What the API's document files them under. */
const TAG = 'Webhooks';

/** The log of deliveries, and delivering again. */
export function deliveryRoutes({ database }: Kontor, { baseUrl }: RouteGiven): ApiRoute[] {
  const { transact, read } = database;
  return [
    apiRoute({
      method: 'GET',
      path: '/webhooks/:webhookId/deliveries',
      scope: 'webhooks',
      otherScopes: ['deliveries'],
      operationId: 'listDeliveries',
      tag: TAG,
      summary: 'List the deliveries to a webhook, or the callbacks, the latest first',
      shape: { params: DeliveryLogParams, query: DeliveriesQuery, body: undefined, answer: DeliveriesAnswer },
      exists: ({ payeeId, params }) => deliveryLogExists(read, { payeeId, ...params }),
      handle: async ({ payeeId, params, query: { state, before } }) => {
        const filter = { state, before: before === undefined ? undefined : Number(before), limit: PAGE_DELIVERIES };
        const page = await listDeliveries(read, { payeeId, ...params }, filter);
        return deliveriesAnswer(page, { webhookId: params.webhookId, state, baseUrl: baseUrl() });
      },
    }),
    apiRoute({
      method: 'GET',
      path: '/webhooks/:webhookId/deliveries/:deliveryId',
      scope: 'webhooks',
      otherScopes: ['deliveries'],
      operationId: 'getDelivery',
      tag: TAG,
      summary: 'Read one delivery: what is sent, and what became of each try',
      shape: { params: DeliveryParams, query: NoQuery, body: undefined, answer: DeliveryAnswer },
      exists: ({ payeeId, params }) => deliveryExists(read, { payeeId, ...params }),
      handle: async ({ payeeId, params }) => deliveryAnswer(await getDelivery(read, { payeeId, ...params }), baseUrl()),
    }),
    apiRoute({
      method: 'POST',
      path: '/webhooks/:webhookId/deliveries/:deliveryId/redeliveries',
      scope: 'webhooks',
      otherScopes: ['deliveries'],
      operationId: 'redeliverEvent',
      tag: TAG,
      summary: 'Deliver an event once more',
      shape: { params: DeliveryParams, query: NoQuery, body: undefined, answer: DeliveryAnswer },
      exists: ({ payeeId, params }) => deliveryExists(read, { payeeId, ...params }),
      handle: async (request) => {
        const { payeeId, params } = request;
        const command = { payeeId, ...params, actor: actorOf(request) };
        return deliveryAnswer(await transact((transaction) => redeliver(transaction, command)), baseUrl());
      },
    }),
  ];
}
