import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { BACKGROUND_WORK } from '../../src/kit/work/background.ts';
import { createTraffic } from '../../src/kit/work/traffic.ts';
import type { AccessTokenKey } from '../../src/merchants/merchants.types.ts';
import { startJobs } from '../../src/wiring/jobs.ts';
import type { Service } from '../../src/wiring/service.ts';
import { composeSlices } from '../../src/wiring/slices.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
afterAll(() => kontor.stop());

/** A service of which everything that background work asks for fails in one way. */
function brokenService(fail: () => never): Service {
  const { service } = kontor;
  const broken = { read: fail, transact: fail, longWork: fail, report: fail };
  const parts = {
    ...service,
    database: { ...service.database, ...broken, background: broken },
    newId: () => {
      throw new Error('broken');
    },
  };
  return { ...parts, slices: composeSlices(parts), loadCardPrefixes: fail };
}

const WAYS: readonly { readonly how: string; readonly fail: () => never }[] = [
  {
    how: 'throws at once',
    fail: () => {
      throw new Error('broken');
    },
  },
  { how: 'rejects', fail: () => Promise.reject(new Error('broken')) as never },
  { how: 'rejects with nothing', fail: () => Promise.reject(undefined) as never },
];

describe.each(WAYS)('where all $how', ({ fail }) => {
  test('each background work is reported and comes again, and nothing ends the process', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    process.on('uncaughtException', note);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'setImmediate'] });
    // What comes many times a second fails as well once a minute, and two hours are over sooner.
    const every = globalThis.setInterval;
    vi.spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void, intervalMs: number) =>
      every(work, Math.max(intervalMs, 60_000))) as never);
    const failures = new Map<string, number>();
    const report = (work: string): never => {
      failures.set(work, (failures.get(work) ?? 0) + 1);
      throw new Error('the log is broken too');
    };
    const jobs = await startJobs(brokenService(fail), { quiet: createTraffic().quiet, report, tell: () => undefined });
    for (let round = 0; round < 2; round++) {
      jobs.noteTokenUse({ payeeId: kontor.payeeId, accessTokenId: 'token' } as AccessTokenKey);
      jobs.noteRefused({ address: '192.0.2.1', sessionId: '', proof: { kind: 'nothing' } });
      jobs.calls?.note({} as never);
      await vi.advanceTimersByTimeAsync(3_600_000);
    }
    const stopped = jobs.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    await stopped;
    vi.restoreAllMocks();
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
    expect(unhandled).toEqual([]);
    expect([...failures.keys()].sort()).toEqual([...BACKGROUND_WORK].sort());
    expect([...failures].filter(([, times]) => times < 2)).toEqual([]);
  });
});
