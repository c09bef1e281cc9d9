import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../src/kit/errors.ts';
import { codeOfStep } from '../../src/portal-users/passwords/second-factor.rules.ts';
import { beginSignIn, finishSignIn } from '../../src/portal-users/sessions/sign-in.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, openBrowser, PASSWORD, seedOf, signedIn } from '../support/shop/portal.ts';

let kontor: TestService;
let administrator: Browser;
beforeAll(async () => {
  // Each request says by its proxy where it comes from.
  kontor = await testService({
    KONTOR_TRUSTED_PROXIES: '127.0.0.1',
    KONTOR_SIGN_INS_PER_MINUTE: '0',
    KONTOR_FAILURES_PER_MINUTE: '0',
  });
  administrator = await signedIn(kontor);
});
afterAll(() => kontor.stop());

const users = () => `/portal/api/payees/${kontor.payeeId}/users`;
const confirm = '/portal/api/account/second-factor/confirm';
let networks = 0;
/** An address in a network that no other is in: another /48. */
const anywhere = () => `2001:db8:${(++networks).toString(16)}::1`;
const HOME = '192.0.2.10';

/** A person of the payee with a second factor, signed in from home. */
async function secured() {
  const email = `guessed-${randomUUID()}@example.com`;
  const { body } = await administrator.post(users(), { email, name: 'Berit Example', role: 'administrator' });
  const invitation = new URL(body.invitation.link).hash.slice(1);
  const browser = openBrowser(kontor.baseUrl);
  await browser.post('/portal/api/invitations/accept', { invitation, password: PASSWORD }, { 'x-forwarded-for': HOME });
  const step = Math.floor(Date.now() / 30_000);
  const { secret } = (await browser.post('/portal/api/account/second-factor')).body;
  const seed = seedOf(secret);
  const { body: confirmed } = await browser.post(confirm, { code: codeOfStep(seed, step - 1) });
  const codes = [codeOfStep(seed, step), codeOfStep(seed, step + 1)];
  return { email, browser, codes, userId: body.user.userId as string, recoveryCodes: confirmed.recoveryCodes };
}
type Secured = Awaited<ReturnType<typeof secured>>;

const enter = (email: string, more: object = {}, from = anywhere(), browser = openBrowser(kontor.baseUrl)) =>
  browser.post('/portal/api/session', { email, password: PASSWORD, ...more }, { 'x-forwarded-for': from });
const WRONG = { code: 'aaaa-aaaa-aaaa' };

async function wrongCodes({ email }: Pick<Secured, 'email'>, times: number): Promise<void> {
  for (let tried = 0; tried < times; tried++) expect((await enter(email, WRONG)).status).toBe(401);
}

const rowsAbout = <Row>(userId: string, text: string) =>
  kontor.database.read<Row & Record<string, unknown>>({ name: `test-guessed-codes-${text.length}`, text }, [userId]);

