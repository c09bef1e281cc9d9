import { expect, test } from 'vitest';
import { monthOf, oldestMonthOf } from './instants.ts';

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
