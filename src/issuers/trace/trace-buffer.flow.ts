import type { Transact } from '../../db/transaction.types.ts';
import { keepTrace } from './keep-trace.ts';
import type { PassedTrace, TraceRow } from './trace.types.ts';

/** Messages that wait to be written: some seconds of the most that lines carry. More are counted and left out. */
const TRACED_WAITING = 5_000;

/** What a message is not about. */
const OF_NONE = { acquirerId: null, scheme: null, serverTransactionId: null, dsTransactionId: null };

/** What has passed and is not written yet. */
export interface TraceBuffer {
  /** Takes note of a message; returns at once. */
  note(passed: PassedTrace): void;
  /** All that waits; from then on nothing does. */
  take(): readonly TraceRow[];
}

/** Keeps messages in memory until they are written, all of them together: no payment waits for that. */
export function traceBuffer({ newId, now }: { readonly newId: () => string; readonly now: () => Date }): TraceBuffer {
  let waiting: TraceRow[] = [];
  let leftOut = 0;
  return {
    note(passed) {
      if (waiting.length >= TRACED_WAITING) {
        leftOut++;
        return;
      }
      waiting.push({ ...OF_NONE, ...passed, traceId: newId(), at: now().toISOString(), leftOut });
      leftOut = 0;
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}

/** Writes all that waits. */
export async function writeTrace(transact: Transact, buffer: TraceBuffer): Promise<void> {
  const rows = buffer.take();
  if (rows.length > 0) await transact((transaction) => keepTrace(transaction, rows));
}
