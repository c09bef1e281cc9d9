import type { Logger } from 'pino';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { LineFault, LinkEvents } from '../../iso8583/link/link.types.ts';
import type { LinesState } from '../../issuers/acquirers/acquirers.types.ts';
import type { OpenAttempts } from '../../issuers/issuers.types.ts';

/** Upper bounds in seconds: from the acquirer's own computer to an answer that comes too late. */
const ANSWER_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];

/** Hears what happens on the lines to acquirers. */
export interface AcquirerMetrics {
  answered(acquirer: string, actionCode: string, durationMs: number): void;
  silent(acquirer: string, because: string): void;
  late(acquirer: string): void;
  fault(acquirer: string, fault: LineFault): void;
}

/** Metrics of the lines to acquirers. */
export function acquirerMetrics(registry: Registry): AcquirerMetrics {
  const registers = [registry];
  const count = <Label extends string>(name: string, help: string, label: Label) =>
    new Counter({ name, help, labelNames: ['acquirer', label] as const, registers });
  const answers = count(
    'kontor_acquirer_answers_total',
    'Answers of acquirers by the first digit of their action code: 0 approved, 1 and 2 declined, 9 errors.',
    'class',
  );
  const silences = count(
    'kontor_acquirer_silences_total',
    'Questions to acquirers without a usable answer: the outcome is unknown, and is taken back.',
    'because',
  );
  const faults = count('kontor_acquirer_faults_total', 'What acquirers did that no host should, by kind.', 'fault');
  const late = new Counter({
    name: 'kontor_acquirer_late_answers_total',
    help: 'Answers that no question waited for any more. They change nothing.',
    labelNames: ['acquirer'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'kontor_acquirer_answer_seconds',
    help: 'Time from a question to its answer.',
    labelNames: ['acquirer'] as const,
    buckets: ANSWER_BUCKETS,
    registers,
  });
  return {
    answered(acquirer, actionCode, durationMs) {
      answers.inc({ acquirer, class: /^[0-9]/.test(actionCode) ? `${actionCode[0]}xx` : 'none' });
      seconds.observe({ acquirer }, durationMs / 1_000);
    },
    silent: (acquirer, because) => silences.inc({ acquirer, because }),
    late: (acquirer) => late.inc({ acquirer }),
    fault: (acquirer, fault) => faults.inc({ acquirer, fault }),
  };
}

/** What happens on the lines to an acquirer, for the log and the metrics. Nothing of a message is in it but its type. */
export function acquirerEvents(log: Logger, metrics: AcquirerMetrics, isSandbox: boolean) {
  return (acquirer: string): Omit<LinkEvents, 'habit'> => ({
    state(state, lost) {
      // A sandbox has its acquirer in the same process: what becomes of the line says nothing.
      if (state === 'Ready' && !isSandbox) log.info({ acquirer }, 'A line to an acquirer is ready.');
      if (state !== 'Down' || isSandbox) return;
      // One that was not lost has been told to end, by us or by the host.
      const wasTold = lost === undefined || lost.reason === 'SignedOff';
      log[wasTold ? 'info' : 'warn']({ acquirer, ...lost }, 'A line to an acquirer is down.');
    },
    answered: (actionCode, durationMs) => metrics.answered(acquirer, actionCode, durationMs),
    silent: (because) => metrics.silent(acquirer, because),
    late: () => metrics.late(acquirer),
    fault(fault, detail) {
      metrics.fault(acquirer, fault);
      log.warn({ acquirer, fault, detail }, 'An acquirer did what no host should.');
    },
    notWritable: (place) =>
      log.error({ acquirer, place }, 'A message to an acquirer was not sent: its dialect has no room for it.'),
  });
}

/** What is asked at each scrape. */
export interface AcquirerMeasures {
  readonly states: () => readonly LinesState[];
  readonly openAttempts: () => Promise<readonly OpenAttempts[]>;
}

/** How the lines are, and what acquirers have not acknowledged yet. While the database is away that has no number. */
export function watchAcquirers(registry: Registry, { states, openAttempts }: AcquirerMeasures): void {
  const registers = [registry];
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, aggregator: 'max', labelNames: ['acquirer'] as const, registers });
  new Gauge({
    name: 'kontor_acquirer_ready_connections',
    help: 'Connections of this instance to an acquirer that take questions.',
    labelNames: ['acquirer'] as const,
    registers,
    collect() {
      for (const { acquirerId, ready } of states()) this.set({ acquirer: acquirerId }, ready);
    },
  });
  const oldest = gauge('kontor_acquirer_oldest_take_back_seconds', 'How long the oldest of them has waited.');
  const unacknowledged = gauge(
    'kontor_acquirer_unacknowledged_attempts',
    'Take-backs, and forwarded cancellations and captures, that an acquirer was told more than six times.',
  );
  const forwarded = gauge(
    'kontor_acquirer_forwarded_advices',
    'Cancellations and captures that acquirers are told again.',
  );
  new Gauge({
    name: 'kontor_acquirer_open_take_backs',
    help: 'Attempts that acquirers have not taken back yet.',
    aggregator: 'max',
    labelNames: ['acquirer'] as const,
    registers,
    async collect() {
      const open = await openAttempts().catch(() => undefined);
      for (const one of [this, oldest, forwarded, unacknowledged]) one.reset();
      if (open === undefined) return;
      for (const { acquirerId: acquirer } of states()) {
        const found = open.find(({ issuerId }) => issuerId === acquirer);
        this.set({ acquirer }, found?.takeBacks ?? 0);
        oldest.set({ acquirer }, found?.oldestTakeBackSeconds ?? 0);
        unacknowledged.set({ acquirer }, found?.unacknowledged ?? 0);
        forwarded.set({ acquirer }, found?.forwarded ?? 0);
      }
    },
  });
}
