import { startForgetting } from '../db/forgetting.ts';
import type { JobContext } from '../db/job-context.types.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import { EVENT_CATALOGUE, EVENT_TYPES } from '../journal/events.rules.ts';
import { maskCardNumbersIn } from '../kit/cards/find-card-numbers.ts';
import { DELIVERY_FORGET_INTERVAL_MS } from '../kit/limits.ts';
import { stopAll } from '../kit/work/background.ts';
import type { composeEvents } from './compose.ts';
import { startDelivering } from './deliveries/deliver.job.ts';
import { deliveryRoutes } from './deliveries/deliveries.http.ts';
import { forgetDeliveries } from './deliveries/forget-deliveries.ts';
import { createSender } from './deliveries/sender.adapter.ts';
import { feedRoutes } from './feed/feed.http.ts';
import { EventObject } from './feed/feed.wire.ts';
import { startSequencing } from './feed/sequence-events.job.ts';
import { webhookRoutes } from './webhooks/webhooks.http.ts';

type Events = ReturnType<typeof composeEvents>;

/** The feed, webhooks and their deliveries; and what webhooks are posted. */
export function routes({ context }: Events, given: RouteGiven) {
  return {
    apiRoutes: [...feedRoutes(context, given), ...webhookRoutes(context, given), ...deliveryRoutes(context, given)],
    sentEvents: EVENT_TYPES.map((type) => ({ type, when: EVENT_CATALOGUE[type].when, schema: EventObject })),
  };
}

/** Numbers events, and delivers them. */
export function startJobs({ context }: Events, jobs: JobContext) {
  const sender = createSender({ allowsLoopback: context.config.mode === 'sandbox' });
  const maskCardNumbers = (text: string) => maskCardNumbersIn(text, context.cardPrefixes());
  return {
    stop: stopAll([
      startSequencing(jobs),
      startDelivering({ ...context, ...jobs, sender, maskCardNumbers }),
      startForgetting(jobs, {
        work: 'forget-deliveries',
        forget: forgetDeliveries,
        intervalMs: DELIVERY_FORGET_INTERVAL_MS,
      }),
    ]),
  };
}
