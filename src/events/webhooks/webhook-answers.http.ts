import { type Operation, operation } from '../../http/operations.ts';
import { CALLBACKS, type DeliveryPage } from '../deliveries/read-deliveries.ts';
import type { Delivery, DeliveryDetails, Webhook } from '../events.types.ts';

/** A webhook as answers show it. */
export function webhookObject(webhook: Webhook) {
  const { webhookId, url, description, eventTypes, state } = webhook;
  return {
    id: `/webhooks/${webhookId}`,
    webhookId,
    url,
    ...(description !== null && { description }),
    eventTypes,
    state,
    created: webhook.createdAt,
    updated: webhook.updatedAt,
    ...(webhook.lastSuccessAt !== null && { lastSuccess: webhook.lastSuccessAt }),
    ...(webhook.nextProbeAt !== null && { nextProbe: webhook.nextProbeAt }),
  };
}

/** What can be done with a webhook now. */
export function webhookOperations({ webhookId, state }: Webhook, baseUrl: string): Operation[] {
  if (state === 'Deleted') return [];
  const href = `${baseUrl}/webhooks/${webhookId}`;
  return [
    operation('GET', 'get-webhook', href),
    operation('PATCH', 'update-webhook', href),
    operation('POST', 'rotate-secret', `${href}/secrets`),
    ...(state === 'Disabled' ? [] : [operation('POST', 'test-webhook', `${href}/tests`)]),
    operation('GET', 'list-deliveries', `${href}/deliveries`),
  ];
}

/** A webhook, and what can be done with it. */
export function webhookAnswer(webhook: Webhook, baseUrl: string) {
  return { webhook: webhookObject(webhook), operations: webhookOperations(webhook, baseUrl) };
}

/** A page of the deliveries to a webhook. */
export function deliveriesAnswer(
  { deliveries, hasMore }: DeliveryPage,
  {
    webhookId,
    state,
    baseUrl,
  }: { readonly webhookId: string; readonly state: string | undefined; readonly baseUrl: string },
) {
  const id = `/webhooks/${webhookId}/deliveries`;
  const last = deliveries.at(-1);
  const query = new URLSearchParams({ before: String(last?.position), ...(state && { state }) });
  return {
    deliveries: {
      id,
      deliveryList: deliveries.map((delivery) => ({
        ...deliveryObject(delivery),
        operations: deliveryOperations(delivery, baseUrl),
      })),
    },
    operations: hasMore ? [operation('GET', 'next', `${baseUrl}${id}?${query}`)] : [],
  };
}

/** A delivery with its log. */
export function deliveryAnswer(delivery: DeliveryDetails, baseUrl: string) {
  return {
    delivery: {
      ...deliveryObject(delivery),
      body: delivery.body,
      tryList: delivery.log.map(({ triedAt, status, failure, answer, durationMs }) => ({
        tried: triedAt,
        ...(status !== null && { status }),
        ...(failure !== null && { failure }),
        answer,
        durationMs,
      })),
    },
    operations: deliveryOperations(delivery, baseUrl),
  };
}

function deliveryObject(delivery: Delivery) {
  const { position, eventId, type, url, state, tries, nextTryAt, settledAt } = delivery;
  return {
    id: deliveryPath(delivery),
    event: { id: eventId, type, position },
    url,
    state,
    tries,
    created: delivery.createdAt,
    ...(nextTryAt !== null && { nextTry: nextTryAt }),
    ...(settledAt !== null && { settled: settledAt }),
  };
}

function deliveryPath({ isCallback, webhookId, position }: Delivery): string {
  return `/webhooks/${isCallback ? CALLBACKS : webhookId}/deliveries/${position}`;
}

function deliveryOperations(delivery: Delivery, baseUrl: string): Operation[] {
  const href = `${baseUrl}${deliveryPath(delivery)}`;
  return [operation('GET', 'get-delivery', href), operation('POST', 'redeliver', `${href}/redeliveries`)];
}
