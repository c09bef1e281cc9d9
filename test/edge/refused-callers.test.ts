import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/server/open-database.ts';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { OPERATOR } from '../../src/kit/ids.ts';
import { createOAuthClient } from '../../src/merchants/oauth/oauth-clients.ts';
import { type TestService, testService } from '../support/service.ts';
import { signedIn } from '../support/shop/portal.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

/** A row of the audit trail as these tests look at it. */
interface Row {
  readonly payeeId: string;
  readonly actor: string;
  readonly action: string;
  readonly objectId: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly sessionId: string;
}

const rowsOf = async (reason: string): Promise<readonly Row[]> => {
  const rows = await kontor.database.asAdmin(
    `select payee_id as "payeeId", concat_ws(':', actor_kind, actor_id) as actor, action, object_id as "objectId", details, session_id::text as "sessionId"
     from audit where details ->> 'reason' = '${reason}' order by audit_id`,
  );
  return rows as unknown as readonly Row[];
};
const rowOf = async (reason: string): Promise<Row> => {
  await until(async () => (await rowsOf(reason)).length > 0);
  const [row] = await rowsOf(reason);
  return row as Row;
};
const PATH = '/psp/creditcard/payments/01980000-0000-7000-8000-000000000000';
const sending = (accessToken: string | null) => kontor.send('GET', PATH, { accessToken });

describe('a caller whose access token was once valid', () => {
  test("is in the payee's audit trail, which its people see", async () => {
    const accessToken = await kontor.addAccessToken(['payments']);
    await kontor.database.asAdmin(`update access_token set revoked_at = kontor_now() where name = 'Test'`);
    await until(async () => (await sending(accessToken)).status === 401);
    const row = await rowOf('revoked-token');
    expect(row).toMatchObject({
      payeeId: kontor.payeeId,
      actor: `access-token:${row.objectId}`,
      action: 'refuse-access-token',
      details: { reason: 'revoked-token', address: '127.0.0.1', times: 1 },
    });
    const admin = await signedIn(kontor, 'administrator');
    const { body } = await admin.get(`/portal/api/payees/${kontor.payeeId}/activity`);
    expect(body.entries.map((entry: Row) => entry.action)).toContain('refuse-access-token');
  });

  test('says that it has ended, where it has', async () => {
    const accessToken = await kontor.addAccessToken(['payments']);
    await kontor.database.asAdmin(
      `update access_token set created_at = kontor_now() - interval '2 days', expires_at = kontor_now() - interval '1 day'
       where name = 'Test' and revoked_at is null`,
    );
    await until(async () => (await sending(accessToken)).status === 401);
    expect(await rowOf('expired-token')).toMatchObject({ payeeId: kontor.payeeId, action: 'refuse-access-token' });
  });
});

test("a right access token with a wrong signature is in the payee's audit trail, with what was wrong", async () => {
  const { payeeId, accessToken, hmac } = await kontor.addPayee();
  const post = (options: object) =>
    kontor.send('POST', '/api/payments/ping', { accessToken, body: {}, ...options }).then(({ status }) => status);
  const wrong = { user: hmac.user, secret: 'x'.repeat(43) };
  const ways = {
    missing: { hmac: null },
    'wrong-digest': { hmac: wrong },
    'unknown-key': { hmac: { user: 'hk_0000000000000000', secret: wrong.secret } },
    malformed: { hmac: null, headers: { hmac: 'nonsense' } },
  };
  for (const [fault, way] of Object.entries(ways)) expect([fault, await post(way)]).toEqual([fault, 401]);
  for (const fault of Object.keys(ways)) {
    const row = await rowOf(fault);
    expect(row).toMatchObject({ payeeId, action: 'refuse-signature', objectId: payeeId });
    expect(row.actor).toMatch(/^access-token:/);
  }
});

