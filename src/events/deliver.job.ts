import { DELIVERY_INTERVAL_MS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import { dueWebhooks } from './due-webhooks.ts';
import type { EventJobsWorld, WebhookKey } from './events.types.ts';
import { settleTries, type TriedDelivery } from './settle-deliveries.ts';
import { takeDeliveries } from './take-deliveries.ts';
import { tryDelivery } from './try-delivery.ts';

/**
 * Starts delivering events to webhooks, on every instance. Each webhook is served on its own, so a slow one holds up no
 * other. A round that fails is logged; the next one comes.
 *
 * @returns stops it, and waits for the tries under way
 */
export function startDelivering(world: EventJobsWorld, intervalMs = DELIVERY_INTERVAL_MS): () => Promise<void> {
  const busy = new Map<string, Promise<void>>();
  const failed = (error: unknown) => world.failed('Events could not be delivered.', error);
  const stop = startRounds(intervalMs, async (isStopped) => {
    const due = await world.transact(dueWebhooks).catch(failed);
    for (const key of due ?? []) {
      const { webhookId } = key;
      if (busy.has(webhookId)) continue;
      const work = deliverAll(world, key, isStopped).catch(failed);
      busy.set(
        webhookId,
        work.finally(() => busy.delete(webhookId)),
      );
    }
  });
  return async () => {
    await stop();
    await Promise.all(busy.values());
    world.sender.close();
  };
}

/** Delivers to one webhook as long as something is due. */
export async function deliverAll(world: EventJobsWorld, key: WebhookKey, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const taken = await world.transact((transaction) => takeDeliveries(transaction, world, key));
    if (taken === undefined) return;
    const tries: Promise<TriedDelivery>[] = [];
    for (const delivery of taken.deliveries) {
      tries.push(tryDelivery(world, taken, delivery));
      // To sign and send all of them in one turn would hold up those who pay.
      await new Promise(setImmediate);
    }
    const tried = await Promise.all(tries);
    await world.transact((transaction) => settleTries(transaction, key, tried));
  }
}
