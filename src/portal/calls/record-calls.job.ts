import { OPERATOR } from '../../kit/ids.ts';
import { FORGET_CALLS_INTERVAL_MS } from '../../kit/portal-limits.ts';
import type { CallSink } from '../../kit/work/finished-call.ts';
import { selectNextCaller } from './calls.store.ts';
import type { MaskedCall, RecordingContext } from './calls.types.ts';
import { forgetCalls, forgetGaps, keepCalls } from './keep-calls.ts';
import { maskCall } from './mask-call.ts';

/** Calls that one instance keeps in a second for the payees' logs; above it failed ones alone are kept. */
export const LOGGED_CALLS_PER_SECOND = 50;
/** Calls that wait to be written: some seconds of them. More are counted and left out. */
export const LOGGED_CALLS_WAITING = 500;
/** Milliseconds between two writes of calls: what a log lags behind. */
const LOGGED_CALLS_INTERVAL_MS = 1_000;
/** Milliseconds that such a write waits for a moment without requests. */
const LOGGED_CALLS_PATIENCE_MS = 100;

/** Keeps calls for the payees' logs, beside the requests. */
export interface CallRecorder extends CallSink {
  /** Writes what waits, and ends. */
  stop(): Promise<void>;
}

/**
 * Starts keeping calls. A request costs a look at two numbers; so many a second are masked at once, in memory, and written
 * together a moment later. Above that failed ones alone are kept, and the others are counted. A write that fails
 * loses its calls: the log is for looking at, and proves nothing.
 */
export function startRecordingCalls(context: RecordingContext): CallRecorder {
  const { transact, newId, now, maskCardNumbers, quiet, background } = context;
  let waiting: MaskedCall[] = [];
  let skipped = new Map<string, number>();
  let second = 0;
  let inSecond = 0;

  const write = async (): Promise<void> => {
    if (waiting.length === 0 && skipped.size === 0) return;
    const calls = waiting;
    const counts = [...skipped].map(([payeeId, count]) => ({ payeeId: payeeId as MaskedCall['payeeId'], count }));
    waiting = [];
    skipped = new Map();
    await quiet(LOGGED_CALLS_PATIENCE_MS);
    await transact((transaction) => keepCalls(transaction, { calls, skipped: counts }));
  };
  const stopWriting = background.repeat('keep-calls', LOGGED_CALLS_INTERVAL_MS, write);
  const stopForgetting = background.repeat('forget-calls', FORGET_CALLS_INTERVAL_MS, (isStopped) =>
    forgetAll(context, isStopped),
  );
  return {
    wants({ payeeId, status }) {
      const present = Math.floor(now() / 1000);
      if (present !== second) {
        second = present;
        inSecond = 0;
      }
      inSecond += 1;
      const hasRoom = waiting.length < LOGGED_CALLS_WAITING;
      if (hasRoom && (inSecond <= LOGGED_CALLS_PER_SECOND || status >= 400)) return true;
      skipped.set(payeeId, (skipped.get(payeeId) ?? 0) + 1);
      return false;
    },
    note(call) {
      // The caller who gets the answer has nothing to do with what its log cannot take.
      void background.attempt('keep-calls', async () => {
        waiting.push(maskCall(call, { callId: newId(), maskCardNumbers }));
      });
    },
    async stop() {
      await Promise.all([stopWriting(), stopForgetting()]);
      await background.attempt('keep-calls', write);
    },
  };
}

async function forgetAll({ read, transact, hours }: RecordingContext, isStopped: () => boolean): Promise<void> {
  await transact(forgetGaps);
  let payeeId = await selectNextCaller(read, OPERATOR);
  while (payeeId !== undefined && !isStopped()) {
    const present = payeeId;
    const hadSome = await transact((transaction) => forgetCalls(transaction, present, hours));
    if (!hadSome) payeeId = await selectNextCaller(read, present);
  }
}
