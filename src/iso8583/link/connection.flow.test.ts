import { expect, test } from 'vitest';
import { nextPauseMs } from './connection.flow.ts';

const PAUSES = { longestMs: 30_000, jitter: 0.2 };

test('pauses double from half a second to half a minute', () => {
  const waits: number[] = [];
  for (let pauseMs = 500, turn = 0; turn < 9; turn++) {
    const { waitMs, next } = nextPauseMs(pauseMs, 0.5, PAUSES);
    waits.push(waitMs);
    pauseMs = next;
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('lots add or take off a fifth at most', () => {
  expect(nextPauseMs(1_000, 0, PAUSES).waitMs).toBe(800);
  expect(nextPauseMs(1_000, 1, PAUSES).waitMs).toBe(1_200);
});
