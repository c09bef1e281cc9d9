import { expect, test } from 'vitest';
import { nextPortion } from './next-portion.ts';

const MOST = 10_000;

test.each([
  ['a quick one doubles', 500, 10, 1000],
  ['up to the largest', MOST, 10, MOST],
  ['one of half a second stays', 500, 500, 500],
  ['a slow one is followed by a quarter', 500, 2_000, 125],
  ['down to a row', 1, 9_000, 1],
])('%s', (_, rows, tookMs, next) => {
  expect(nextPortion(rows, tookMs, { most: MOST })).toBe(next);
});
