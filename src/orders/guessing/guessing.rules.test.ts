import { describe, expect, test } from 'vitest';
import { addSeconds } from '../../kit/instants.ts';
import {
  afterTelling,
  countEntry,
  countOfPayee,
  isClosed,
  isSpent,
  isTold,
  isUnderAttack,
  newCounter,
  OF_ADDRESS,
  OF_CARD,
  OF_PAYER,
  strike,
} from './guessing.rules.ts';
import type { Counter } from './guessing.types.ts';

const NOW = '2026-11-22T12:00:00.000Z';
const fresh = (kind: Counter['kind']) => newCounter({ kind, subject: Buffer.alloc(32) });
const at = (seconds: number) => addSeconds(NOW, seconds);

/** Strikes at these seconds after `NOW`. */
function struckAt(counter: Counter, limit: typeof OF_CARD, seconds: readonly number[]): Counter {
  return seconds.reduce((before, second) => strike(before, limit, at(second)), counter);
}

describe('what is counted', () => {
  test('an order takes 5 wrong entries, and 20 in all', () => {
    const wrong = Array.from({ length: 4 }).reduce<Counter>((before) => countEntry(before, true, NOW), fresh('order'));
    expect(isSpent(wrong)).toBe(false);
    expect(isSpent(countEntry(wrong, true, NOW))).toBe(true);
    const right = Array.from({ length: 19 }).reduce<Counter>(
      (before) => countEntry(before, false, NOW),
      fresh('order'),
    );
    expect(isSpent(right)).toBe(false);
    expect(isSpent(countEntry(right, false, NOW))).toBe(true);
  });

  test.each([
    ['an address, 10 in ten minutes', OF_ADDRESS, 9, 600],
    ['a card, 5 in half an hour', OF_CARD, 4, 1800],
    ['a payer with a card, 5 in a day', OF_PAYER, 4, 24 * 3600],
  ] as const)('%s', (_name, limit, allowed, seconds) => {
    const almost = struckAt(fresh('card'), limit, Array(allowed).fill(0));
    expect(isClosed(almost, at(1))).toBe(false);
    const full = strike(almost, limit, at(1));
    expect(isClosed(full, at(seconds - 1))).toBe(true);
    expect(isClosed(full, at(seconds + 2))).toBe(false);
    // What is let go of in time is none.
    expect(isClosed(strike(almost, limit, at(seconds + 1)), at(seconds + 2))).toBe(false);
  });

  test('a tenth wrong code of a day closes a card to the end of it, and a thirtieth entry an address', () => {
    const ten = struckAt(fresh('card'), OF_CARD, [0, 0, 0, 0, 0, 2000, 2000, 2000, 2000, 4000]);
    expect([isClosed(ten, at(24 * 3600 - 1)), isClosed(ten, at(24 * 3600))]).toEqual([true, false]);
    const thirty = struckAt(
      fresh('address'),
      OF_ADDRESS,
      Array.from({ length: 30 }, (_, index) => index * 700),
    );
    expect([isClosed(thirty, at(24 * 3600 - 1)), isClosed(thirty, at(24 * 3600))]).toEqual([true, false]);
  });

  test('a card is told of when it is closed for the second time in 30 days, and then counted anew', () => {
    const day = 24 * 3600;
    const once = struckAt(fresh('card'), OF_CARD, [0, 0, 0, 0, 0]);
    expect(isTold(fresh('card'), once)).toBe(false);
    const almost = struckAt(once, OF_CARD, Array(4).fill(29 * day));
    const twice = strike(almost, OF_CARD, at(29 * day));
    expect(isTold(almost, twice)).toBe(true);
    const later = struckAt(afterTelling(twice), OF_CARD, Array(5).fill(31 * day));
    expect(later.pauses).toBe(1);
    expect(isTold(almost, struckAt(almost, OF_CARD, [31 * day, 31 * day]))).toBe(false);
  });

  test('counters are kept as long as they say something', () => {
    expect(struckAt(fresh('address'), OF_ADDRESS, [0]).forgetAt).toBe(at(24 * 3600));
    expect(struckAt(fresh('card'), OF_CARD, Array(5).fill(0)).forgetAt).toBe(at(30 * 24 * 3600));
  });

  test('a payee is under attack where 100 of ten minutes are wrong, whatever is right', () => {
    const part = (wrong: number, entries: number, windowEndsAt = at(1)): Counter => ({
      ...fresh('payee'),
      wrong,
      entries,
      windowEndsAt,
    });
    expect(isUnderAttack([part(50, 60), part(50, 60)], NOW)).toBe(true);
    expect(isUnderAttack([part(50, 60), part(49, 60)], NOW)).toBe(false);
    expect(isUnderAttack([part(50, 100), part(50, 900)], NOW)).toBe(true);
    expect(isUnderAttack([part(50, 60), part(50, 60, NOW)], NOW)).toBe(false);
    const counted = countOfPayee(part(9, 9, NOW), true, NOW);
    expect([counted.wrong, counted.entries, counted.windowEndsAt]).toEqual([1, 1, at(600)]);
  });
});
