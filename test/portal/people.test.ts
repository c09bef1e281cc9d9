import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '../../src/kit/ids.ts';
import { codeOfStep } from '../../src/portal-users/passwords/second-factor.rules.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, openBrowser, seedOf, signedIn } from '../support/shop/portal.ts';

let kontor: TestService;
let browser: Browser;
let here: string;
beforeAll(async () => {
  kontor = await testService();
  browser = await signedIn(kontor);
  here = `/portal/api/payees/${kontor.payeeId}`;
});
afterAll(() => kontor.stop());

const PASSWORD = 'plenty of fish in the fjord';
let made = 0;

/** Invites a person, and answers what their link carries. */
async function invite(role = 'support', by = browser, at = here) {
  made++;
  const email = `user-${made}@example.com`;
  const answer = await by.post(`${at}/users`, { email, name: 'Berit', role });
  expect(answer.status).toBe(200);
  const { user, invitation } = answer.body;
  return { email, user, invitation: new URL(invitation.link).hash.slice(1), link: invitation.link };
}

/** A person who has taken their invitation, in a browser of their own. */
async function join(role?: string) {
  const invited = await invite(role);
  const own = openBrowser(kontor.baseUrl);
  const answer = await own.post('/portal/api/invitations/accept', {
    invitation: invited.invitation,
    password: PASSWORD,
  });
  expect(answer.status).toBe(200);
  return { ...invited, browser: own, signIn: { email: invited.email, password: PASSWORD } };
}

describe('an invitation', () => {
  test('is shown to the inviter once, and lets its holder choose a password', async () => {
    const { email, user, invitation, link } = await invite('finance');
    expect(user).toMatchObject({ email, name: 'Berit', role: 'finance', state: 'Invited', lastSignInAt: null });
    expect(link.startsWith(`${kontor.baseUrl}/portal/invitation#ki_`)).toBe(true);
    const own = openBrowser(kontor.baseUrl);
    expect((await own.post('/portal/api/invitations/read', { invitation })).body).toMatchObject({
      email,
      name: 'Berit',
      role: 'finance',
      payeeName: 'Demo shop',
    });
    const weak = await own.post('/portal/api/invitations/accept', { invitation, password: 'password1234' });
    expect(weak.body.problems[0].name).toBe('password');
    const answer = await own.post('/portal/api/invitations/accept', { invitation, password: PASSWORD });
    expect(answer.body).toMatchObject({ next: 'none', session: { email, role: 'finance' } });
    expect((await own.get('/portal/api/session')).status).toBe(200);
    const { users } = (await browser.get(`${here}/users`)).body;
    expect(users.find((one: { email: string }) => one.email === email)).toMatchObject({
      state: 'Active',
      invitationExpiresAt: null,
      lastSignInAt: expect.any(String),
    });
  });

  test('works once, until it is over, and until there is a newer one', async () => {
    const { invitation } = await invite();
    const accept = (text: string) =>
      openBrowser(kontor.baseUrl).post('/portal/api/invitations/accept', { invitation: text, password: PASSWORD });
    expect((await accept(invitation)).status).toBe(200);
    expect((await accept(invitation)).status).toBe(404);

    const late = await invite();
    await kontor.database.asAdmin(
      `update portal_invitation set created_at = created_at - interval '73 hours', expires_at = kontor_now() - interval '1 ms'
       where user_id = '${late.user.userId}'`,
    );
    expect((await accept(late.invitation)).status).toBe(404);

    const lost = await invite();
    const again = await browser.post(`${here}/users/${lost.user.userId}/invitation`);
    expect((await accept(lost.invitation)).status).toBe(404);
    expect((await accept(new URL(again.body.invitation.link).hash.slice(1))).status).toBe(200);
    expect((await accept('ki_nothing')).status).toBe(404);
  });

  test('is for an address that is not taken, and for a role that the payee has', async () => {
    const { email } = await invite();
    const taken = await browser.post(`${here}/users`, { email: email.toUpperCase(), name: 'Other', role: 'support' });
    expect(taken.body.problems).toEqual([{ name: 'email', description: expect.any(String) }]);
    const operator = await browser.post(`${here}/users`, { email: 'x@example.com', name: 'X', role: 'operator' });
    expect(operator.body.problems).toEqual([{ name: 'role', description: 'must not be operator' }]);
  });
});

