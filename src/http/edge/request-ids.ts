import type { Trace } from '../../kit/work/trace.ts';

/** What every log line about a request names it by: our id, and the trace that it is part of, where the caller told one. */
export function requestIds(
  edge: { readonly sessionId: string; readonly trace: Trace | undefined } | null,
): Readonly<Record<string, string>> {
  if (edge === null) return {};
  const { sessionId, trace } = edge;
  return { sessionId, ...(trace && { traceId: trace.traceId, spanId: trace.spanId }) };
}
