import { expect, test } from 'vitest';
import { instantOf, monthOf, oldestMonthOf } from './instants.ts';

test.each([
  ['2030-05-31T23:59:59.999Z', '2030-05', '2030-05'],
  ['2030-06-01T00:00:00.000Z', '2030-06', '2030-05'],
  ['2030-06-01T11:59:59.999Z', '2030-06', '2030-05'],
  ['2030-06-01T12:00:00.000Z', '2030-06', '2030-06'],
  ['2031-01-01T06:00:00.000Z', '2031-01', '2030-12'],
])('at %s it is %s in UTC, and nowhere before %s', (instant, month, oldest) => {
  expect(monthOf(instant)).toBe(month);
  expect(oldestMonthOf(instant)).toBe(oldest);
});

test('an instant is written as the language writes it', () => {
  const everyHour = Array.from({ length: 1000 }, (_, hour) => hour * 3_600_000 + hour * 61_001);
  const instants = [-62_198_755_200_000, -1, 0, 1_709_251_199_999, 253_402_300_800_000, 8.64e15, ...everyHour];
  for (const unixMs of instants) expect(instantOf(unixMs)).toBe(new Date(unixMs).toISOString());
  expect(() => instantOf(Number.NaN)).toThrow(RangeError);
  expect(() => instantOf(8.64e15 + 86_400_000)).toThrow(RangeError);
});
