import { expect, test } from 'vitest';
import type { AcquirersSetup } from '../issuers/acquirers/acquirers.types.ts';
import { timeLimitsOf } from './time-limits.ts';

const acquirer = (answerMs: number) => ({ sendMs: 1_000, answerMs });
const asking = (...answersMs: number[]) =>
  ({ directoryServers: answersMs.map((answerMs) => ({ answerMs })) }) as unknown as AcquirersSetup['threeDS'];

test.each([
  ['no acquirer', [], undefined, { changeMs: 10_000, drainMs: 25_000, endMs: 35_000 }],
  ['one that answers soon', [2_000], undefined, { changeMs: 10_000, drainMs: 25_000, endMs: 35_000 }],
  ['one by the defaults', [15_000], undefined, { changeMs: 21_000, drainMs: 25_000, endMs: 35_000 }],
  [
    'the two slowest of three',
    [15_000, 1_000, 20_000],
    undefined,
    { changeMs: 42_000, drainMs: 42_000, endMs: 52_000 },
  ],
  ['a directory server', [2_000], asking(12_000), { changeMs: 20_000, drainMs: 25_000, endMs: 35_000 }],
  [
    'the slowest of two directory servers',
    [15_000],
    asking(5_000, 12_000),
    { changeMs: 33_000, drainMs: 33_000, endMs: 43_000 },
  ],
])('with %s', (_, answersMs, threeDS, limits) => {
  expect(timeLimitsOf({ acquirers: answersMs.map(acquirer), threeDS })).toEqual(limits);
});
