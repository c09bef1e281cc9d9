import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../server/connection.ts';
import type { Pool } from '../server/pool.ts';
import { makeBatch } from './batch.ts';
import type { BatchProgram, QueuedCommand } from './batch.types.ts';

// When batches begin. What they write, and what becomes of it, is tested with a database (test/ledger/batch.test.ts).

const LIMITS = { batchSize: 64, lanes: 2, patientLanes: 1, queueLength: 1000, queueAgeMs: 60_000, unknownMs: 100 };

/** Decides nothing and writes nothing: only its batches are looked at. */
const PROGRAM: BatchProgram<QueuedCommand, undefined, string> = {
  ahead: () => [],
  open: () => [],
  openMore: () => [],
  read: () => ({ workspace: undefined, leftOut: new Set() }),
  decide: () => 'done',
  drop: () => undefined,
  writes: () => [],
};

/** An engine on connections whose commits are answered when the test says so. */
function stage(limits = LIMITS) {
  const underWay: (() => void)[] = [];
  const sizes: number[] = [];
  const connection = {
    lost: false,
    warnings: 0,
    together: <Result>(start: () => Result) => start(),
    fly: (calls: readonly unknown[]) => Promise.resolve(calls.map(() => ({ rows: [], count: 0 }))),
    commit: () =>
      new Promise<string>((resolve) => {
        underWay.push(() => resolve('COMMIT'));
      }),
  } as unknown as Connection;
  const pool = { take: () => Promise.resolve(connection), giveBack: () => undefined } as unknown as Pool;
  const observer = {
    committed: ({ size }: { readonly size: number }) => void sizes.push(size),
    leftOut: () => undefined,
    split: () => undefined,
    unknown: () => undefined,
  };
  const { submit } = makeBatch({ pool, program: PROGRAM, limits, observer });
  let made = 0;
  const ask = () =>
    submit({ payeeId: 'a', lockKeys: [`lock ${made}`], claimKeys: [`claim ${made++}`] } as QueuedCommand);
  return { ask, underWay, sizes };
}

/** Lets all that is ready have its turn. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a command that comes alone goes at once', async () => {
  const { ask, underWay } = stage();
  const answer = ask();
  await turn();
  underWay[0]?.();
  expect(await answer).toBe('done');
});

test('what comes while a batch is written gathers until that has ended', async () => {
  const { ask, underWay, sizes } = stage();
  const answers = [ask()];
  await turn();
  for (let asked = 0; asked < 3; asked++) {
    answers.push(ask());
    await turn();
  }
  expect(underWay).toHaveLength(1);
  underWay[0]?.();
  await turn();
  underWay[1]?.();
  await Promise.all(answers);
  expect(sizes).toEqual([1, 3]);
});

test.each([
  { batchSize: 64, many: 32 },
  { batchSize: 4, many: 4 },
])('where a batch holds $batchSize, a second one begins beside the first for $many', async ({ batchSize, many }) => {
  const { ask, underWay } = stage({ ...LIMITS, batchSize });
  void ask();
  await turn();
  for (let asked = 1; asked < many; asked++) void ask();
  await turn();
  expect(underWay).toHaveLength(1);
  void ask();
  await turn();
  expect(underWay).toHaveLength(2);
});

test('one that has waited for eight milliseconds does not wait for a batch that takes long', async () => {
  const { ask, underWay } = stage();
  void ask();
  await turn();
  const answer = ask();
  await turn();
  vi.advanceTimersByTime(7);
  await turn();
  expect(underWay).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await turn();
  expect(underWay).toHaveLength(2);
  underWay[1]?.();
  expect(await answer).toBe('done');
});
