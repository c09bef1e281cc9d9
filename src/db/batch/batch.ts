import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../kit/errors.ts';
import { besideAnother } from '../reading/beside.ts';
import { AFTER_STALE } from '../retry.ts';
import { isLockTimeout, isStale, unavailable, withoutEffect } from '../server/failures.ts';
import type { Pool } from '../server/pool.ts';
import type { Batch, BatchLimits, BatchObserver, BatchProgram, QueuedCommand } from './batch.types.ts';
import { addKeys, BatchQueue, type Waiting } from './batch-queue.ts';
import { type BatchOutcome, runBatch, type Verdict } from './batch-run.ts';

/** Longest pause before an unknown commit is asked after again, in milliseconds. */
const BATCH_UNKNOWN_PAUSE_MS = 250;

/** What a batch engine is made of. */
export interface BatchOptions<Command extends QueuedCommand, Workspace, Result> {
  /** Its own, with `plans: 'index'` and a connection for each lane, the patient ones too. */
  readonly pool: Pool;
  readonly program: BatchProgram<Command, Workspace, Result>;
  readonly limits: BatchLimits;
  readonly observer: BatchObserver;
}

/**
 * Makes the engine that writes commands in groups. While a batch is being written the next one gathers; a command that comes
 * alone goes at once.
 */
export function makeBatch<Command extends QueuedCommand, Workspace, Result>(
  options: BatchOptions<Command, Workspace, Result>,
): Batch<Command, Result> {
  const { limits, observer } = options;
  const queue = new BatchQueue<Command, Result>(limits);
  const mayBeginBeside = besideAnother(limits.batchSize, fillLanes);
  /** The keys of each batch that is under way. */
  let underWay: readonly ReadonlySet<string>[] = [];
  const busy = { has: (key: string) => underWay.some((keys) => keys.has(key)) };
  let lanes = 0;
  let patient = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    // After all sockets that are ready have been read: what they bring travels together.
    setImmediate(() => {
      isScheduled = false;
      fillLanes();
    });
  }

  function fillLanes(): void {
    while (patient < limits.patientLanes) {
      const group = queue.takePatient(busy);
      if (group.length === 0) break;
      patient++;
      void occupy(group, true).finally(() => patient--);
    }
    const mayRideAlong = patient === limits.patientLanes;
    while (lanes < limits.lanes && mayBegin()) {
      const group = queue.take({ busy, now: performance.now(), mayRideAlong, refuse: refuseOld });
      if (group.length === 0) break;
      lanes++;
      void occupy(group, false).finally(() => lanes--);
    }
  }

  function mayBegin(): boolean {
    if (lanes === 0) return true;
    const { length, oldestMs } = queue.stats(performance.now());
    return mayBeginBeside(length, () => oldestMs);
  }

  /** Runs a group, and keeps its keys from all others meanwhile. */
  async function occupy(group: readonly Waiting<Command, Result>[], wait: boolean): Promise<void> {
    const keys = new Set<string>();
    for (const waiting of group) addKeys(keys, waiting);
    underWay = [...underWay, keys];
    const leftOut = await runToTheEnd(options, group, { wait, giveUpAt: performance.now() + limits.unknownMs });
    underWay = underWay.filter((one) => one !== keys);
    if (leftOut.length > 0) observer.leftOut(leftOut.length);
    queue.putBack(leftOut);
    schedule();
  }

  return {
    submit: (command) =>
      new Promise((resolve, reject) => {
        const since = performance.now();
        queue.add({ command, resolve, reject, since, rounds: 0, mayHaveCommitted: false });
        schedule();
      }),
    stats: () => queue.stats(performance.now()),
  };
}

function refuseOld<Command, Result>(waiting: Waiting<Command, Result>): void {
  waiting.reject(honest(waiting, unavailable('The work waited too long for its turn.')));
}