describe('who knows the password', () => {
  const codesSent = IS_LONG_RUN ? 120 : 16;

  test(`has ten looks at a code, however many networks they come from`, async () => {
    const { email, codes } = await secured();
    const statuses: number[] = [];
    for (let tried = 0; tried < codesSent; tried++) statuses.push((await enter(email, WRONG)).status);
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(codesSent - 10).fill(403)]);
    const right = await enter(email, { code: codes[1] });
    expect([right.status, right.body.problems]).toEqual([403, [expect.objectContaining({ name: 'wrong-codes' })]]);
    expect((await enter(email, { password: 'another one altogether' })).status).toBe(401);
  }, 120_000);

  test('has ten for 120 codes at the same moment, whether six digits or recovery codes', async () => {
    const { email } = await secured();
    const { transact } = kontor.service.database;
    const { portalUsers } = kontor.service;
    const attempt = await transact((transaction) =>
      beginSignIn(transaction, portalUsers, { email, address: anywhere(), isExempt: false }),
    );
    const finish = async (code: string) => {
      const from = { sessionId: randomUUID(), address: anywhere(), renewed: undefined };
      const compared = { ...attempt, ...from, isRight: true, code };
      // On a busy machine some wait in vain for the user's row or a connection: they are refused, and come again as people do.
      for (;;) {
        try {
          return await transact((transaction) => finishSignIn(transaction, portalUsers, compared));
        } catch (error) {
          if (!(error instanceof Refusal && error.code === 'unavailable')) throw error;
        }
      }
    };
    const outcomes = await Promise.all(
      Array.from({ length: 120 }, (_, index) => finish(index % 2 === 0 ? WRONG.code : String(index).padStart(6, '9'))),
    );
    const states = outcomes.map(({ state }) => state);
    expect(states.filter((state) => state === 'wrong-code')).toHaveLength(10);
    expect(states.filter((state) => state === 'closed')).toHaveLength(110);
    expect(outcomes.filter((outcome) => outcome.state === 'wrong-code' && outcome.hasClosed)).toHaveLength(1);
  });

  test('has none left when the password is asked for again, and no session ends by it', async () => {
    const { email, browser, codes } = await secured();
    await wrongCodes({ email }, 4);
    const again = (more: object) => browser.post('/portal/api/session/reauthenticate', { password: PASSWORD, ...more });
    for (let tried = 4; tried < 10; tried++) expect((await again(WRONG)).status).toBe(401);
    expect((await again({ code: codes[0] })).status).toBe(403);
    expect((await enter(email, { code: codes[0] })).status).toBe(403);
    expect((await browser.get('/portal/api/session')).status).toBe(200);
  });

  test('begins anew the next day', async () => {
    const { email, userId } = await secured();
    await wrongCodes({ email }, 9);
    await kontor.database.asAdmin(
      `update portal_user_watch set wrong_codes_since = wrong_codes_since - interval '1 day' where user_id = '${userId}'`,
    );
    await wrongCodes({ email }, 9);
    expect((await enter(email)).body.next).toBe('second-factor');
  });
});

describe('a user with whose password wrong codes came', () => {
  test('is told at the next sign-in, and not at the one after it', async () => {
    const { email, codes, recoveryCodes } = await secured();
    await wrongCodes({ email }, 7);
    const told = (await enter(email, { code: codes[0] })).body.session;
    expect(told.wrongCodes).toBe(7);
    expect(Date.parse(told.wrongCodesSince)).toBeLessThan(Date.parse(told.signedInAt));
    const next = (await enter(email, { code: recoveryCodes[0] })).body.session;
    expect(next).toMatchObject({ wrongCodes: 0, wrongCodesSince: null });
    // Three are left of the day: to be right once forgives none.
    await wrongCodes({ email }, 3);
    expect((await enter(email)).status).toBe(403);
  });

  test('is closed in lists, in the trail, by an event, in the metrics, and open with a new invitation', async () => {
    const closed = await secured();
    const { email, userId } = closed;
    await wrongCodes(closed, 10);
    const listed = (await administrator.get(users())).body.users as { userId: string; state: string }[];
    expect(listed.find((user) => user.userId === userId)?.state).toBe('Closed');
    const trail = await rowsAbout<{ action: string; actor: string; reason: string }>(
      userId,
      `select action, concat_ws(':', actor_kind, actor_id) as actor, details->>'reason' as reason from audit where object_id = $1 order by audit_id desc limit 2`,
    );
    expect(trail.rows).toEqual([
      { action: 'close-portal-user', actor: 'service', reason: null },
      { action: 'refuse-sign-in', actor: `portal-user:${userId}`, reason: 'wrong-code' },
    ]);
    const events = await rowsAbout(userId, 'select type, payload from event where resource_id = $1');
    expect(events.rows).toEqual([{ type: 'portal-user.closed', payload: { wrongCodes: 10 } }]);
    const metrics = await (await fetch(`${kontor.baseUrl}/metrics`)).text();
    expect(metrics).toMatch(/kontor_portal_sign_ins_total\{outcome="wrong-code"\} [1-9]/);
    expect(metrics).toMatch(/kontor_portal_users_closed_total [1-9]/);

    const { body } = await administrator.post(`${users()}/${userId}/invitation`);
    expect((await enter(email)).status).toBe(403);
    const invitation = new URL(body.invitation.link).hash.slice(1);
    const browser = openBrowser(kontor.baseUrl);
    const password = `${PASSWORD} again`;
    const accepted = await browser.post('/portal/api/invitations/accept', { invitation, password });
    expect(accepted.body.session).toMatchObject({ wrongCodes: 10 });
    expect((await enter(email, { password })).body.next).toBe('none');
  });

  test('is open with another password', async () => {
    const { email, browser } = await secured();
    await wrongCodes({ email }, 10);
    expect((await enter(email)).status).toBe(403);
    const newPassword = 'a boat, a net, and patience 4';
    expect((await browser.post('/portal/api/account/password', { newPassword })).status).toBe(200);
    expect((await enter(email, { password: newPassword })).body.next).toBe('second-factor');
  });
});

