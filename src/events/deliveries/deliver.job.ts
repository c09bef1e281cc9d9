import { DELIVERY_ANSWER_CHARACTERS, DELIVERY_INTERVAL_MS } from '../../kit/limits.ts';
import { createPatience } from '../../kit/work/traffic.ts';
import type { DeliveryContext, PostOutcome, TakenDelivery, WebhookKey } from '../events.types.ts';
import { deliveryBody } from '../feed/show-event.ts';
import { settleTries, type TriedDelivery } from './settle-deliveries.ts';
import { signedHeaders } from './signature.rules.ts';
import { dueWebhooks, type Taken, takeDeliveries } from './take-deliveries.ts';

/** Milliseconds that the next delivery to a webhook waits for the answer to the one before: for a server that is quick. */
const DELIVERY_PACE_MS = 5;
/**
 * Milliseconds for which the steps of the first so many deliveries wait for moments without requests, all together; those
 * of the next ones wait half as long, and so on.
 */
const DELIVERY_PATIENCE_MS = 200;
/** How long a webhook rests at which something of ours failed. */
const WEBHOOK_REST_MS = 10_000;

/**
 * Starts delivering events to webhooks, on every instance. Each webhook is served on its own, so a slow one holds up no
 * other. One at which something of ours fails rests for a while.
 *
 * @returns stops it, and waits for the tries under way
 */
export function startDelivering(context: DeliveryContext, intervalMs = DELIVERY_INTERVAL_MS): () => Promise<void> {
  const { background, transact, sender } = context;
  const busy = new Map<string, Promise<unknown>>();
  const restsUntil = new Map<string, number>();
  const stop = background.repeat('deliver-events', intervalMs, async (isStopped) => {
    for (const key of await transact(dueWebhooks)) {
      const { webhookId } = key;
      if (busy.has(webhookId) || (restsUntil.get(webhookId) ?? 0) > performance.now()) continue;
      restsUntil.delete(webhookId);
      const work = background.attempt('deliver-events', () => deliverAll(context, key, isStopped));
      busy.set(
        webhookId,
        work.then((isDone) => {
          busy.delete(webhookId);
          if (!isDone) restsUntil.set(webhookId, performance.now() + WEBHOOK_REST_MS);
        }),
      );
    }
  });
  return async () => {
    await stop();
    await Promise.all(busy.values());
    sender.close();
  };
}

/**
 * Delivers to one webhook as long as something is due. Each step gives way to requests, so that no payment waits for a
 * burst of events. The longer the line is, the less patience there is: what is due does not pile up where there is no quiet
 * moment at all.
 */
export async function deliverAll(context: DeliveryContext, key: WebhookKey, isStopped: () => boolean): Promise<void> {
  for (let patienceMs = DELIVERY_PATIENCE_MS; !isStopped(); patienceMs /= 2) {
    const patience = createPatience(context.quiet, patienceMs);
    await patience.quiet();
    const taken = await context.transact((transaction) => takeDeliveries(transaction, context, key));
    if (taken === undefined) return;
    if (taken.deliveries.length === 0) continue;
    const tries: Promise<TriedDelivery>[] = [];
    for (const delivery of taken.deliveries) {
      await patience.quiet();
      const tried = tryDelivery(context, taken, delivery);
      tries.push(tried);
      await patience.done(tried, DELIVERY_PACE_MS);
    }
    const tried = await Promise.all(tries);
    await patience.quiet();
    await context.transact((transaction) => settleTries(transaction, key, tried));
  }
}

/** What came of a try where something of ours failed: it counts as one, so that it does not go on for ever. */
const OUR_FAILURE: PostOutcome = { status: null, failure: 'internal-error', answer: '', durationMs: 0 };

/** Sends one event to a webhook, or makes one callback, signed. Whatever happens is an outcome; nothing is thrown. */
async function tryDelivery(
  { background, sender, maskCardNumbers }: DeliveryContext,
  { secrets, webhook }: Pick<Taken, 'secrets' | 'webhook'>,
  delivery: TakenDelivery,
): Promise<TriedDelivery> {
  let outcome = OUR_FAILURE;
  await background.attempt('deliver-events', async () => {
    const isCallback = webhook.callbackOrigin !== null;
    const url = (isCallback && delivery.callbackUrl) || webhook.url;
    const body = deliveryBody(delivery, isCallback);
    const message = { id: delivery.eventId, timestamp: Math.floor(Date.now() / 1000), body };
    const sent = await sender.send({ url, headers: signedHeaders(message, secrets), body });
    // What a receiver answers is stored, so it is cut, and a card number in it is masked (PCI DSS 4.0.1, 3.5.1).
    const answer = maskCardNumbers(sent.answer.replaceAll('\0', '')).slice(0, DELIVERY_ANSWER_CHARACTERS);
    outcome = { ...sent, answer };
  });
  return { delivery, outcome };
}
