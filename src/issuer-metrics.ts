import { Gauge, type Registry } from 'prom-client';

/** How long the oldest attempt at an external issuer has been open. While the database is away there is no number. */
export function watchAttempts(registry: Registry, measureSeconds: () => Promise<number>): void {
  new Gauge({
    name: 'kontor_issuer_attempt_oldest_seconds',
    help: 'How long the oldest attempt at an external issuer waits for an answer, or to be taken back.',
    registers: [registry],
    async collect() {
      this.reset();
      const seconds = await measureSeconds().catch(() => undefined);
      if (seconds !== undefined) this.set(seconds);
    },
  });
}
