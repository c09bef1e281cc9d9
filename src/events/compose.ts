import type { Config } from '../config.ts';
import { startForgetting } from '../db/forgetting.ts';
import type { Database } from '../db/server/open-database.ts';
import { EVENT_CATALOGUE, EVENT_TYPES } from '../journal/events.rules.ts';
import type { CardPrefixes } from '../kit/cards/card-number.ts';
import { maskCardNumbersIn } from '../kit/cards/find-card-numbers.ts';
import { DELIVERY_FORGET_INTERVAL_MS } from '../kit/limits.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { EventJobsContext, EventRoutesOptions, EventsContext, EventsService } from './events.types.ts';
import { SIGNING_SECRET_USE } from './webhooks/signing-secrets.ts';

/** What events are composed of. */
export interface EventsParts extends Omit<EventsContext, 'mode'> {
  readonly config: Pick<Config, 'mode'>;
  readonly database: Pick<Database, 'read' | 'transact' | 'background'>;
  readonly cardPrefixes: () => CardPrefixes;
}

/** Composes events: the feed, webhooks, and the jobs that deliver. */
export function composeEvents({ config, database, keyRing, newId, cardPrefixes }: EventsParts) {
  const context: EventsContext = { mode: config.mode, keyRing, newId };
  return {
    keyUses: [SIGNING_SECRET_USE],
    routes: async ({ baseUrl }: Pick<EventRoutesOptions, 'baseUrl'>) => {
      const [{ feedRoutes }, { EventObject }, { webhookRoutes }, { deliveryRoutes }] = await Promise.all([
        import('./feed/feed.http.ts'),
        import('./feed/feed.wire.ts'),
        import('./webhooks/webhooks.http.ts'),
        import('./deliveries/deliveries.http.ts'),
      ]);
      const options = { transact: database.transact, read: database.read, baseUrl, context };
      return {
        apiRoutes: [...feedRoutes(options), ...webhookRoutes(options), ...deliveryRoutes(options)],
        sentEvents: EVENT_TYPES.map((type) => ({ type, when: EVENT_CATALOGUE[type].when, schema: EventObject })),
      };
    },
    startJobs: async (given: Omit<EventJobsContext, 'keyRing' | 'sender' | 'maskCardNumbers'>) => {
      const [{ startSequencing }, { startDelivering }, { createSender }, { forgetDeliveries }] = await Promise.all([
        import('./feed/sequence-events.job.ts'),
        import('./deliveries/deliver.job.ts'),
        import('./deliveries/sender.adapter.ts'),
        import('./deliveries/forget-deliveries.ts'),
      ]);
      const sender = createSender({ allowsLoopback: config.mode === 'sandbox' });
      const maskCardNumbers = (text: string) => maskCardNumbersIn(text, cardPrefixes());
      const stops = [
        startSequencing(given),
        startDelivering({ ...given, keyRing, sender, maskCardNumbers }),
        startForgetting(given, {
          work: 'forget-deliveries',
          forget: forgetDeliveries,
          intervalMs: DELIVERY_FORGET_INTERVAL_MS,
        }),
      ];
      return { stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
    },
    commands: {
      events: (): EventsService => {
        const { read, transact } = database.background;
        return {
          read,
          transact,
          events: context,
          whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
        };
      },
    },
  };
}
