import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { BatchObserver, QueueStats } from '../../db/batch/batch.types.ts';
import type { LedgerAges } from '../../ledger/verification/health.types.ts';

/** Upper bounds in seconds: from a statement in memory to a commit that met its time-out. */
const FLIGHT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
/** Powers of two up to the largest batch. */
const SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Metrics of the batches of money: how large, how long by flight, and what went another way than usual. */
export function batchObserver(registry: Registry): BatchObserver {
  const size = new Histogram({
    name: 'kontor_money_batch_commands',
    help: 'Commands of money in one committed batch.',
    buckets: SIZE_BUCKETS,
    registers: [registry],
  });
  const flights = new Histogram({
    name: 'kontor_money_batch_flight_seconds',
    help: 'Time of a committed batch by flight: beginning (claims, locks, loads), deciding, committing (writes, disk and standby).',
    labelNames: ['flight'] as const,
    buckets: FLIGHT_BUCKETS,
    registers: [registry],
  });
  for (const flight of ['beginning', 'deciding', 'committing']) flights.zero({ flight });
  const count = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  const leftOut = count('kontor_money_left_out_total', 'Commands that left a batch because of a lock elsewhere.');
  const split = count('kontor_money_split_total', 'Commands whose batch failed, so that each ran again on its own.');
  const unknown = count('kontor_money_unknown_total', 'Commands whose commit was not confirmed and was asked after.');
  return {
    committed(times) {
      size.observe(times.size);
      flights.observe({ flight: 'beginning' }, times.beginMs / 1000);
      flights.observe({ flight: 'deciding' }, times.decideMs / 1000);
      flights.observe({ flight: 'committing' }, times.commitMs / 1000);
    },
    leftOut: (commands) => leftOut.inc(commands),
    split: (commands) => split.inc(commands),
    unknown: (commands) => unknown.inc(commands),
  };
}

/** The queue of money: how long it is, and how long its oldest command has waited. */
export function watchQueue(registry: Registry, stats: () => QueueStats): void {
  const length = new Gauge({
    name: 'kontor_money_queue_commands',
    help: 'Commands of money that wait for their turn.',
    registers: [registry],
    collect() {
      const now = stats();
      length.set(now.length);
      oldest.set(now.oldestMs / 1000);
    },
  });
  const oldest = new Gauge({
    name: 'kontor_money_queue_oldest_seconds',
    help: 'How long the oldest of them has waited.',
    aggregator: 'max',
    registers: [registry],
  });
}

/** How long the oldest things of the ledger have waited. While the database is away there is no answer, and no number. */
export function watchLedger(registry: Registry, measure: () => Promise<LedgerAges>): void {
  new Gauge({
    name: 'kontor_ledger_oldest_seconds',
    help: 'How long the oldest has waited: of a hold since its time was over.',
    aggregator: 'max',
    labelNames: ['of'] as const,
    registers: [registry],
    async collect() {
      this.reset();
      const ages = await measure().catch(() => undefined);
      if (ages === undefined) return;
      this.set({ of: 'overdue-hold' }, ages.overdueHoldSeconds);
    },
  });
}
