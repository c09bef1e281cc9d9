import { expect, test } from 'vitest';
import type { Acquirer } from '../acquirers.types.ts';
import { businessDayOf } from '../business-day.rules.ts';
import { checkCutOvers } from './check-acquirers.ts';
import { goesBack, repeatedHour } from './repeated-hour.rules.ts';

const NOW = Date.parse('2026-03-09T12:00:00Z');

test.each([
  ['Europe/Oslo', { from: '02:00', to: '03:00' }],
  ['Europe/London', { from: '01:00', to: '02:00' }],
  ['Australia/Lord_Howe', { from: '01:30', to: '02:00' }],
  ['UTC', undefined],
  ['Asia/Tokyo', undefined],
])('in %s the times %j come twice', (timeZone, times) => {
  expect(repeatedHour(timeZone, NOW)).toEqual(times);
});

test.each([
  ['02:30', true],
  ['02:01', true],
  ['02:59', true],
  ['02:00', false],
  ['03:00', false],
  ['23:00', false],
])('with a cut-over at %s days go back: %s, as a walk through that night says', (cutOver, isBack) => {
  const clock = { cutOver, timeZone: 'Europe/Oslo' };
  const night = Array.from({ length: 300 }, (_, minute) => Date.parse('2026-10-24T22:00:00Z') + minute * 60_000);
  const days = night.map((ms) => businessDayOf(ms, clock));
  expect(days.some((day, at) => at > 0 && day < (days[at - 1] ?? ''))).toBe(isBack);
  expect(goesBack(clock, NOW)).toBe(isBack);
});

test('the check of a file names an acquirer whose days go back, and no other', () => {
  const at = (id: string, cutOver: string) => ({ id, cutOver, timeZone: 'Europe/Oslo' }) as Acquirer;
  const found = checkCutOvers({ acquirers: [at('early', '02:30'), at('late', '23:00')] }, new Date(NOW));
  expect(found).toEqual([{ level: 'problem', text: expect.stringContaining('The cutOver 02:30 of acquirer early') }]);
});
