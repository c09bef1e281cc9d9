import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { causeOf, oneOfMany } from './one-of-many.ts';

let told: (readonly [string, number])[];
beforeEach(() => {
  told = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

describe('of many things with one cause', () => {
  test('the first is told at once, the others together after ten seconds', () => {
    const tell = oneOfMany<string>(
      (what, count) => void told.push([what, count]),
      (what) => what[0] ?? '',
    );
    for (let times = 0; times < 100; times++) tell(`a${times}`);
    tell('b');
    expect(told).toEqual([
      ['a0', 1],
      ['b', 1],
    ]);
    vi.advanceTimersByTime(10_000);
    expect(told.slice(2)).toEqual([['a99', 99]]);
    tell('a100');
    vi.advanceTimersByTime(9_999);
    expect(told).toHaveLength(3);
    vi.advanceTimersByTime(1);
    expect(told.slice(3)).toEqual([['a100', 1]]);
    vi.advanceTimersByTime(20_000);
    tell('a101');
    expect(told.slice(4)).toEqual([['a101', 1]]);
  });

  test('no more than some hundred causes are told apart', () => {
    const tell = oneOfMany<string>(
      (what, count) => void told.push([what, count]),
      (what) => what,
    );
    for (let cause = 0; cause < 1_000; cause++) tell(String(cause));
    expect(told).toHaveLength(201);
    vi.advanceTimersByTime(10_000);
    expect(told.slice(201)).toEqual([['999', 799]]);
  });
});

test('a cause is named by all errors in a row', () => {
  const error = new Error('outer', { cause: new TypeError('inner') });
  expect(causeOf(error)).toBe('Error outer < TypeError inner');
  expect(causeOf('text')).toBe('string');
});
