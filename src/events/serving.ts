import { startForgetting } from '../db/forgetting.ts';
import { EVENT_CATALOGUE, EVENT_TYPES } from '../journal/events.rules.ts';
import { maskCardNumbersIn } from '../kit/cards/find-card-numbers.ts';
import { DELIVERY_FORGET_INTERVAL_MS } from '../kit/limits.ts';
import { stopAll } from '../kit/work/background.ts';
import type { composeEvents } from './compose.ts';
import { startDelivering } from './deliveries/deliver.job.ts';
import { deliveryRoutes } from './deliveries/deliveries.http.ts';
import { forgetDeliveries } from './deliveries/forget-deliveries.ts';
import { createSender } from './deliveries/sender.adapter.ts';
import type { EventJobsContext, EventRoutesOptions } from './events.types.ts';
import { feedRoutes } from './feed/feed.http.ts';
import { EventObject } from './feed/feed.wire.ts';
import { startSequencing } from './feed/sequence-events.job.ts';
import { webhookRoutes } from './webhooks/webhooks.http.ts';

type Events = ReturnType<typeof composeEvents>;

/** The feed, webhooks and their deliveries; and what webhooks are posted. */
export function routes({ context, database }: Events, { baseUrl }: Pick<EventRoutesOptions, 'baseUrl'>) {
  const options = { transact: database.transact, read: database.read, baseUrl, context };
  return {
    apiRoutes: [...feedRoutes(options), ...webhookRoutes(options), ...deliveryRoutes(options)],
    sentEvents: EVENT_TYPES.map((type) => ({ type, when: EVENT_CATALOGUE[type].when, schema: EventObject })),
  };
}

/** Numbers events, and delivers them. */
export function startJobs(
  { context: { mode, keyRing }, cardPrefixes }: Events,
  given: Omit<EventJobsContext, 'keyRing' | 'sender' | 'maskCardNumbers'>,
) {
  const sender = createSender({ allowsLoopback: mode === 'sandbox' });
  const maskCardNumbers = (text: string) => maskCardNumbersIn(text, cardPrefixes());
  return {
    stop: stopAll([
      startSequencing(given),
      startDelivering({ ...given, keyRing, sender, maskCardNumbers }),
      startForgetting(given, {
        work: 'forget-deliveries',
        forget: forgetDeliveries,
        intervalMs: DELIVERY_FORGET_INTERVAL_MS,
      }),
    ]),
  };
}
