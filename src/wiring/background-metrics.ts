import { Counter, Gauge, type Registry } from 'prom-client';
import { BACKGROUND_WORK, type BackgroundWork, type RowSetAside } from '../kit/work/background.ts';

/** Counts failures of background work. All kinds are there from the start, so that the first failure shows as a rise. */
export function backgroundFailures(registry: Registry): (work: BackgroundWork) => void {
  const failures = new Counter({
    name: 'kontor_background_failures_total',
    help: 'Pieces of background work that failed and come again, by kind of work.',
    labelNames: ['work'] as const,
    registers: [registry],
  });
  for (const work of BACKGROUND_WORK) failures.inc({ work }, 0);
  return (work) => failures.inc({ work });
}

/** Rows that background work does not take any more. While the database is away there is no answer, and no number. */
export function watchSetAside(registry: Registry, measure: () => Promise<readonly Pick<RowSetAside, 'work'>[]>): void {
  new Gauge({
    name: 'kontor_background_set_aside_rows',
    help: 'Rows that background work has set aside, by kind of work: see kontor background list.',
    labelNames: ['work'] as const,
    registers: [registry],
    async collect() {
      this.reset();
      const rows = await measure().catch(() => undefined);
      if (rows === undefined) return;
      for (const work of BACKGROUND_WORK) this.set({ work }, 0);
      for (const { work } of rows) this.inc({ work });
    },
  });
}
