import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAddresses } from '../../src/portal-users/end-addresses.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, openBrowser, PASSWORD, signedIn } from '../support/shop/portal.ts';

// What is known of people who work with the portal ends too: the addresses of those who are gone, and where people were in the audit trail.

let kontor: TestService;
let browser: Browser;
beforeAll(async () => {
  kontor = await testService();
  browser = await signedIn(kontor);
});
afterAll(() => kontor.stop());

const users = () => `/portal/api/payees/${kontor.payeeId}/users`;
const end = (days = 540) =>
  kontor.database.transact((transaction) => endAddresses(transaction, kontor.service.portalUsers, days));
const sql = (text: string) => kontor.database.asAdmin(text);

async function disabled(daysAgo: number) {
  const email = `${randomUUID()}@example.com`;
  const { body } = await browser.post(users(), { email, name: 'Berit', role: 'support' });
  const { userId } = body.user as { readonly userId: string };
  await browser.post(`${users()}/${userId}/disable`);
  await sql(`update portal_user set created_at = created_at - interval '${daysAgo} days',
    disabled_at = disabled_at - interval '${daysAgo} days' where user_id = '${userId}'`);
  const listed = async () =>
    (await browser.get(users())).body.users.find((user: { readonly userId: string }) => user.userId === userId);
  return { email, userId, listed };
}

test('the address of a user ends 540 days after they were disabled; who is enabled then is invited anew', async () => {
  const [gone, recent] = [await disabled(541), await disabled(539)];
  await end(0);
  expect((await gone.listed()).email).toBe(gone.email);
  expect(await end()).toBe(false);
  expect([(await gone.listed()).email, (await gone.listed()).name]).toEqual(['', 'Berit']);
  expect((await recent.listed()).email).toBe(recent.email);
  const refused = await browser.post(`${users()}/${gone.userId}/enable`);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Invite the person again')]);
  expect((await browser.post(`${users()}/${recent.userId}/enable`)).status).toBe(200);
  const again = await browser.post(users(), { email: gone.email, name: 'Berit', role: 'support' });
  expect(again.status).toBe(200);
});

test('where a person was ends in the audit trail after 540 days, and nothing else of the row', async () => {
  const own = openBrowser(kontor.baseUrl);
  const invited = await browser.post(users(), { email: `${randomUUID()}@example.com`, name: 'Cora', role: 'support' });
  const invitation = new URL(invited.body.invitation.link).hash.slice(1);
  await own.post('/portal/api/invitations/accept', { invitation, password: PASSWORD });
  const objectId = String(invited.body.user.userId);
  const rows = () => sql(`select * from audit where object_id = '${objectId}' order by audit_id`);
  const before = await rows();
  expect(JSON.stringify(before)).toContain('127.0.0.1');
  await end();
  expect(await rows()).toEqual(before);
  // A superuser may leave triggers out, to make rows old.
  await sql(`set session_replication_role = replica;
    update audit set happened_at = happened_at - interval '541 days' where object_id = '${objectId}';`);
  await sql('set session_replication_role = origin');
  const old = await rows();
  await end();
  const withoutAddress = old.map(({ details, ...row }) => {
    const { address: _, ...others } = details as Readonly<Record<string, unknown>>;
    return { ...row, details: others };
  });
  expect(await rows()).toEqual(
    withoutAddress.map(({ details, ...row }) => expect.objectContaining({ ...row, details })),
  );
  expect(JSON.stringify(await rows())).not.toContain('127.0.0.1');
});

test.each([
  "update audit set actor_kind = 'nobody'",
  'update audit set details = details || \'{"a": 1}\'',
  "update audit set details = details - 'address', happened_at = kontor_now()",
  "update audit set details = details - 'role'",
])('an old row is not changed otherwise, by its owner either: %s', async (change) => {
  await sql(`set session_replication_role = replica;
    update audit set happened_at = happened_at - interval '541 days' where action = 'create-portal-user';`);
  await sql('set session_replication_role = origin');
  await expect(sql(`set role kontor_owner; ${change} where action = 'create-portal-user'`)).rejects.toThrow(
    'stay as they are',
  );
});
