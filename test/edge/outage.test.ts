import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/db/server/connection.ts';
import { startServer, type TestServer } from '../support/database/server.ts';
import { checkProblemBody, codeOf } from '../support/prober/answers.ts';
import { type RouteRequest, SESSION_ID, sendRequest } from '../support/prober/routes-requests.ts';
import { type TestService, testService } from '../support/service.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let kontor: TestService;
/** An access token that was never looked up. */
let fresh: string;
beforeAll(async () => {
  server = await startServer();
  kontor = await testService({
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: server.appUrl,
    KONTOR_DATABASE_OWNER_URL: server.ownerUrl,
  });
  fresh = await kontor.addAccessToken(['tokens:read']);
});
afterAll(async () => {
  await kontor.stop();
  await server.remove();
});

const list = (): RouteRequest => ({
  method: 'GET',
  path: `/online/payer/payees/${kontor.payeeId}/payers/anna/tokens`,
  accessToken: kontor.accessToken,
  headers: { 'session-id': SESSION_ID },
  body: undefined,
});
const archiveAll = (): RouteRequest => ({
  ...list(),
  method: 'PATCH',
  path: list().path.replace(/tokens$/, 'archives'),
  headers: { ...list().headers, 'content-type': 'application/json' },
  body: '{"reason":"x","updatedBy":"PAYEE"}',
});
const send = (request: RouteRequest) => sendRequest(kontor.baseUrl, request);
const health = async (path: string) => (await kontor.send('GET', path, { accessToken: null })).status;

describe('while the database is away', () => {
  test('reads and changes are 503 and have no effect, readiness says so, and afterwards all is as before', async () => {
    expect((await send(list())).status).toBe(200);
    expect((await send(archiveAll())).status).toBe(200);
    await server.restart(async () => {
      // An access token is known for a moment after it was looked up; the answer is the same with and without.
      for (const request of [list(), archiveAll(), { ...list(), accessToken: fresh }, archiveAll()]) {
        const answer = await send(request);
        expect(codeOf(answer)).toBe('unavailable');
        checkProblemBody(answer);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
      expect(await health('/health/live')).toBe(200);
      const notReady = await kontor.send('GET', '/health/ready', { accessToken: null });
      expect(notReady).toMatchObject({ status: 503, body: { status: 'not ready' } });
      expect(notReady.headers.get('retry-after')).toBe('1');
      const oauth = await kontor.send('POST', '/oauth/token', {
        accessToken: null,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `grant_type=client_credentials&client_id=kc_${'0'.repeat(32)}_${'a'.repeat(16)}&client_secret=x`,
      });
      expect(oauth.status).toBe(503);
    });
    expect((await send(list())).status).toBe(200);
    expect((await send(archiveAll())).status).toBe(200);
    expect(await health('/health/ready')).toBe(200);
  });

  test('whose sessions are ended, requests are answered or 503, and soon all are answered', async () => {
    const connection = await connect(server.adminUrl);
    await connection.command(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'kontor_app'`);
    await connection.end();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(index % 2 ? list() : archiveAll())),
    );
    for (const { status } of answers) expect([200, 503]).toContain(status);
    await until(async () => (await send(list())).status === 200 && (await send(archiveAll())).status === 200);
  });
});