describe('wrong passwords', () => {
  const wrong = { password: 'another one altogether' };

  test('are ten for a user from all networks that are not known, and none of them locks the user out at home', async () => {
    const { email, codes } = await secured();
    expect((await enter(email, { code: codes[0] }, HOME)).status).toBe(200);
    for (let tried = 0; tried < 10; tried++) expect((await enter(email, wrong)).status).toBe(401);
    expect((await enter(email, wrong)).status).toBe(429);
    expect((await enter(email, {}, HOME)).body.next).toBe('second-factor');
    // At home ten are too many as well.
    for (let tried = 0; tried < 10; tried++) expect((await enter(email, wrong, HOME)).status).toBe(401);
    expect((await enter(email, {}, HOME)).status).toBe(429);
  });

  test('are counted the same for an address that no user has', async () => {
    const email = 'no-such-user@example.com';
    for (let tried = 0; tried < 10; tried++) expect((await enter(email, wrong)).status).toBe(401);
    expect((await enter(email, wrong)).status).toBe(429);
  });

  test('are counted by the /48 that they come from too', async () => {
    await kontor.database.asAdmin('truncate attempt');
    const small = (index: number) => `2001:db8:ffff:${(index * 256).toString(16)}::1`;
    for (let tried = 0; tried < 2; tried++) await enter(`a${tried}@example.com`, wrong, small(tried));
    const { rows } = await kontor.database.read<{ count: number }>(
      {
        name: 'test-of-networks',
        text: `select count from attempt where kind = 'portal-sign-in-network' order by count`,
      },
      [],
    );
    expect(rows.map(({ count }) => count)).toEqual([1, 1, 2]);
  });

  test('from a network of long ago lock the user out there too', async () => {
    const { email, codes, userId } = await secured();
    expect((await enter(email, { code: codes[0] }, HOME)).status).toBe(200);
    await kontor.database.asAdmin(
      `update portal_known_network set signed_in_at = signed_in_at - interval '90 days' where user_id = '${userId}'`,
    );
    for (let tried = 0; tried < 10; tried++) await enter(email, wrong);
    expect((await enter(email, {}, HOME)).status).toBe(429);
  });
});

test('who replaces a second factor ends the other sessions of its user, which say why, and an event tells of it', async () => {
  const { email, browser, codes, userId } = await secured();
  const elsewhere = openBrowser(kontor.baseUrl);
  await enter(email, { code: codes[0] }, HOME, elsewhere);
  const { secret } = (await browser.post('/portal/api/account/second-factor')).body;
  const code = codeOfStep(seedOf(secret), Math.floor(Date.now() / 30_000));
  expect((await browser.post(confirm, { code })).status).toBe(200);
  expect((await browser.get('/portal/api/session')).status).toBe(200);
  const ended = await elsewhere.get('/portal/api/session');
  expect([ended.status, ended.body.problems[0].name]).toEqual([401, 'second-factor']);
  const events = await rowsAbout(userId, 'select type, payload from event where resource_id = $1 ');
  expect(events.rows).toEqual([{ type: 'portal-user.second-factor-replaced', payload: {} }]);
});
