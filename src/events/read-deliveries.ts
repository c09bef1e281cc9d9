import type { Read } from '../db/transaction.types.ts';
import { notFound } from '../kit/errors.ts';
import { SHOWN_TRIES } from '../kit/limits.ts';
import { selectDeliveries, selectDelivery, selectTries } from './delivery-log.store.ts';
import type { Delivery, DeliveryDetails, DeliveryFilter, FeedEvent } from './events.types.ts';
import { findWebhook, getWebhook, type WebhookName } from './find-webhook.ts';
import { deliveryBody } from './show-event.ts';
import { parsePosition } from './webhooks.rules.ts';

/** Names a delivery as an address does. */
export interface DeliveryName extends WebhookName {
  /** Its event's position in the feed. */
  readonly deliveryId: string;
}

/** Some deliveries to a webhook, the latest first, and whether there are older ones. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly hasMore: boolean;
}

/**
 * Deliveries to a webhook.
 *
 * @throws Refusal `notfound`
 */
export async function listDeliveries(read: Read, name: WebhookName, filter: DeliveryFilter): Promise<DeliveryPage> {
  const webhook = await getWebhook(read, name);
  const { rows } = await selectDeliveries(read, webhook, { ...filter, limit: filter.limit + 1 });
  return { deliveries: rows.slice(0, filter.limit), hasMore: rows.length > filter.limit };
}

/**
 * One delivery with its log, and with what is sent.
 *
 * @throws Refusal `notfound`
 */
export async function getDelivery(read: Read, name: DeliveryName): Promise<DeliveryDetails> {
  const delivery = await find(read, name);
  if (delivery === undefined) throw notFound();
  const { rows: log } = await selectTries(read, delivery, { position: delivery.position, limit: SHOWN_TRIES });
  return { ...delivery, body: deliveryBody(delivery), log };
}

/** Whether there is such a delivery. */
export async function deliveryExists(read: Read, name: DeliveryName): Promise<boolean> {
  return (await find(read, name)) !== undefined;
}

async function find(read: Read, name: DeliveryName): Promise<(Delivery & FeedEvent) | undefined> {
  const position = parsePosition(name.deliveryId);
  const webhook = position === undefined ? undefined : await findWebhook(read, name);
  if (position === undefined || webhook === undefined) return undefined;
  return (await selectDelivery(read, webhook, position)).rows[0];
}
