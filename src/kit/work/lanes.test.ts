import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBackground } from './background.ts';
import { repeatInLanes } from './lanes.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const MOST = 3;

/** Lanes over rows that are due in their order; those of `silent` are under way until `release`. */
function lanes(due: string[]) {
  const done: string[] = [];
  const reported: unknown[] = [];
  let release = (): void => undefined;
  const silence = new Promise<void>((resolve) => {
    release = resolve;
  });
  const laneOf = (row: string) => row.split(' ')[0] ?? '';
  const stop = repeatInLanes(
    createBackground((_work, error) => void reported.push(error)),
    {
      work: 'recover-attempts',
      intervalMs: 1,
      most: MOST,
      laneOf,
      take: async (full) => {
        const taken = due.filter((row) => !full.includes(laneOf(row))).slice(0, MOST);
        for (const row of taken) due.splice(due.indexOf(row), 1);
        return taken;
      },
      doThem: async (rows) => {
        if (laneOf(rows[0] ?? '') === 'broken') throw new Error('broken');
        if (laneOf(rows[0] ?? '') === 'silent') await silence;
        done.push(...rows);
      },
    },
  );
  return { done, reported, release: () => release(), stop };
}

test('a lane that waits delays no other: not those of its round, nor of later ones, nor those that are due behind it', async () => {
  const due = ['silent 1', 'prompt 1', 'silent 2', 'silent 3', 'silent 4', 'silent 5', 'silent 6', 'prompt 2'];
  const { done, release, stop } = lanes(due);
  await vi.advanceTimersByTimeAsync(1);
  // In one round: rows are taken until there are fewer than could be, and a lane is full at three.
  expect(done).toEqual(['prompt 1', 'prompt 2']);
  expect(due).toEqual(['silent 6']);
  due.push('prompt 3');
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['prompt 1', 'prompt 2', 'prompt 3']);
  release();
  await vi.advanceTimersByTimeAsync(1);
  await stop();
  expect(done.filter((row) => row.startsWith('silent'))).toHaveLength(6);
});

test('a lane that fails is reported, and is free again; a stop waits for what is under way', async () => {
  const due = ['broken 1', 'silent 1'];
  const { done, reported, release, stop } = lanes(due);
  await vi.advanceTimersByTimeAsync(1);
  due.push('broken 2');
  await vi.advanceTimersByTimeAsync(1);
  expect(reported).toEqual([new Error('broken'), new Error('broken')]);
  let isStopped = false;
  const stopped = stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(1);
  expect(isStopped).toBe(false);
  release();
  await stopped;
  expect(done).toEqual(['silent 1']);
});
