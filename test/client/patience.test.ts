import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../../client/client.ts';
import type { AcquirersSetup } from '../../src/issuers/acquirers/acquirers.types.ts';
import { timeLimitsOf } from '../../src/wiring/time-limits.ts';

// As long as acquirers.json may say, of a directory server and two acquirers.
const SLOWEST = { sendMs: 10_000, answerMs: 60_000 };
const threeDS = { directoryServers: [{ answerMs: 30_000 }] } as unknown as AcquirersSetup['threeDS'];
const LONGEST_MS = timeLimitsOf({ acquirers: [SLOWEST, SLOWEST], threeDS }).changeMs;

afterEach(() => vi.restoreAllMocks());

test('the client waits longer than the service may take', async () => {
  const timeOut = vi.spyOn(AbortSignal, 'timeout');
  const fetch = async () => Response.json({});
  await createClient({ baseUrl: 'http://localhost', fetch }).get('/psp/any');
  const [[timeoutMs] = [0]] = timeOut.mock.calls;
  expect(timeoutMs).toBeGreaterThan(LONGEST_MS);
});

test('so does the payment page', () => {
  const source = readFileSync('checkout/send.ts', 'utf8');
  const patienceMs = Number(/PATIENCE_MS = ([0-9_]+);/.exec(source)?.[1]?.replaceAll('_', ''));
  expect(patienceMs).toBeGreaterThan(LONGEST_MS);
});
