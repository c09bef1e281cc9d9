import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { checkProblemBody, codeOf } from '../support/prober/answers.ts';
import { type ProductionService, productionService } from '../support/prober/routes-production.ts';
import { type RouteRequest, SESSION_ID, sendRequest } from '../support/prober/routes-requests.ts';
import { testService } from '../support/service.ts';

const LIMITS = { KONTOR_REQUESTS_PER_MINUTE: '5', KONTOR_FAILURES_PER_MINUTE: '3' };
const TOO_MANY = 'toomanyrequests';

let kontor: ProductionService;
beforeEach(async () => {
  kontor = await productionService(LIMITS);
});
afterEach(() => kontor.stop());

describe('limits in production', () => {
  const list = (accessToken: string | null, path = 'payers/anna/tokens'): RouteRequest => ({
    method: 'GET',
    path: `/online/payer/payees/${kontor.payeeId}/${path}`,
    accessToken,
    headers: { 'session-id': SESSION_ID },
    body: undefined,
  });
  const send = (request: RouteRequest) => sendRequest(kontor.baseUrl, request);

  test('each credential has its requests a minute, whatever they are for, and hears how many are left', async () => {
    const accessToken = await kontor.addAccessToken();
    const requests = [
      list(accessToken),
      list(accessToken, 'tokens/unknown'),
      { ...list(accessToken), path: '/psp/nowhere' },
      { ...list(accessToken), method: 'PUT' },
      list(accessToken),
    ];
    for (const [index, request] of requests.entries()) {
      const { status, headers } = await send(request);
      expect(status).toBe([200, 404, 404, 405, 200][index]);
      expect(headers['ratelimit-policy']).toBe('"requests";q=5;w=60');
      expect(headers['ratelimit']).toMatch(new RegExp(`^"requests";r=${4 - index};t=([1-9]|[1-5][0-9]|60)$`));
    }
    const answer = await send(list(accessToken));
    expect(codeOf(answer)).toBe(TOO_MANY);
    checkProblemBody(answer);
    expect(answer.headers['ratelimit']).toMatch(/^"requests";r=0;t=\d+$/);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await send(list(await kontor.addAccessToken()))).status, 'another credential has its own').toBe(200);
  });

  test('429 comes before 403 and 404, after 401', async () => {
    const accessToken = await kontor.addAccessToken(['accounts']);
    for (let sent = 0; sent < 5; sent++) expect((await send(list(accessToken))).status).toBe(403);
    expect((await send(list(accessToken))).status).toBe(429);
    expect((await send(list(accessToken, 'tokens/unknown'))).status).toBe(429);
    expect((await send({ ...list(accessToken), path: '/online/nowhere' })).status).toBe(429);
    expect((await send(list(null))).status).toBe(401);
  });

  test('failed credentials are counted by address: then 429 comes before 401, and valid ones still work', async () => {
    const statuses = [];
    for (const accessToken of [null, 'nonsense', null, 'nonsense', null]) {
      statuses.push((await send(list(accessToken))).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const answer = await send(list(null));
    expect(codeOf(answer)).toBe(TOO_MANY);
    checkProblemBody(answer);
    expect(answer.headers['ratelimit-policy']).toBe('"failures";q=3;w=60');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send({ ...list(null), method: 'PUT' })).status, 'also where there is no route').toBe(429);
    expect((await send(list(kontor.accessToken))).status).toBe(200);
  });

  test('strangers who are refused are refused sooner, and their network alone', async () => {
    const origin = new URL(kontor.baseUrl).origin;
    const signIn: RouteRequest = {
      method: 'POST',
      path: '/portal/api/session',
      accessToken: null,
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: '1'.repeat(60_000), password: 'x' }),
    };
    const statuses = [];
    for (let sent = 0; sent < 4; sent++) statuses.push((await send(signIn)).status);
    expect(statuses).toEqual([400, 400, 400, 429]);
    const unread = await send({ ...signIn, headers: { ...signIn.headers, expect: '100-continue' } });
    expect(unread.status, 'before the body is read').toBe(429);
    const token = { ...signIn, path: '/oauth/token', headers: {}, body: 'x' };
    expect((await send(token)).status, 'also where tokens are fetched').toBe(429);
    expect((await send({ ...list(null), path: '/pay/x/y' })).status, 'but not on a page').toBe(404);
    expect((await send(list(kontor.accessToken))).status, 'nor with a credential').toBe(200);
  });

  test("a network has so many requests to payers' pages and to sign in", async () => {
    const limited = await productionService({ KONTOR_PAGES_PER_MINUTE: '2', KONTOR_SIGN_INS_PER_MINUTE: '2' });
    onTestFinished(() => limited.stop());
    const statusesOf = async (path: string, method = 'GET') => {
      const request = { method, path, accessToken: null, headers: {}, body: method === 'GET' ? undefined : 'x' };
      const answers = [];
      for (let sent = 0; sent < 3; sent++) answers.push((await sendRequest(limited.baseUrl, request)).status);
      return answers;
    };
    expect(await statusesOf('/pay/x/y')).toEqual([404, 404, 429]);
    expect(await statusesOf('/pay/x/y/view.js')).toEqual([429, 429, 429]);
    expect(await statusesOf('/oauth/token', 'POST')).toEqual([400, 400, 429]);
    expect(await statusesOf('/docs')).toEqual([200, 200, 200]);
  });

  test('health is never limited', async () => {
    for (let sent = 0; sent < 10; sent++) {
      expect((await send({ ...list(null), path: '/health/live' })).status).toBe(200);
    }
  });
});

test("limits in the sandbox do not hold for this machine's own requests", async () => {
  const sandbox = await testService(LIMITS);
  onTestFinished(() => sandbox.stop());
  const path = `/online/payer/payees/${sandbox.payeeId}/payers/anna/tokens`;
  for (let sent = 0; sent < 10; sent++) {
    const { status, headers } = await sandbox.send('GET', path);
    expect([status, headers.get('ratelimit')]).toEqual([200, null]);
    expect((await sandbox.send('GET', path, { accessToken: null })).status).toBe(401);
  }
});
