import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { USER_AGENT_CHARACTERS } from '../../src/kit/limits.ts';
import type { TestService } from '../support/service.ts';

// A header may have 16 KB. What masks the card numbers of a User-Agent cuts it first: seen where numbers are looked for.

const looked = vi.hoisted(() => ({ most: 0 }));
vi.mock('../../src/kit/cards/find-card-numbers.ts', async (original) => {
  const scan = await original<typeof import('../../src/kit/cards/find-card-numbers.ts')>();
  const noting =
    <Rest extends unknown[], Result>(work: (text: string, ...rest: Rest) => Result) =>
    (text: string, ...rest: Rest) => {
      looked.most = Math.max(looked.most, text.length);
      return work(text, ...rest);
    };
  return {
    ...scan,
    containsCardNumber: noting(scan.containsCardNumber),
    maskCardNumbersIn: noting(scan.maskCardNumbersIn),
  };
});

// The tests' setup has loaded it before.
vi.resetModules();
const { CARD_NUMBER_CHARACTERS } = await import('../../src/kit/cards/find-card-numbers.ts');

let kontor: TestService;
beforeAll(async () => {
  const { serviceWithoutJobs } = await import('../support/service.ts');
  kontor = await serviceWithoutJobs();
});
afterAll(async () => {
  await kontor.stop();
  vi.resetModules();
});

test.each(['9 ', '%٩ ', '4925 '])(
  'a User-Agent of 15 000 characters of %j is cut before it is masked',
  async (pump) => {
    const text = Buffer.from(pump.repeat(15_000)).toString('latin1').slice(0, 15_000);
    for (const [accessToken, path] of [
      [undefined, '/webhooks'],
      [null, '/webhooks'],
      [null, '/health/live'],
    ] as const) {
      looked.most = 0;
      await kontor.send('GET', path, { ...(accessToken === null && { accessToken }), headers: { 'user-agent': text } });
      expect(looked.most, path).toBeLessThanOrEqual(USER_AGENT_CHARACTERS + CARD_NUMBER_CHARACTERS);
    }
  },
);

test('a User-Agent is looked at where it is seen here', async () => {
  looked.most = 0;
  await kontor.send('GET', '/webhooks', { headers: { 'user-agent': 'till 4925 0000' } });
  expect(looked.most).toBe('till 4925 0000'.length);
});
