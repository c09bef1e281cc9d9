import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { BatchObserver, QueueStats } from '../../db/batch/batch.types.ts';
import type { ObserveGroup } from '../../db/reading/group-read.ts';
import type { Purpose } from '../../db/server/database.types.ts';
import type { PoolStats } from '../../db/server/pool.ts';
import type { EventMeasures } from '../../events/events.types.ts';
import type { Observation } from '../../http/edge/edge.types.ts';
import type { NoteLeftOut } from '../../issuers/authentication/three-ds.types.ts';
import { GROUP_READ_KEYS } from '../../kit/limits.ts';
import type { BackgroundWork, RowSetAside } from '../../kit/work/background.ts';
import type { LedgerAges } from '../../ledger/verification/health.types.ts';
import type { GuessingListener } from '../../orders/guessing/guessing.types.ts';
import type { CardTestingListener } from '../../payments/card-testing.types.ts';
import type { PolicyReportListener } from '../../payments/page-integrity/policy-reports.http.ts';
import type { SignInListener } from '../../portal-users/portal-users.types.ts';
import { metricsOfAll } from '../processes.ts';
import { type AcquirerMeasures, type AcquirerMetrics, acquirerMetrics, watchAcquirers } from './acquirer-metrics.ts';
import { batchObserver, watchLedger, watchQueue } from './batch-metrics.ts';
import {
  backgroundFailures,
  type DatabaseMeasures,
  watchDatabase,
  watchEvents,
  watchSetAside,
} from './database-metrics.ts';
import { guessingMetrics } from './guessing-metrics.ts';
import { cardTestingMetrics, policyReportMetrics } from './page-metrics.ts';
import { countDurations } from './request-durations.ts';
import { signInMetrics } from './sign-in-metrics.ts';
import { leftOutMetrics } from './three-ds-metrics.ts';

/** Upper bounds in keys: from a read that went alone to the most that one statement takes. */
const GROUP_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, GROUP_READ_KEYS];

export interface Metrics {
  /** Counts a finished request. */
  readonly observe: (observation: Observation) => void;
  /** Counts a failure of background work. */
  countFailure(work: BackgroundWork): void;
  /** Asks at each scrape what background work has set aside. */
  watchSetAside(measure: () => Promise<readonly Pick<RowSetAside, 'work'>[]>): void;
  /** Counts a grouped read. */
  readonly observeGroup: ObserveGroup;
  /** Takes from here at each scrape how many lines of the log were dropped. */
  watchLog(dropped: () => number): void;
  /** Takes the pools' state from here at each scrape. */
  watchPools(stats: () => Readonly<Record<Purpose, PoolStats>>): void;
  /** Counts how batches of money go. */
  readonly observer: BatchObserver;
  /** Takes the state of the queue of money from here at each scrape. */
  watchQueue(stats: () => QueueStats): void;
  /** Asks the ledger at each scrape what has waited too long. */
  watchLedger(measure: () => Promise<LedgerAges>): void;
  /** Asks at each scrape how events stand between happening and being delivered. */
  watchEvents(measure: () => Promise<EventMeasures>): void;
  /** Asks the database at each scrape for what it alone knows. */
  watchDatabase(measures: DatabaseMeasures): void;
  /** Hears what happens on the lines to acquirers. */
  readonly acquirers: AcquirerMetrics;
  /** Counts entries of gift cards on payment pages. */
  readonly guessing: GuessingListener;
  /** Counts what is left out of messages of 3-D Secure. */
  readonly leftOut: NoteLeftOut;
  /** Counts sign-ins to the portal. */
  readonly signIns: SignInListener;
  /** Counts where stolen cards are tried. */
  readonly cardTesting: CardTestingListener;
  /** Counts what browsers refused on payment pages. */
  readonly policyReports: PolicyReportListener;
  /** Asks at each scrape how the lines to acquirers are. */
  watchAcquirers(measures: AcquirerMeasures): void;
  /** Tells until when certificates are valid, in place of what was told of them before. */
  tellCertificates(certificates: readonly { readonly name: string; readonly to: string }[]): void;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** The metrics of a service: requests by route and status, pools, event loop, memory; of all its processes together. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    observe: countDurations(registry),
    countFailure: backgroundFailures(registry),
    watchSetAside: (measure) => watchSetAside(registry, measure),
    observeGroup: countGroups(registry),
    watchLog: (dropped) => watchLog(registry, dropped),
    watchPools: (stats) => watchPools(registry, stats),
    observer: batchObserver(registry),
    watchQueue: (stats) => watchQueue(registry, stats),
    watchLedger: (measure) => watchLedger(registry, measure),
    watchEvents: (measure) => watchEvents(registry, measure),
    watchDatabase: (measures) => watchDatabase(registry, measures),
    acquirers: acquirerMetrics(registry),
    leftOut: leftOutMetrics(registry),
    guessing: guessingMetrics(registry),
    signIns: signInMetrics(registry),
    cardTesting: cardTestingMetrics(registry),
    policyReports: policyReportMetrics(registry),
    watchAcquirers: (measures) => watchAcquirers(registry, measures),
    tellCertificates: certificateMetrics(registry),
    text: metricsOfAll(registry),
    contentType: registry.contentType,
  };
}

/** Counts the look-ups that travel in one statement, by statement. */
function countGroups(registry: Registry): ObserveGroup {
  const groups = new Histogram({
    name: 'kontor_read_batch_keys',
    help: 'Look-ups that travelled in one statement, by statement: how well reads are gathered.',
    labelNames: ['statement'] as const,
    buckets: GROUP_BUCKETS,
    registers: [registry],
  });
  return (statement, keys) => groups.observe({ statement }, keys);
}

function certificateMetrics(registry: Registry): Metrics['tellCertificates'] {
  const gauge = new Gauge({
    name: 'kontor_certificate_expires_timestamp_seconds',
    help: 'When a certificate expires, in seconds since 1970.',
    aggregator: 'min',
    labelNames: ['certificate'] as const,
    registers: [registry],
  });
  return (certificates) => {
    for (const { name, to } of certificates) gauge.set({ certificate: name }, Date.parse(to) / 1_000);
  };
}

function watchLog(registry: Registry, dropped: () => number): void {
  new Counter({
    name: 'kontor_log_dropped_lines_total',
    help: 'Lines of the log that were dropped because the reader of the standard output stood still.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(dropped());
    },
  });
}

function watchPools(registry: Registry, stats: () => Readonly<Record<Purpose, PoolStats>>): void {
  new Gauge({
    name: 'kontor_database_connections',
    help: 'Connections to the database, by pool and state; waiting are requests for one.',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
    collect() {
      for (const [pool, { open, idle, waiting }] of Object.entries(stats())) {
        this.set({ pool, state: 'busy' }, open - idle);
        this.set({ pool, state: 'idle' }, idle);
        this.set({ pool, state: 'waiting' }, waiting);
      }
    },
  });
}
