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

test('an instant is written with its milliseconds, and none is made of what is no time', () => {
  expect(instantOf(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(instantOf(1_709_251_199_999)).toBe('2024-02-29T23:59:59.999Z');
  expect(() => instantOf(Number.NaN)).toThrow(RangeError);
});