test("an OAuth client of ours with a wrong secret is its payee's, and an unknown one the operators'", async () => {
  const { clientId } = await kontor.service.database.transact((transaction) =>
    createOAuthClient(transaction, kontor.service.merchants, {
      payeeId: kontor.payeeId,
      name: 'Shop',
      scopes: ['payments'],
      actor: COMMAND_LINE,
    }),
  );
  const ask = (id: string) =>
    fetch(`${kontor.baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: 'ks_SECRETsecret' }),
    });
  expect((await ask(clientId)).status).toBe(401);
  const known = await rowOf('wrong-secret');
  expect(known).toMatchObject({ payeeId: kontor.payeeId, action: 'refuse-oauth-client', objectId: clientId });
  expect((await ask(`${clientId.slice(0, -1)}${clientId.endsWith('x') ? 'y' : 'x'}`)).status).toBe(401);
  expect(await rowOf('unknown-client')).toMatchObject({ payeeId: OPERATOR, actor: 'stranger' });
});

test("unknown callers are in the operators' audit trail, which operators see", async () => {
  const { accessToken } = kontor;
  const unknown = await kontor.addAccessToken(['payments']);
  await kontor.database.asAdmin(
    `delete from access_token where name = 'Test' and revoked_at is null and expires_at > kontor_now()`,
  );
  const ways = { 'no-token': null, 'malformed-token': `${accessToken.slice(0, -1)}-`, 'unknown-token': unknown };
  for (const token of Object.values(ways)) await until(async () => (await sending(token)).status === 401);
  const answer = await fetch(`${kontor.baseUrl}/portal/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: kontor.baseUrl },
    body: JSON.stringify({ email: 'nobody@shop.example', password: 'SECRETsecretSECRET' }),
  });
  expect(answer.status).toBe(401);
  for (const reason of Object.keys(ways)) {
    expect(await rowOf(reason)).toMatchObject({
      payeeId: OPERATOR,
      actor: 'stranger',
      action: 'refuse-stranger',
      objectId: OPERATOR,
      details: { reason, address: '127.0.0.1' },
    });
  }
  expect(await rowOf('unknown-user')).toMatchObject({ payeeId: OPERATOR, sessionId: answer.headers.get('session-id') });
  const operator = await signedIn(kontor, 'operator');
  const { body } = await operator.get(`/portal/api/payees/${OPERATOR}/activity`);
  expect(body.entries.map((entry: Row) => entry.action)).toContain('refuse-stranger');
});

test('no answer waits for the audit trail: where it takes nothing, callers are refused and served as before', async () => {
  const owner = openDatabase({ url: kontor.database.ownerUrl });
  onTestFinished(() => owner.close());
  const other = await kontor.addPayee();
  await owner.transact(async (transaction) => {
    await transaction.run({ name: 'test-lock-audit', text: 'lock table audit in access exclusive mode' }, []);
    const ping = { accessToken: other.accessToken, hmac: null, body: {} };
    for (let sent = 0; sent < 50; sent++) {
      expect((await kontor.send('POST', '/api/payments/ping', ping)).status).toBe(401);
      expect((await sending(null)).status).toBe(401);
      expect((await kontor.send('GET', PATH)).status).toBe(404);
    }
    await until(async () => (await waitingForLocks()) > 0);
  });
  const rows = async () => (await rowsOf('missing')).filter(({ payeeId }) => payeeId === other.payeeId);
  await until(async () => (await rows()).length > 0);
});

const waitingForLocks = async (): Promise<number> => {
  const [row] = await kontor.database.asAdmin(
    `select count(*)::integer as count from pg_locks where not granted and relation = 'audit'::regclass`,
  );
  return Number(row?.['count']);
};

test('the ones like it are counted and not written, and no secret is anywhere', async () => {
  const before = await rowsOf('malformed-token');
  const statuses = new Set<number>();
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => sending(`kt_test_SECRET${round}x${index}`)),
    );
    for (const { status } of answers) statuses.add(status);
  }
  expect([...statuses]).toEqual([401]);
  await kontor.running.stop();
  const rows = (await rowsOf('malformed-token')).slice(before.length);
  expect(rows.map(({ details }) => details['times'])).toEqual([1000]);
  const [secrets] = await kontor.database.asAdmin(
    `select count(*)::integer as count from audit where audit::text like '%SECRET%'`,
  );
  expect(secrets?.['count']).toBe(0);
});
