import { Counter, Gauge, type Registry } from 'prom-client';
import type { EventMeasures } from '../../events/events.types.ts';
import { BACKGROUND_WORK, type BackgroundWork, type RowSetAside } from '../../kit/work/background.ts';
import type { LastVerification } from '../../ledger/verification/health.types.ts';
import type { SettlementMeasures } from '../../settlements/measure-settlements.ts';

/** What the database is asked for at each scrape. */
export interface DatabaseMeasures {
  /** How long the oldest attempt at an external issuer has been open. */
  readonly attemptSeconds: () => Promise<number>;
  /** How long the commit that waits longest for a synchronous standby has waited. */
  readonly standbyWaitSeconds: () => Promise<number>;
  /** How long the snapshot that is held longest has been held. */
  readonly snapshotSeconds: () => Promise<number>;
  /** What the last `kontor ledger verify` found; undefined before the first one. */
  readonly lastVerification: () => Promise<LastVerification | undefined>;
  /** How far the payee that has come furthest is through the numbers of payments: 0 to 1. */
  readonly numbersUsed: () => Promise<number>;
  /** How long the oldest current key of the ring has been in use. */
  readonly oldestKeySeconds: () => Promise<number>;
  /** How many seconds the row that waits longest for each of some kinds of background work is overdue. */
  readonly overdueSeconds: () => Promise<readonly (readonly [work: BackgroundWork, seconds: number])[]>;
  /** What of settlement waits for people. */
  readonly settlements: () => Promise<SettlementMeasures>;
}

/** Metrics that are read from the database. While it is away there is no answer, and no number. */
export function watchDatabase(registry: Registry, measures: DatabaseMeasures): void {
  const { attemptSeconds, standbyWaitSeconds, lastVerification, numbersUsed, oldestKeySeconds, settlements } = measures;
  const watch = (name: string, help: string, measure: () => Promise<number | undefined>) =>
    new Gauge({
      name,
      help,
      aggregator: 'max',
      registers: [registry],
      async collect() {
        const value = await measure().catch(() => undefined);
        // Not `reset`: that would say 0, as if all were well.
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  watch(
    'kontor_issuer_attempt_oldest_seconds',
    'How long the oldest attempt at an external issuer waits for an answer, or to be taken back.',
    attemptSeconds,
  );
  watch(
    'kontor_database_standby_wait_seconds',
    'How long the commit that waits longest for a synchronous standby has waited.',
    standbyWaitSeconds,
  );
  watch(
    'kontor_database_oldest_snapshot_seconds',
    'How long the snapshot of the database that is held longest has been held.',
    measures.snapshotSeconds,
  );
  watch(
    'kontor_ledger_verified_age_seconds',
    'How long ago the books were as the last kontor ledger verify saw them.',
    async () => (await lastVerification())?.ageSeconds,
  );
  watch(
    'kontor_ledger_broken_invariants',
    'Invariants of the ledger that the last kontor ledger verify found broken.',
    async () => (await lastVerification())?.broken,
  );
  watch(
    'kontor_key_oldest_age_seconds',
    'How long the oldest current key of the ring that can be rotated has been in use.',
    oldestKeySeconds,
  );
  watch(
    'kontor_payment_numbers_used_ratio',
    'How far the payee that has come furthest is through the numbers of payments.',
    numbersUsed,
  );
  watch(
    'kontor_settlement_open_differences',
    'What our books and acquirers do not agree on, and no person has ended yet.',
    async () => (await settlements()).openDifferences,
  );
  watch(
    'kontor_settlement_untold_days',
    'Closed days whose totals the acquirer has not answered for more than an hour.',
    async () => (await settlements()).untoldDays,
  );
  watch(
    'kontor_settlement_pressing_disputes',
    'Open disputes whose last day for an answer is less than three days away, or over.',
    async () => (await settlements()).pressingDisputes,
  );
  watchOverdue(registry, measures.overdueSeconds);
}

/** How long what piles up has waited. While the database is away there is no answer, and no number. */
function watchOverdue(registry: Registry, measure: DatabaseMeasures['overdueSeconds']): void {
  new Gauge({
    name: 'kontor_background_overdue_seconds',
    help: 'How long the row that waits longest for a kind of background work is overdue.',
    aggregator: 'max',
    labelNames: ['work'] as const,
    registers: [registry],
    async collect() {
      this.reset();
      for (const [work, seconds] of await measure().catch(() => [])) this.set({ work }, seconds);
    },
  });
}

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
    aggregator: 'max',
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

/** How events stand. While the database is away there is no answer, and no number. */
export function watchEvents(registry: Registry, measure: () => Promise<EventMeasures>): void {
  const registers = [registry];
  const suspended = new Gauge({
    name: 'kontor_webhooks_suspended',
    help: 'Webhooks that have taken nothing for a whole series of tries.',
    aggregator: 'max',
    registers,
  });
  const givenUp = new Gauge({
    name: 'kontor_event_deliveries_given_up',
    help: 'Deliveries that were given up in the last day.',
    aggregator: 'max',
    registers,
  });
  new Gauge({
    name: 'kontor_event_oldest_seconds',
    help: 'How long the oldest has waited: of an event for its position in the feed, of a delivery to be taken.',
    aggregator: 'max',
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