describe('a user', () => {
  test('is signed out everywhere with another role, and has it at the next sign-in', async () => {
    const berit = await join('support');
    const changed = await browser.patch(`${here}/users/${berit.user.userId}`, { role: 'integrator', name: 'Berit B.' });
    expect(changed.body).toMatchObject({ role: 'integrator', name: 'Berit B.' });
    expect((await berit.browser.get('/portal/api/session')).status).toBe(401);
    expect((await berit.browser.signIn(berit.signIn)).body.session.role).toBe('integrator');
  });

  test('cannot sign in while disabled, nor by an invitation', async () => {
    const berit = await join();
    const pending = await browser.post(`${here}/users/${berit.user.userId}/invitation`);
    expect((await browser.post(`${here}/users/${berit.user.userId}/disable`)).body.state).toBe('Disabled');
    expect((await berit.browser.get('/portal/api/session')).status).toBe(401);
    expect((await berit.browser.signIn(berit.signIn)).status).toBe(401);
    const invitation = new URL(pending.body.invitation.link).hash.slice(1);
    const stranger = openBrowser(kontor.baseUrl);
    expect((await stranger.post('/portal/api/invitations/read', { invitation })).status).toBe(404);
    expect((await browser.post(`${here}/users/${berit.user.userId}/invitation`)).status).toBe(403);
    await browser.post(`${here}/users/${berit.user.userId}/enable`);
    expect((await berit.browser.signIn(berit.signIn)).status).toBe(200);
  });

  test('cannot disable themselves, or change their own role', async () => {
    const { userId } = (await browser.get('/portal/api/session')).body;
    expect((await browser.post(`${here}/users/${userId}/disable`)).body.problems[0].name).toBe('disable-portal-user');
    expect((await browser.patch(`${here}/users/${userId}`, { role: 'support' })).body.problems[0].name).toBe(
      'change-role',
    );
    expect((await browser.patch(`${here}/users/${userId}`, { name: 'Demo administrator' })).status).toBe(200);
  });

  test('chooses another password, which ends all other sessions', async () => {
    const berit = await join();
    const elsewhere = openBrowser(kontor.baseUrl);
    await elsewhere.signIn(berit.signIn);
    const newPassword = 'a boat, a net, and patience';
    const before = berit.browser.cookie;
    expect((await berit.browser.post('/portal/api/account/password', { newPassword })).status).toBe(200);
    expect(berit.browser.cookie).not.toBe(before);
    expect((await berit.browser.get('/portal/api/session')).status).toBe(200);
    expect((await elsewhere.get('/portal/api/session')).status).toBe(401);
    expect((await elsewhere.signIn(berit.signIn)).status).toBe(401);
    expect((await elsewhere.signIn({ email: berit.email, password: newPassword })).status).toBe(200);
  });

  test('of another payee is unknown, and operators have their own', async () => {
    const { user } = await invite();
    const other = await kontor.addPayee();
    const operator = await signedIn(kontor, 'operator');
    const elsewhere = `/portal/api/payees/${other.payeeId}/users`;
    for (const request of [
      () => operator.patch(`${elsewhere}/${user.userId}`, { name: 'X' }),
      () => operator.post(`${elsewhere}/${user.userId}/disable`),
      () => operator.post(`${elsewhere}/${user.userId}/invitation`),
      () => browser.get(elsewhere),
      () => browser.get(`/portal/api/payees/${OPERATOR}/users`),
    ]) {
      expect((await request()).status).toBe(404);
    }
    expect((await operator.get(elsewhere)).body).toEqual({ users: [] });
    const { users } = (await operator.get(`/portal/api/payees/${OPERATOR}/users`)).body;
    expect(users).toMatchObject([{ role: 'operator', email: 'operator@kontor.example' }]);
    const colleague = await invite('operator', operator, `/portal/api/payees/${OPERATOR}`);
    expect(colleague.user.role).toBe('operator');
  });
});

