import { describe, expect, test } from 'vitest';
import { isCardTesting, isTimeToLook } from './card-testing.rules.ts';

const LIMITS = { numbers: 30, percent: 40 };
/** Of `bins` kinds of numbers, each so much. */
const each = (bins: number, approved: number, declined: number) =>
  Array.from({ length: bins }, () => ({ approved, declined }));

describe('numbers are being tried', () => {
  test.each([
    ['30 numbers, and nothing else', each(30, 0, 1)],
    ['30 numbers beside 45 payers', [...each(30, 0, 1), { approved: 45, declined: 0 }]],
    ['15 that begin alike', each(1, 0, 15)],
    ['190 that begin alike, in a shop with 10 000 payers', [{ approved: 10, declined: 190 }, ...each(100, 100, 9)]],
  ])('where there are %s', (_what, cards) => {
    expect(isCardTesting(cards, LIMITS)).toBe(true);
  });

  test.each([
    ['nobody pays', []],
    ['29 different numbers', each(29, 0, 1)],
    ['8 % of 10 000 payers are declined, as in any shop', each(40, 230, 20)],
    ['8 % are, and all cards are of one bank', each(1, 920, 80)],
    ['30 numbers beside 46 payers', [...each(30, 0, 1), { approved: 46, declined: 0 }]],
    ['14 that begin alike', each(1, 0, 14)],
  ])('not where %s', (_what, cards) => {
    expect(isCardTesting(cards, LIMITS)).toBe(false);
  });
});

test('what was typed is looked at from half of the numbers on, at each fifth decline, and never where it is switched off', () => {
  const looks = (limits: typeof LIMITS) =>
    Array.from({ length: 41 }, (_, declines) => declines).filter((declines) => isTimeToLook(declines, limits));
  expect(looks(LIMITS)).toEqual([15, 20, 25, 30, 35, 40]);
  expect(looks({ ...LIMITS, numbers: 0 })).toEqual([]);
});
