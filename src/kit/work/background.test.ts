import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBackground } from './background.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whatever code may throw. */
const THROWN: readonly (readonly [string, unknown])[] = [
  ['an error', new Error('away')],
  ['nothing', undefined],
  ['null', null],
  ['a text', 'away'],
];

describe('a round that fails', () => {
  test.each(THROWN)('with %s is reported, and comes again', async (_name, thrown) => {
    const reported: unknown[] = [];
    const background = createBackground((work, error) => void reported.push([work, error]));
    let rounds = 0;
    const stop = background.repeat('forget-stale', 100, async () => {
      if (++rounds === 1) throw thrown;
    });
    await vi.advanceTimersByTimeAsync(500);
    await stop();
    expect(reported).toEqual([['forget-stale', thrown]]);
    expect(rounds).toBeGreaterThan(1);
  });

  test('and throws before it has become a promise does so too', async () => {
    const reported: unknown[] = [];
    const background = createBackground((_work, error) => void reported.push(error));
    const stop = background.repeat('forget-stale', 100, () => {
      throw new Error('at once');
    });
    await vi.advanceTimersByTimeAsync(100);
    await stop();
    expect(reported).toEqual([new Error('at once')]);
  });

  test('is followed by a pause that grows to ten seconds, and ends with the first round that succeeds', async () => {
    let isBroken = true;
    const rounds: number[] = [];
    let tick = 0;
    const background = createBackground(() => undefined);
    const stop = background.repeat('forget-stale', 1000, async () => {
      rounds.push(tick);
      if (isBroken) throw new Error('broken');
    });
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        tick++;
        await vi.advanceTimersByTimeAsync(1000);
      }
    };
    await pass(45);
    expect(rounds).toEqual([1, 3, 7, 15, 25, 35, 45]);
    isBroken = false;
    await pass(13);
    expect(rounds.slice(7)).toEqual([55, 56, 57, 58]);
    await stop();
  });
});

test('an error in the report goes nowhere', async () => {
  const background = createBackground(() => {
    throw new Error('the log is gone');
  });
  expect(await background.attempt('keep-calls', () => Promise.reject(new Error('broken')))).toBe(false);
  expect(await background.attempt('keep-calls', async () => 1)).toBe(true);
});

test('a round that takes longer than the interval is not joined by another, and a stop waits for it', async () => {
  let end = (): void => undefined;
  let rounds = 0;
  const background = createBackground(() => undefined);
  const stop = background.repeat('forget-stale', 10, (isStopped) => {
    rounds++;
    return new Promise<void>((resolve) => {
      end = () => resolve(isStopped() ? undefined : expect.unreachable('the round is told to end'));
    });
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(rounds).toBe(1);
  const stopped = stop();
  end();
  await stopped;
  await vi.advanceTimersByTimeAsync(100);
  expect(rounds).toBe(1);
});
