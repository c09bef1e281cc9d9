import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../../client/client.ts';
import { changeLimitOf } from '../../src/wiring/server.ts';

// As long as acquirers.json may say, of two acquirers.
const SLOWEST = { host: {}, limits: { sendMs: 10_000, answerMs: 60_000 } } as never;
const LONGEST_MS = changeLimitOf([SLOWEST, SLOWEST]);

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
