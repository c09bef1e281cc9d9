import { describe, expect, test } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Transact, Transaction } from '../transaction.types.ts';
import { GATHERED_WAITING, GATHERINGS_IN_FLIGHT, makeGather } from './gather.ts';

/** No database: whatever runs in it is gone as soon as it is done. */
const transact: Transact = (work) => work({} as Transaction);

/** Work that says which jobs came together, and waits until it is let go. */
function held() {
  const groups: (readonly number[])[] = [];
  const waiting: (() => void)[] = [];
  const gather = makeGather<number, number>(transact, async (_, jobs) => {
    groups.push(jobs);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return jobs.map((job) => job * 2);
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { groups, gather, turn, letGo: () => waiting.shift()?.() };
}

describe('work that gathers', () => {
  test('shares a transaction with what comes in the same turn, and each job has its own result', async () => {
    const { groups, gather, turn, letGo } = held();
    const results = Promise.all([1, 2, 3].map(gather));
    await turn();
    expect(groups).toEqual([[1, 2, 3]]);
    letGo();
    expect(await results).toEqual([2, 4, 6]);
  });

  test('has few transactions under way: what comes meanwhile goes together with the next', async () => {
    const { groups, gather, turn, letGo } = held();
    const jobs = Array.from({ length: 100 }, (_, job) => job);
    const first = gather(0);
    await turn();
    // Few wait for the one that is under way; so many do not, but those behind them do.
    const others = jobs.slice(1, 4).map(gather);
    await turn();
    expect(groups).toEqual([[0]]);
    others.push(...jobs.slice(4, 60).map(gather));
    await turn();
    expect(groups).toEqual([[0], jobs.slice(1, 60)]);
    others.push(...jobs.slice(60).map(gather));
    await turn();
    expect(groups).toHaveLength(GATHERINGS_IN_FLIGHT);
    letGo();
    await first;
    await turn();
    await turn();
    expect(groups.at(-1)).toEqual(jobs.slice(60));
    letGo();
    letGo();
    expect(await Promise.all(others)).toEqual(jobs.slice(1).map((job) => job * 2));
  });

  test('does not wait for long for a transaction that is slow', async () => {
    const { groups, gather, turn, letGo } = held();
    const slow = gather(0);
    await turn();
    const behind = gather(1);
    await until(() => groups.length === 2);
    letGo();
    letGo();
    expect(await Promise.all([slow, behind])).toEqual([0, 2]);
  });

  test('fails only the job that is wrong; a database that is away fails all', async () => {
    const done: number[] = [];
    const gather = makeGather<number, number>(transact, async (_, jobs) => {
      if (jobs.includes(0)) throw new Refusal('unavailable', 'The database is away.');
      if (jobs.includes(2)) throw new Error('Job 2 is wrong.');
      done.push(...jobs);
      return jobs;
    });
    const settled = await Promise.allSettled([1, 2, 3].map(gather));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(done).toEqual([1, 3]);
    const away = await Promise.allSettled([0, 1].map(gather));
    expect(away.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('refuses what would wait too long', async () => {
    const { gather, turn } = held();
    const first = Array.from({ length: GATHERED_WAITING }, (_, job) => gather(job));
    await expect(gather(0)).rejects.toThrow(Refusal);
    await turn();
    expect(first).toHaveLength(GATHERED_WAITING);
  });
});
