import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { whileOthersAsk } from '../support/prober/attack.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
beforeAll(async () => {
  // Each request says by its proxy where it comes from.
  kontor = await testService({
    KONTOR_TRUSTED_PROXIES: '127.0.0.1',
    KONTOR_SIGN_INS_PER_MINUTE: '0',
    KONTOR_FAILURES_PER_MINUTE: '0',
  });
});
afterAll(() => kontor.stop());

async function signIn(from: string, email: string, password: string): Promise<number> {
  const { status } = await kontor.send('POST', '/portal/api/session', {
    accessToken: null,
    headers: { origin: kontor.baseUrl, 'x-forwarded-for': from, 'content-type': 'application/json' },
    body: { email, password },
  });
  return status;
}

const ATTEMPTS = IS_LONG_RUN ? 60 : 2;

describe('a stranger who tries passwords from all of an IPv6 network', () => {
  test('does not keep others from signing in', async () => {
    const { email, password } = kontor.portal;
    let isOver = false;
    const statuses: number[] = [];
    // Each of them asks again at once, always from another network of the /48.
    const strangers = Array.from({ length: 40 }, async (_, stranger) => {
      for (let tried = 0; !isOver; tried++) {
        const network = (stranger * 1000 + tried).toString(16);
        statuses.push(await signIn(`2001:db8:1:${network}::1`, `nobody-${stranger}@example.com`, 'wrong password'));
      }
    });
    try {
      await whileOthersAsk([{ url: `${kontor.baseUrl}/health/live` }], async () => {
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          expect(await signIn('192.0.2.7', email, password)).toBe(200);
        }
      });
    } finally {
      isOver = true;
      await Promise.all(strangers);
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    // A sign-in takes the third of a second that its password takes, and waits for one of the strangers'.
  }, 600_000);
});
