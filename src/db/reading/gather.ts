import { assert } from '../../kit/assert.ts';
import { Refusal } from '../../kit/errors.ts';
import { inGroups } from '../rows/in-groups.ts';
import { unavailable } from '../server/failures.ts';
import type { Gathered, Transact, WorkTogether } from '../transaction.types.ts';

/** Transactions of one kind of gathered work that are under way at once. */
export const GATHERINGS_IN_FLIGHT = 2;
/** Jobs that travel in one transaction. */
const GATHERED_JOBS = 64;
/** Jobs that may wait for their turn before further ones are answered 503. */
export const GATHERED_WAITING = 1000;

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes work that gathers: jobs that arrive while the event loop goes round once, or while earlier transactions are under way,
 * share one. Money goes through batches, which keep commands that lock the same
 * apart; here the work takes its locks itself, in one order for all.
 */
export function makeGather<Job, Result>(transact: Transact, work: WorkTogether<Job, Result>): Gathered<Job, Result> {
  const waiting: Waiting<Job, Result>[] = [];
  const schedule = inGroups({
    inFlight: GATHERINGS_IN_FLIGHT,
    size: GATHERED_JOBS,
    length: () => waiting.length,
    send: () => doAll(transact, work, waiting.splice(0, GATHERED_JOBS)),
  });
  return (job) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= GATHERED_WAITING) throw unavailable('Too much work is waiting.');
      waiting.push({ job, resolve, reject });
      schedule();
    });
}

/** Does a group; where it fails for another reason than the database, each job by itself: who fails alone gets the error. */
async function doAll<Job, Result>(
  transact: Transact,
  work: WorkTogether<Job, Result>,
  group: readonly Waiting<Job, Result>[],
): Promise<void> {
  try {
    const results = await transact((transaction) =>
      work(
        transaction,
        group.map(({ job }) => job),
      ),
    );
    assert(results.length === group.length, 'each job has its result');
    group.forEach(({ resolve }, index) => {
      resolve(results[index] as Result);
    });
  } catch (error) {
    if (group.length === 1 || error instanceof Refusal) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const one of group) await doAll(transact, work, [one]);
  }
}
