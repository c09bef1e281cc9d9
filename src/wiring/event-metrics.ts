import { Gauge, type Registry } from 'prom-client';
import type { EventMeasures } from '../events/events.types.ts';

/** How events stand. While the database is away there is no answer, and no number. */
export function watchEvents(registry: Registry, measure: () => Promise<EventMeasures>): void {
  const registers = [registry];
  const suspended = new Gauge({
    name: 'kontor_webhooks_suspended',
    help: 'Webhooks that have taken nothing for a whole series of tries.',
    registers,
  });
  const givenUp = new Gauge({
    name: 'kontor_event_deliveries_given_up',
    help: 'Deliveries that were given up in the last day.',
    registers,
  });
  new Gauge({
    name: 'kontor_event_oldest_seconds',
    help: 'How long the oldest has waited: of an event for its position in the feed, of a delivery to be taken.',
    labelNames: ['of'] as const,
    registers,
    async collect() {
      for (const gauge of [this, suspended, givenUp]) gauge.reset();
      const measures = await measure().catch(() => undefined);
      if (measures === undefined) {
        // Not 0, as if all were well.
        for (const gauge of [suspended, givenUp]) gauge.remove();
        return;
      }
      this.set({ of: 'position' }, measures.unplacedSeconds);
      this.set({ of: 'delivery' }, measures.undeliveredSeconds);
      suspended.set(measures.suspendedWebhooks);
      givenUp.set(measures.givenUp);
    },
  });
}
