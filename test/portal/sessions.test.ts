import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, signedIn } from '../support/portal.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

describe('signing in', () => {
  test('gives a cookie that scripts cannot read, and shows who is signed in', async () => {
    const browser = openBrowser(kontor.baseUrl);
    const { email, password } = kontor.portal;
    const answer = await browser.signIn({ email, password });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^kontor-sid=kp_[0-9a-f]{32}_[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(answer.body).toMatchObject({
      next: 'none',
      session: {
        email,
        role: 'administrator',
        payee: { payeeId: kontor.payeeId, name: 'Demo shop' },
        secondFactor: 'none',
      },
    });
    const seen = await browser.get('/portal/api/session');
    expect(seen.body).toEqual(answer.body.session);
    expect(seen.body.operations).toContain('createSessionCredentials');
  });

  test('makes a session of its own, whatever cookie the browser had', async () => {
    const planted = await signedIn(kontor);
    const browser = openBrowser(kontor.baseUrl);
    browser.cookie = planted.cookie;
    const { email, password } = kontor.portal;
    await browser.signIn({ email, password });
    expect(browser.cookie).not.toBe(planted.cookie);
  });
});

describe('what a session calls the API with', () => {
  test('works as any other access token, signs, and names the user in the audit trail', async () => {
    const browser = await signedIn(kontor);
    const made = await browser.post(`/portal/api/payees/${kontor.payeeId}/session-credentials`);
    expect(made.status).toBe(200);
    const { accessToken, hmac } = made.body;
    const answer = await kontor.send('POST', '/api/payments/ping', { accessToken, hmac, body: { description: 'x' } });
    expect(answer.text).toContain('x');
    expect(answer.status).toBe(200);
    await browser.post('/portal/api/session/end');
    expect((await browser.get('/portal/api/session')).status).toBe(401);
  });
});
