import { assert } from '../../kit/assert.ts';

/** Callers whose requests are counted at once, for each limit: about 2 MB. The longest unseen are forgotten first. */
const RATE_LIMIT_KEYS = 20_000;

/** How much each key may do in a while. */
export interface RatePolicy {
  /** How the headers call it: 1 to 32 lower-case letters, digits and dashes. */
  readonly name: string;
  /** Requests in one window; 0 is no limit. */
  readonly quota: number;
  readonly windowSeconds: number;
}

/** Counts per key, in memory: each instance of the service for itself. */
export interface RateLimit {
  /**
   * Counts one more and says whether it is within the quota.
   *
   * @param nowMs milliseconds of any clock; should it jump, at most one window is counted anew
   */
  take(key: string, nowMs: number): RateDecision;
  /** Says whether one more would be within the quota, and does not count it. */
  look(key: string, nowMs: number): RateDecision;
}

/** Whether there was room, and the headers that say so (draft-ietf-httpapi-ratelimit-headers-11). */
export interface RateDecision {
  readonly allowed: boolean;
  /** The value of `RateLimit-Policy`, as in `"requests";q=100;w=60`; undefined where there is no limit. */
  readonly policy: string | undefined;
  /** The value of `RateLimit`, as in `"requests";r=50;t=30`; undefined where there is no limit. */
  readonly state: string | undefined;
  /** Whole seconds until there is room again: 1 or more. */
  readonly retryAfterSeconds: number;
}

const UNLIMITED: RateDecision = { allowed: true, policy: undefined, state: undefined, retryAfterSeconds: 1 };

/**
 * Makes a counter with fixed windows: a key's window begins with its first request and the next one with the first
 * request after its end. So `t` is exact, and no caller has to wait longer than one window.
 *
 * @param maxKeys keys that are remembered at most. A key that was forgotten starts anew: the limit then fails open
 */
export function createRateLimit(policy: RatePolicy, maxKeys = RATE_LIMIT_KEYS): RateLimit {
  const { name, quota, windowSeconds } = policy;
  assert(/^[a-z0-9-]{1,32}$/.test(name), 'the name of a rate limit can stand in its headers');
  assert(Number.isSafeInteger(quota) && quota >= 0, 'a quota is a whole number');
  assert(Number.isSafeInteger(windowSeconds) && windowSeconds > 0, 'a window has whole seconds');
  if (quota === 0) return { take: () => UNLIMITED, look: () => UNLIMITED };
  const windows = new Windows(windowSeconds * 1000, maxKeys);
  const policyValue = `"${name}";q=${quota};w=${windowSeconds}`;
  const decide = (window: Window, used: number, nowMs: number): RateDecision => {
    // Never more than the window: what a clock with fractions adds and takes off is not always the same.
    const secondsLeft = Math.min(Math.max(Math.ceil((window.endsAtMs - nowMs) / 1000), 1), windowSeconds);
    return {
      allowed: used <= quota,
      policy: policyValue,
      state: `"${name}";r=${Math.max(quota - used, 0)};t=${secondsLeft}`,
      retryAfterSeconds: secondsLeft,
    };
  };
  return {
    take(key, nowMs) {
      const window = windows.current(key, nowMs);
      return decide(window, ++window.used, nowMs);
    },
    look(key, nowMs) {
      const window = windows.current(key, nowMs);
      return decide(window, window.used + 1, nowMs);
    },
  };
}

interface Window {
  used: number;
  endsAtMs: number;
}

/**
 * The window of each key, in two generations of equal size. Who is seen moves to the young one; when that is full it
 * becomes the old one, and what was left there is forgotten at once. So memory is bounded without timers or searches,
 * and a key that is busy, which is the one that a limit is for, outlives a flood of new ones.
 */
class Windows {
  readonly #windowMs: number;
  readonly #generationSize: number;
  #young = new Map<string, Window>();
  #old = new Map<string, Window>();

  constructor(windowMs: number, maxKeys: number) {
    this.#windowMs = windowMs;
    this.#generationSize = Math.max(Math.floor(maxKeys / 2), 1);
  }

  current(key: string, nowMs: number): Window {
    const window = this.#young.get(key) ?? this.#rejuvenate(key);
    const leftMs = window.endsAtMs - nowMs;
    // More than a whole window left: the clock was set back.
    if (leftMs <= 0 || leftMs > this.#windowMs) {
      window.used = 0;
      window.endsAtMs = nowMs + this.#windowMs;
    }
    return window;
  }

  #rejuvenate(key: string): Window {
    const window = this.#old.get(key) ?? { used: 0, endsAtMs: Number.NEGATIVE_INFINITY };
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, window);
    return window;
  }
}