describe('a second factor', () => {
  /** A person who has set one up. */
  async function secured() {
    const berit = await join();
    const { secret, uri } = (await berit.browser.post('/portal/api/account/second-factor')).body;
    expect(uri).toContain(`secret=${secret}`);
    const seed = seedOf(secret);
    // The code after it is taken too, for phones whose clocks are fast: so no test has to wait for it.
    const used = Math.floor(Date.now() / 30_000);
    const wrong = await berit.browser.post('/portal/api/account/second-factor/confirm', { code: '000000' });
    expect(wrong.status).toBe(400);
    const confirmed = await berit.browser.post('/portal/api/account/second-factor/confirm', {
      code: codeOfStep(seed, used),
    });
    expect(confirmed.status).toBe(200);
    expect(confirmed.body.session).toMatchObject({ secondFactor: 'on', recoveryCodesLeft: 10 });
    return { ...berit, seed, used, recoveryCodes: confirmed.body.recoveryCodes as string[] };
  }

  test('is asked for after the password, and takes no code twice', async () => {
    const { signIn, seed, used } = await secured();
    const own = openBrowser(kontor.baseUrl);
    expect((await own.signIn(signIn)).body).toEqual({ next: 'second-factor' });
    expect((await own.get('/portal/api/session')).status).toBe(401);
    expect((await own.signIn({ ...signIn, code: codeOfStep(seed, used) })).status).toBe(401);
    const code = codeOfStep(seed, used + 1);
    expect((await own.signIn({ ...signIn, code })).body.next).toBe('none');
    expect((await openBrowser(kontor.baseUrl).signIn({ ...signIn, code })).status).toBe(401);
  });

  test('is not asked for, and says nothing, where the password is wrong', async () => {
    const { email, seed, used } = await secured();
    const answer = await openBrowser(kontor.baseUrl).signIn({
      email,
      password: 'something else entirely',
      code: codeOfStep(seed, used + 1),
    });
    expect(answer.status).toBe(401);
  });

  test('is stood in for by a recovery code, once each', async () => {
    const { signIn, recoveryCodes, browser: first } = await secured();
    const [one = '', two = ''] = recoveryCodes;
    const own = openBrowser(kontor.baseUrl);
    const answer = await own.signIn({ ...signIn, code: one.toUpperCase() });
    expect(answer.body.session.recoveryCodesLeft).toBe(9);
    expect((await own.signIn({ ...signIn, code: one })).status).toBe(401);
    const fresh = (await first.post('/portal/api/account/recovery-codes')).body.recoveryCodes;
    expect(fresh).toHaveLength(10);
    expect((await own.signIn({ ...signIn, code: two })).status).toBe(401);
    expect((await own.signIn({ ...signIn, code: fresh[0] })).status).toBe(200);
  });

  test('is gone with a new invitation, and the sessions with it', async () => {
    const { user, browser: own, email } = await secured();
    const answer = await browser.post(`${here}/users/${user.userId}/invitation`);
    expect((await own.get('/portal/api/session')).status).toBe(200);
    const invitation = new URL(answer.body.invitation.link).hash.slice(1);
    const anew = openBrowser(kontor.baseUrl);
    const accepted = await anew.post('/portal/api/invitations/accept', { invitation, password: `${PASSWORD} again` });
    expect(accepted.body.session.secondFactor).toBe('none');
    expect((await own.get('/portal/api/session')).body).toMatchObject({
      status: 401,
      problems: [{ name: 'password' }],
    });
    expect((await anew.signIn({ email, password: `${PASSWORD} again` })).body.next).toBe('none');
  });

  test('is sealed, and its codes are digested', async () => {
    const { seed, recoveryCodes, email } = await secured();
    const { rows } = await kontor.database.read<{ text: string }>(
      {
        name: 'test-portal-tables',
        text: `select (select json_agg(f) from portal_second_factor f)::text || (select json_agg(u) from portal_user u)::text ||
          (select json_agg(l) from portal_login l)::text || (select json_agg(a) from audit a)::text as text`,
      },
      [],
    );
    const [{ text } = { text: '' }] = rows;
    const secrets = [seed.reveal().toString('hex'), email, PASSWORD, ...recoveryCodes];
    for (const secret of secrets) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});
