import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createPatience, createTraffic } from './traffic.ts';

/** Longer than any test. */
const PATIENT_MS = 60_000;

async function turns(count: number): Promise<void> {
  for (let turned = 0; turned < count; turned++) await turn();
}

describe('a quiet moment', () => {
  test('is there where no request is under way', async () => {
    await createTraffic().quiet(PATIENT_MS);
  });

  test('comes when the last request is over, and not while the event loop has another one ready', async () => {
    const traffic = createTraffic();
    traffic.enter();
    traffic.enter();
    let isQuiet = false;
    const waiting = traffic.quiet(PATIENT_MS).then(() => {
      isQuiet = true;
    });
    traffic.leave();
    await turns(3);
    expect(isQuiet).toBe(false);
    traffic.leave();
    traffic.enter();
    await turns(3);
    expect(isQuiet).toBe(false);
    traffic.leave();
    await waiting;
  });

  test('is for one after the other, as they came', async () => {
    const traffic = createTraffic();
    traffic.enter();
    const gone: number[] = [];
    const all = [1, 2, 3].map(async (number) => {
      await traffic.quiet(PATIENT_MS);
      gone.push(number);
      // One that goes on may begin something that the next one gives way to.
      if (number === 2) traffic.enter();
    });
    traffic.leave();
    await turns(5);
    expect(gone).toEqual([1, 2]);
    traffic.leave();
    await Promise.all(all);
    expect(gone).toEqual([1, 2, 3]);
  });

  test('is waited for so long and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const traffic = createTraffic();
      traffic.enter();
      let isOver = false;
      const waiting = traffic.quiet(20).then(() => {
        isOver = true;
      });
      await vi.advanceTimersByTimeAsync(19);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await waiting;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('patience for many steps', () => {
  test('waits for a step to be done, and not for one that takes long', async () => {
    const patience = createPatience(async () => undefined, PATIENT_MS);
    let isDone = false;
    const step = turns(3).then(() => {
      isDone = true;
    });
    await patience.done(step, PATIENT_MS);
    expect(isDone).toBe(true);
    await patience.done(new Promise(() => undefined), 1);
  });

  test('is used up, and then each step is a turn of the event loop', async () => {
    const asked: number[] = [];
    const clock = vi.spyOn(performance, 'now');
    try {
      let now = 1000;
      clock.mockImplementation(() => now);
      const patience = createPatience(async (patienceMs) => {
        asked.push(patienceMs);
        now += 30;
      }, 50);
      for (let step = 0; step < 4; step++) await patience.quiet();
      expect(asked).toEqual([50, 20]);
      // Nor does it wait for a step then.
      await patience.done(new Promise(() => undefined), PATIENT_MS);
    } finally {
      clock.mockRestore();
    }
  });
});
