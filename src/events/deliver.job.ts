import { DELIVERY_INTERVAL_MS, DELIVERY_PACE_MS, DELIVERY_PATIENCE_MS } from '../kit/limits.ts';
import { startRounds } from '../kit/rounds.ts';
import { createPatience } from '../kit/traffic.ts';
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

/**
 * Delivers to one webhook as long as something is due. Each step gives way to requests, so that nobody who pays waits for a
 * burst of events. The longer the line is, the less patience there is: what is due does not pile up where there is no quiet
 * moment at all.
 */
export async function deliverAll(world: EventJobsWorld, key: WebhookKey, isStopped: () => boolean): Promise<void> {
  for (let patienceMs = DELIVERY_PATIENCE_MS; !isStopped(); patienceMs /= 2) {
    const patience = createPatience(world.quiet, patienceMs);
    await patience.quiet();
    const taken = await world.transact((transaction) => takeDeliveries(transaction, world, key));
    if (taken === undefined) return;
    const tries: Promise<TriedDelivery>[] = [];
    for (const delivery of taken.deliveries) {
      await patience.quiet();
      const tried = tryDelivery(world, taken, delivery);
      tries.push(tried);
      await patience.done(tried, DELIVERY_PACE_MS);
    }
    const tried = await Promise.all(tries);
    await patience.quiet();
    await world.transact((transaction) => settleTries(transaction, key, tried));
  }
}
