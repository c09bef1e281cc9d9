import { describe, expect, test } from 'vitest';
import { believedDay, nextCutOver } from './business-day.rules.ts';

const CLOCK = { cutOver: '23:00', timeZone: 'Europe/Oslo' };
const at = (time: string) => Date.parse(time);

describe('the next cut-over', () => {
  test.each([
    ['2026-03-09T12:34:56Z', '2026-03-09T22:00:00Z'],
    ['2026-03-09T21:59:59.999Z', '2026-03-09T22:00:00Z'],
    ['2026-03-09T22:00:00Z', '2026-03-10T22:00:00Z'],
    // Clocks go forward, and back.
    ['2026-03-28T22:00:00Z', '2026-03-29T21:00:00Z'],
    ['2026-10-24T21:00:00Z', '2026-10-25T22:00:00Z'],
  ])('after %s is at %s', (now, next) => {
    expect(new Date(nextCutOver(at(now), CLOCK)).toISOString()).toBe(new Date(next).toISOString());
  });
});

describe('a day that an acquirer says has begun', () => {
  const now = at('2026-12-31T21:58:00Z');

  test.each([
    ['261230', '2026-12-30'],
    ['261231', '2026-12-31'],
    ['270101', '2027-01-01'],
  ])('%s is believed: a day from the clock at most', (told, day) => {
    expect(believedDay(told, now, CLOCK)).toBe(day);
  });

  test.each(['000000', '261332', '270102', '261229', '251231', '280101', '2701', '', '20270101', 'ABCDEF'])(
    '%j is not',
    (told) => {
      expect(believedDay(told, now, CLOCK)).toBeUndefined();
    },
  );
});
