import { Gauge, type Registry } from 'prom-client';
import type { LastVerification } from '../ledger/verification/health.types.ts';

/** What the database is asked for at each scrape. */
export interface DatabaseMeasures {
  /** How long the oldest attempt at an external issuer has been open. */
  readonly attemptSeconds: () => Promise<number>;
  /** How long the commit that waits longest for a synchronous standby has waited. */
  readonly standbyWaitSeconds: () => Promise<number>;
  /** What the last `kontor ledger verify` found; undefined before the first one. */
  readonly lastVerification: () => Promise<LastVerification | undefined>;
  /** How far the payee that has come furthest is through the numbers of payments: 0 to 1. */
  readonly numbersUsed: () => Promise<number>;
}

/** Metrics that are read from the database. While it is away there is no answer, and no number. */
export function watchDatabase(registry: Registry, measures: DatabaseMeasures): void {
  const { attemptSeconds, standbyWaitSeconds, lastVerification, numbersUsed } = measures;
  const watch = (name: string, help: string, measure: () => Promise<number | undefined>) =>
    new Gauge({
      name,
      help,
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
    'kontor_payment_numbers_used_ratio',
    'How far the payee that has come furthest is through the numbers of payments.',
    numbersUsed,
  );
}
