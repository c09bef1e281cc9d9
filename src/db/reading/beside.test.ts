import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { besideAnother } from './beside.ts';

describe('what waits beside a group that is under way', () => {
  const lookAgain = vi.fn();

  beforeEach(() => {
    vi.useFakeTimers();
    lookAgain.mockReset();
  });
  afterEach(() => vi.useRealTimers());

  test.each([
    ['is many', 256, 32],
    ['would fill a group', 4, 4],
  ])('begins where it %s', (_, most, enough) => {
    const mayBegin = besideAnother(most, lookAgain);
    expect(mayBegin(enough - 1, () => 0)).toBe(false);
    expect(mayBegin(enough, () => 0)).toBe(true);
  });

  test('begins where it has waited for long', () => {
    const mayBegin = besideAnother(32, lookAgain);
    expect(mayBegin(1, () => 8)).toBe(true);
    expect(mayBegin(1, () => 7.9)).toBe(false);
  });

  test('is looked at again when it has waited for long, once for all that wait meanwhile', () => {
    const mayBegin = besideAnother(32, lookAgain);
    expect(mayBegin(1, () => 3)).toBe(false);
    expect(mayBegin(2, () => 4)).toBe(false);
    vi.advanceTimersByTime(4);
    expect(lookAgain).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(lookAgain).toHaveBeenCalledOnce();
    expect(mayBegin(2, () => 0)).toBe(false);
    vi.advanceTimersByTime(8);
    expect(lookAgain).toHaveBeenCalledTimes(2);
  });

  test('is nothing: nothing begins, and nothing is looked at again', () => {
    const mayBegin = besideAnother(32, lookAgain);
    expect(mayBegin(0, () => 100)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
