import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showSession } from '../../src/portal-users/sessions/show-session.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, openBrowser, PASSWORD, signedIn, signedInAs } from '../support/shop/portal.ts';

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
        payee: { payeeId: kontor.payeeId, name: 'Demo shop', timeZone: 'Europe/Oslo' },
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
  test('does what a page may do, signs, and does nothing else', async () => {
    const browser = await signedIn(kontor);
    const made = await browser.post(`/portal/api/payees/${kontor.payeeId}/session-credentials`);
    expect(made.status).toBe(200);
    const { accessToken, hmac } = made.body;
    const body = { amount: 0 };
    const card = await kontor.send('POST', '/api/payments/gift-card/get-new-gift-card', { accessToken, hmac, body });
    expect(card.status, card.text).toBe(200);
    expect(card.body.accountSummaryGiftCard.balance).toBe(0);
    const ping = await kontor.send('POST', '/api/payments/ping', { accessToken, hmac, body: {} });
    expect(ping.status).toBe(403);
    await browser.post('/portal/api/session/end');
    expect((await browser.get('/portal/api/session')).status).toBe(401);
  });
});

describe('a session that is over says why', () => {
  const problemsOf = async (browser: Awaited<ReturnType<typeof signedIn>>) => {
    const { status, body } = await browser.get('/portal/api/session');
    expect(status).toBe(401);
    return body.problems.map(({ name }: { name: string }) => name);
  };
  const age = (column: string, hours: number) =>
    kontor.database.asAdmin(`
      update portal_session set created_at = created_at - interval '${hours} hours', ${column} = ${column} - interval '${hours} hours'`);

  test('after a while without use', async () => {
    const browser = await signedIn(kontor);
    await age('used_at', 1);
    expect(await problemsOf(browser)).toEqual(['idle']);
  });

  test('at the end of its time', async () => {
    const browser = await signedIn(kontor);
    await age('expires_at', 9);
    expect(await problemsOf(browser)).toEqual(['expired']);
  });

  test('after its user has signed out everywhere from another browser', async () => {
    const [here, there] = [await signedIn(kontor), await signedIn(kontor)];
    await there.post('/portal/api/session/end', { everywhere: true });
    expect(await problemsOf(here)).toEqual(['signed-out']);
    // The reason lets no one in.
    expect((await here.post('/portal/api/session/end')).status).toBe(401);
  });

  test.each([
    ['role', (administrator: Browser, user: string) => administrator.patch(user, { role: 'finance' })],
    ['disabled', (administrator: Browser, user: string) => administrator.post(`${user}/disable`)],
  ] as const)('after an administrator has changed what its user may do: %s', async (reason, change) => {
    const [administrator, berit] = [await signedIn(kontor), await signedInAs(kontor, 'support')];
    const { userId } = (await berit.get('/portal/api/session')).body;
    const changed = await change(administrator, `/portal/api/payees/${kontor.payeeId}/users/${userId}`);
    expect(changed.status).toBe(200);
    expect(await problemsOf(berit)).toEqual([reason]);
    expect((await berit.post('/portal/api/session/end')).status).toBe(401);
  });

  test('after its user has chosen another password in another browser', async () => {
    const berit = await signedInAs(kontor, 'support');
    const there = openBrowser(kontor.baseUrl);
    const { email } = (await berit.get('/portal/api/session')).body;
    await there.signIn({ email, password: PASSWORD });
    await there.post('/portal/api/account/password', { newPassword: 'a boat, a net, and patience' });
    expect(await problemsOf(berit)).toEqual(['password']);
  });

  test('and an unknown cookie says nothing', async () => {
    const browser = await signedIn(kontor);
    const { cookie } = browser;
    browser.cookie = `${cookie?.slice(0, -4)}AAAA`;
    expect(await problemsOf(browser)).toEqual([]);
  });
});

test('a session that another request has ended meanwhile is told to be over', async () => {
  const browser = await signedInAs(kontor, 'finance');
  const { userId } = (await browser.get('/portal/api/session')).body;
  const { payeeId, service } = kontor;
  const ended = {
    role: 'finance',
    portalSessionId: randomUUID(),
    lacksSecondFactor: false,
    isReauthenticated: true,
  } as const;
  const shown = service.database.transact((transaction) =>
    showSession(transaction, service.portalUsers, { payeeId, userId, ...ended }),
  );
  await expect(shown).rejects.toMatchObject({ code: 'unauthorized' });
});
