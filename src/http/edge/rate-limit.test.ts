import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

const POLICY = { name: 'tx', quota: 3, windowSeconds: 60 };

describe('createRateLimit', () => {
  test('allows the quota in a window, then refuses until its end', () => {
    const limit = createRateLimit(POLICY);
    const at = (nowMs: number) => limit.take('key', nowMs);
    expect(at(1000)).toEqual({
      allowed: true,
      policy: '"tx";q=3;w=60',
      state: '"tx";r=2;t=60',
      retryAfterSeconds: 60,
    });
    expect(at(1001)).toMatchObject({ allowed: true, state: '"tx";r=1;t=60' });
    expect(at(31_000)).toMatchObject({ allowed: true, state: '"tx";r=0;t=30' });
    expect(at(31_001)).toMatchObject({ allowed: false, state: '"tx";r=0;t=30', retryAfterSeconds: 30 });
    expect(at(60_999)).toMatchObject({ allowed: false, state: '"tx";r=0;t=1', retryAfterSeconds: 1 });
    expect(at(61_000)).toMatchObject({ allowed: true, state: '"tx";r=2;t=60' });
  });

  test('says what would be, and does not count it', () => {
    const limit = createRateLimit({ ...POLICY, quota: 1 });
    for (let looked = 0; looked < 3; looked++) expect(limit.look('key', 0).allowed).toBe(true);
    expect(limit.take('key', 0).allowed).toBe(true);
    expect(limit.look('key', 0)).toMatchObject({ allowed: false, state: '"tx";r=0;t=60' });
    expect(limit.look('key', 60_000).allowed).toBe(true);
  });

  test('counts each key for itself', () => {
    const limit = createRateLimit({ ...POLICY, quota: 1 });
    expect(limit.take('a', 0).allowed).toBe(true);
    expect(limit.take('b', 0).allowed).toBe(true);
    expect(limit.take('a', 0).allowed).toBe(false);
  });

  test('a quota of 0 is no limit and has no headers', () => {
    const limit = createRateLimit({ ...POLICY, quota: 0 });
    for (let count = 0; count < 10; count++) {
      expect(limit.take('key', 0)).toMatchObject({ allowed: true, policy: undefined, state: undefined });
    }
  });

  test('a clock that is set back does not lock a key out', () => {
    const limit = createRateLimit({ ...POLICY, quota: 1 });
    limit.take('key', 10_000_000);
    expect(limit.take('key', 10_000_000).allowed).toBe(false);
    expect(limit.take('key', 0)).toMatchObject({ allowed: true, retryAfterSeconds: 60 });
  });

  test('a busy key outlives a flood of others, and those are forgotten', () => {
    const limit = createRateLimit({ ...POLICY, quota: 1 }, 100);
    limit.take('busy', 0);
    limit.take('idle', 0);
    for (let count = 0; count < 10_000; count++) {
      limit.take(`flood ${count}`, 0);
      if (count % 40 === 0) expect(limit.take('busy', 0).allowed).toBe(false);
    }
    expect(limit.take('idle', 0).allowed).toBe(true);
    expect(limit.take('flood 9999', 0).allowed).toBe(false);
  });

  test('refuses policies that its headers could not carry', () => {
    for (const broken of [{ name: '' }, { name: 'a"b' }, { quota: -1 }, { quota: 1.5 }, { windowSeconds: 0 }]) {
      expect(() => createRateLimit({ ...POLICY, ...broken })).toThrow();
    }
  });

  test('never allows more than the quota in any one window, nor less', () => {
    const request = fc.record({ key: fc.constantFrom('a', 'b'), waitMs: fc.nat(20_000) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
        const limit = createRateLimit(POLICY);
        const windows = new Map<string, { startMs: number; used: number }>();
        let nowMs = 0;
        for (const { key, waitMs } of requests) {
          nowMs += waitMs;
          let window = windows.get(key);
          if (window === undefined || nowMs >= window.startMs + 60_000) {
            window = { startMs: nowMs, used: 0 };
            windows.set(key, window);
          }
          window.used++;
          const decision = limit.take(key, nowMs);
          expect(decision.allowed).toBe(window.used <= 3);
          expect(decision.retryAfterSeconds * 1000).toBeGreaterThanOrEqual(window.startMs + 60_000 - nowMs);
        }
      }),
    );
  });
});
