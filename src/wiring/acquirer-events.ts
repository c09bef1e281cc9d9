import type { Logger } from 'pino';
import type { LinkEvents } from '../iso8583/link/link.types.ts';
import type { AcquirerMetrics } from './acquirer-metrics.ts';

/** What happens on the lines to an acquirer, for the log and the metrics. Nothing of a message is in it but its type. */
export function acquirerEvents(log: Logger, metrics: AcquirerMetrics, isSandbox: boolean) {
  return (acquirer: string): LinkEvents => ({
    state(state, cause) {
      // A sandbox has its acquirer in the same process: what becomes of the line says nothing.
      if (state === 'Ready' && !isSandbox) log.info({ acquirer }, 'A line to an acquirer is ready.');
      if (state !== 'Down' || isSandbox) return;
      // One that just ended has been told to, by us or by the host.
      log[cause === '' ? 'info' : 'warn']({ acquirer, cause }, 'A line to an acquirer is down.');
    },
    answered: (actionCode, durationMs) => metrics.answered(acquirer, actionCode, durationMs),
    silent: (because) => metrics.silent(acquirer, because),
    late: () => metrics.late(acquirer),
    fault(fault, detail) {
      metrics.fault(acquirer, fault);
      log.warn({ acquirer, fault, detail }, 'An acquirer did what no host should.');
    },
  });
}