/** How a group runs. */
interface Run {
  /** Whether it waits for locks. */
  readonly wait: boolean;
  /** When to stop asking after an unknown commit, in milliseconds of a clock that does not jump. */
  readonly giveUpAt: number;
}

/**
 * Runs a group until the fate of each of its commands is settled, or known to be unknown.
 *
 * @returns those that must wait for a lock
 */
async function runToTheEnd<Command extends QueuedCommand, Workspace, Result>(
  options: BatchOptions<Command, Workspace, Result>,
  group: readonly Waiting<Command, Result>[],
  run: Run,
): Promise<Waiting<Command, Result>[]> {
  const commands = group.map(({ command }) => command);
  for (let attempt = 1; ; attempt++) {
    const outcome = await runBatch(options.pool, options.program, commands, run.wait);
    if (outcome.kind === 'committed') return settleAll(options.observer, group, outcome);
    if (outcome.kind === 'failed' && isStale(outcome.error) && attempt <= AFTER_STALE.retries) continue;
    if (outcome.kind === 'failed') {
      // All of them lock the same: apart they would wait for it one after the other.
      const waitedInVain = run.wait && isLockTimeout(outcome.error);
      return waitedInVain ? giveUp(group, outcome.error) : runApart(options, group, { error: outcome.error, run });
    }
    if (outcome.kind === 'lost') {
      options.observer.unknown(group.length);
      if (outcome.commitWasSent) for (const waiting of group) waiting.mayHaveCommitted = true;
    }
    const isHopeless = outcome.kind === 'away' && !group.some(({ mayHaveCommitted }) => mayHaveCommitted);
    if (isHopeless || performance.now() > run.giveUpAt) return giveUp(group, outcome.error);
    await pause(Math.random() * Math.min(BATCH_UNKNOWN_PAUSE_MS, 10 * 2 ** attempt));
  }
}

function giveUp<Command, Result>(group: readonly Waiting<Command, Result>[], error: unknown): [] {
  for (const waiting of group) waiting.reject(honest(waiting, withoutEffect(error)));
  return [];
}

/** Gives each caller its answer. A command that was left out waits for another batch. */
function settleAll<Command extends QueuedCommand, Result>(
  observer: BatchObserver,
  group: readonly Waiting<Command, Result>[],
  { verdicts, times }: Extract<BatchOutcome<Command, Result>, { kind: 'committed' }>,
): Waiting<Command, Result>[] {
  observer.committed(times);
  return group.filter((waiting) => {
    const verdict: Verdict<Result> | undefined = verdicts.get(waiting.command);
    if (verdict === undefined) {
      waiting.rounds++;
      return true;
    }
    if ('error' in verdict) waiting.reject(verdict.error);
    else waiting.resolve(verdict.result);
    return false;
  });
}

/**
 * Runs each command in a batch of its own, once: who fails alone gets the error, and the others lose nothing but time.
 * Where even that takes too long, because each one waits for the same, the rest is refused.
 */
async function runApart<Command extends QueuedCommand, Workspace, Result>(
  options: BatchOptions<Command, Workspace, Result>,
  group: readonly Waiting<Command, Result>[],
  { error, run }: { readonly error: unknown; readonly run: Run },
): Promise<Waiting<Command, Result>[]> {
  if (group.length === 1) return giveUp(group, error);
  options.observer.split(group.length);
  const leftOut: Waiting<Command, Result>[] = [];
  for (const waiting of group) {
    if (performance.now() > run.giveUpAt) giveUp([waiting], unavailable('The work took too long to begin.', error));
    else leftOut.push(...(await runToTheEnd(options, [waiting], run)));
  }
  return leftOut;
}

/** Who may have committed is never told that nothing was done. */
function honest({ mayHaveCommitted }: { readonly mayHaveCommitted: boolean }, error: unknown): unknown {
  return mayHaveCommitted
    ? new Refusal('systemerror', 'It is not known whether the change was stored.', { cause: error })
    : error;
}
