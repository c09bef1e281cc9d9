import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disableIdleUsers } from '../../src/portal-users/disable-idle-users.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, openBrowser, PASSWORD, signedIn } from '../support/shop/portal.ts';

let kontor: TestService;
let browser: Browser;
beforeAll(async () => {
  kontor = await testService();
  browser = await signedIn(kontor);
});
afterAll(() => kontor.stop());

const users = () => `/portal/api/payees/${kontor.payeeId}/users`;
const disable = () => kontor.service.database.transact((transaction) => disableIdleUsers(transaction, 90));

async function join() {
  const email = `idle-${randomUUID()}@example.com`;
  const { body } = await browser.post(users(), { email, name: 'Berit', role: 'support' });
  const invitation = new URL(body.invitation.link).hash.slice(1);
  const own = openBrowser(kontor.baseUrl);
  await own.post('/portal/api/invitations/accept', { invitation, password: PASSWORD });
  const userId = body.user.userId as string;
  const shift = (column: string, interval: string) =>
    kontor.database.asAdmin(
      `update portal_user set ${column} = ${column} - interval '${interval}' where user_id = '${userId}'`,
    );
  const state = async () => {
    const listed = (await browser.get(users())).body.users as { userId: string; state: string }[];
    return listed.find((user) => user.userId === userId)?.state;
  };
  const leave = async (interval: string) => {
    await shift('created_at', interval);
    await shift('last_sign_in_at', interval);
  };
  return { email, own, userId, leave, state };
}

test('who was not there for 90 days is disabled, once, and signed out', async () => {
  const [gone, here] = [await join(), await join()];
  await gone.leave('90 days 1 second');
  await here.leave('89 days');
  await Promise.all([disable(), disable()]);
  expect([await gone.state(), await here.state()]).toEqual(['Disabled', 'Active']);
  const ended = await gone.own.get('/portal/api/session');
  expect([ended.status, ended.body.problems[0].name]).toEqual([401, 'disabled']);
  expect((await gone.own.signIn({ email: gone.email, password: PASSWORD })).status).toBe(401);
  const { rows } = await kontor.database.read<{ action: string; actor: string }>(
    {
      name: 'test-idle',
      text: `select action, concat_ws(':', actor_kind, actor_id) as actor from audit where object_id = $1 and action like 'disable-%'`,
    },
    [gone.userId],
  );
  expect(rows).toEqual([{ action: 'disable-idle-portal-user', actor: 'service' }]);
});

test('who was enabled again is there for another 90 days', async () => {
  const gone = await join();
  await gone.leave('200 days');
  await disable();
  await browser.post(`${users()}/${gone.userId}/enable`);
  await disable();
  expect(await gone.state()).toBe('Active');
  expect((await gone.own.signIn({ email: gone.email, password: PASSWORD })).status).toBe(200);
});

test('who is invited, for the first time or anew, is waited for', async () => {
  const { body } = await browser.post(users(), { email: `${randomUUID()}@example.com`, name: 'Ada', role: 'support' });
  await kontor.database.asAdmin(
    `update portal_user set created_at = created_at - interval '1 year' where user_id = '${body.user.userId}'`,
  );
  const gone = await join();
  await gone.leave('100 days');
  await browser.post(`${users()}/${gone.userId}/invitation`);
  await disable();
  expect(await gone.state()).toBe('Active');
  const listed = (await browser.get(users())).body.users as { userId: string; state: string }[];
  expect(listed.find(({ userId }) => userId === body.user.userId)?.state).toBe('Invited');
});

test('a sandbox disables no one by itself, production after 90 days', async () => {
  expect(kontor.config.portalIdleDays).toBe(0);
});
