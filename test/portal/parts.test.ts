import { describe, expect, test } from 'vitest';
import type { Activity } from '../../client/portal.generated.ts';
import { runsOf } from '../../portal/src/activity/runs.ts';
import { barPlaces, labelledPlaces } from '../../portal/src/parts/chart-axis.ts';
import { declineOf } from '../../portal/src/payments/follow-up.ts';

describe('the axis of a chart', () => {
  const DAY_S = 86_400;

  test('has a label below each bar, once, and no other', () => {
    for (const at of [['2029-11'], ['2029-11', '2029-12'], ['2027-01', '2027-03', '2031-09']]) {
      const { places, unit } = barPlaces(at);
      expect(unit).toBe('month');
      const months = labelledPlaces(places, 900).map((place) => new Date(place * 1000).toISOString().slice(0, 7));
      expect(months).toEqual(at);
    }
  });

  test('has as many labels as there is room for, evenly apart', () => {
    const days = Array.from({ length: 30 }, (_, day) =>
      new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const { places, margin, unit } = barPlaces(days);
    expect([unit, margin]).toEqual(['day', DAY_S / 2]);
    const shown = labelledPlaces(places, 320);
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.length).toBeLessThanOrEqual(5);
    expect(new Set(shown.slice(1).map((place, index) => place - (shown[index] ?? 0))).size).toBe(1);
  });

  test('leaves half a gap beyond the outer bars', () => {
    expect(barPlaces(['2026-01', '2026-02', '2026-03']).margin).toBe(14 * DAY_S);
    expect(barPlaces(['2026-01']).margin).toBe(DAY_S / 2);
  });
});

describe('runs of the activity', () => {
  const START_MS = Date.parse('2026-03-01T12:00:00Z');
  const entry = (second: number, rest: Partial<Activity> = {}): Activity => ({
    activityId: String(second),
    happenedAt: new Date(START_MS + second * 1000).toISOString(),
    actor: 'portal-user:1',
    actorName: 'Anna',
    action: 'issue-gift-card',
    objectKind: 'payment',
    objectId: `object-${second}`,
    sessionId: null,
    details: {},
    ...rest,
  });

  test('are one for a hundred cards that were issued at once', () => {
    const runs = runsOf(Array.from({ length: 100 }, (_, index) => entry(100 - index)));
    expect(runs.map(({ count, first }) => [count, first.activityId])).toEqual([[100, '100']]);
  });

  test.each([
    ['another action', { action: 'sign-in' }],
    ['another person', { actor: 'portal-user:2' }],
    ['the same object', { objectId: 'object-10' }],
    ['much earlier', { happenedAt: new Date(START_MS - 3_600_000).toISOString() }],
  ])('end at %s', (_, rest) => {
    expect(runsOf([entry(10), entry(9, rest)]).map(({ count }) => count)).toEqual([1, 1]);
  });
});

describe('an answer about a capture', () => {
  const problem = { type: 'https://kontor.example/errordetail/creditcard/acquirererror' };

  test.each([
    [{ state: 'FAILED', problem }, 'acquirererror'],
    [{ payment: '/p', capture: { id: '/c', transaction: { state: 'Failed', problem } } }, 'acquirererror'],
    [{ state: 'FAILED' }, 'carddeclined'],
    [{ state: 'OK' }, undefined],
    [{ payment: '/p', capture: { id: '/c', transaction: { state: 'Completed' } } }, undefined],
    [{}, undefined],
  ])('%j says whether the issuer declined it', (answer, expected) => {
    expect(declineOf(answer)).toBe(expected);
  });
});
