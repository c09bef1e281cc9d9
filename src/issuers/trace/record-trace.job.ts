import type { JobContext } from '../../db/job-context.types.ts';
import { FORGET_INTERVAL_MS } from '../../kit/limits.ts';
import { forgetTrace } from './keep-trace.ts';
import { type TraceBuffer, writeTrace } from './trace-buffer.flow.ts';

/** Milliseconds between two writes: what the trace lags behind. */
const KEEP_INTERVAL_MS = 1_000;

/** What the job needs. */
export interface TracingContext extends JobContext {
  /** For how many days a message is kept; 0: none is, and those that are there go. */
  readonly days: number;
  /** Undefined where none is kept. */
  readonly buffer: TraceBuffer | undefined;
}

/**
 * Starts keeping the trace, and ending it. A write that fails loses its messages: the trace is for looking at, and proves nothing.
 *
 * @returns stops it; what passes later waits for `writeTrace`
 */
export function startRecordingTrace({ transact, background, days, buffer }: TracingContext): () => Promise<void> {
  const forgetting = background.repeat('keep-acquirer-trace', FORGET_INTERVAL_MS, async (isStopped) => {
    while ((await transact((transaction) => forgetTrace(transaction, days))) && !isStopped());
  });
  const keeping =
    buffer && background.repeat('keep-acquirer-trace', KEEP_INTERVAL_MS, () => writeTrace(transact, buffer));
  return async () => {
    await Promise.all([forgetting(), keeping?.()]);
  };
}
