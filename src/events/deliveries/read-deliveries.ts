import type { Read } from '../../db/transaction.types.ts';
import { notFound } from '../../kit/errors.ts';
import { SHOWN_TRIES } from '../../kit/limits.ts';
import type {
  CallbackMembers,
  Delivery,
  DeliveryDetails,
  DeliveryFilter,
  DeliveryLogKey,
  FeedEvent,
} from '../events.types.ts';
import { deliveryBody } from '../feed/show-event.ts';
import { findWebhook, type WebhookName } from '../webhooks/find-webhook.ts';
import { parsePosition } from '../webhooks/webhooks.rules.ts';
import { selectDeliveries, selectDeliveriesOfState, selectDelivery, selectTries } from './delivery-log.store.ts';

/** Stands for a webhook's id where the log of callbacks is asked for. */
export const CALLBACKS = 'callbacks';

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
 * Deliveries to a webhook, or with the id `callbacks` the callbacks of the payee's payments.
 *
 * @throws Refusal `notfound`
 */
export async function listDeliveries(
  read: Read,
  name: WebhookName,
  { state, ...page }: DeliveryFilter,
): Promise<DeliveryPage> {
  const log = await findLog(read, name);
  if (log === undefined) throw notFound();
  const more = { ...page, limit: page.limit + 1 };
  const { rows } = await (state === undefined
    ? selectDeliveries(read, log, more)
    : selectDeliveriesOfState(read, log, { ...more, state }));
  return { deliveries: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/**
 * One delivery with its log, and with what is sent.
 *
 * @throws Refusal `notfound`
 */
export async function getDelivery(read: Read, name: DeliveryName): Promise<DeliveryDetails> {
  const delivery = await findDelivery(read, name);
  if (delivery === undefined) throw notFound();
  const { rows: log } = await selectTries(read, delivery, { position: delivery.position, limit: SHOWN_TRIES });
  return { ...delivery, body: deliveryBody(delivery, delivery.isCallback), log };
}

/** Whether there is such a log: of a webhook, or of callbacks, which every payee has. */
export async function deliveryLogExists(read: Read, name: WebhookName): Promise<boolean> {
  return (await findLog(read, name)) !== undefined;
}

/** Whether there is such a delivery. */
export async function deliveryExists(read: Read, name: DeliveryName): Promise<boolean> {
  return (await findDelivery(read, name)) !== undefined;
}

/** One delivery, or undefined where there is none. */
export async function findDelivery(
  read: Read,
  name: DeliveryName,
): Promise<(Delivery & FeedEvent & CallbackMembers) | undefined> {
  const position = parsePosition(name.deliveryId);
  const log = position === undefined ? undefined : await findLog(read, name);
  if (position === undefined || log === undefined) return undefined;
  return (await selectDelivery(read, log, position)).rows[0];
}

async function findLog(read: Read, name: WebhookName): Promise<DeliveryLogKey | undefined> {
  return name.webhookId === CALLBACKS ? { payeeId: name.payeeId, webhookId: null } : findWebhook(read, name);
}
