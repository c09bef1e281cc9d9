import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { checkProblemBody } from '../support/routes-answers.ts';
import {
  MARKER,
  type RouteRequest,
  SESSION_ID,
  sendRequest,
  withBody,
  withHeaders,
} from '../support/routes-requests.ts';
import { type TestService, testService } from '../support/service.ts';

const { apiRoutes, openRoutes, portalRoutes, addresses } = await describeRoutes();
let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const send = (request: RouteRequest) => sendRequest(kontor.baseUrl, request);

describe('an address that there is not', () => {
  const nowhere = (method: string, path: string): RouteRequest => ({
    method,
    path,
    accessToken: null,
    headers: { 'session-id': SESSION_ID },
    body: undefined,
  });

  test.each(['GET', 'POST', 'PATCH', 'PUT', 'QUERY'])(
    'below the API is 401 to an unknown caller, else 404: %s',
    async (method) => {
      for (const path of ['/online', `/psp/${MARKER}`, `/api/payments/${MARKER}?x=${MARKER}`, '/ONLINE/payer']) {
        const unknown = await send(nowhere(method, path));
        expect(unknown.status, path).toBe(401);
        checkProblemBody(unknown);
        const { accessToken, hmac } = kontor;
        const known = await send({ ...nowhere(method, path), accessToken, hmac });
        expect(known.status, path).toBe(404);
        checkProblemBody(known);
        expect(known.text).not.toContain(MARKER);
      }
    },
  );

  test.each(['GET', 'PUT'])('elsewhere is 404 to every caller: %s', async (method) => {
    const answer = await send(nowhere(method, `/${MARKER}`));
    expect(answer.status).toBe(404);
    checkProblemBody(answer);
    expect(answer.text).not.toContain(MARKER);
  });

  test('is 401 whatever the body of a caller who is not known', async () => {
    for (const type of [MARKER, 'application/json', 'text/plain']) {
      const request = withHeaders(nowhere('PUT', '/online/nowhere'), { 'content-type': type });
      const answer = await send(withBody(request, MARKER.repeat(10_000)));
      expect(answer.status, type).toBe(401);
      checkProblemBody(answer);
    }
  });
});

describe('an address', () => {
  const isBelow = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
  const isOfApi = (path: string) => addresses.prefixes.some((prefix) => isBelow(path, prefix));

  test('belongs to the API where its routes are, and nowhere else', () => {
    expect(apiRoutes.filter(({ path }) => !isOfApi(path))).toEqual([]);
    expect([...openRoutes, ...portalRoutes].filter(({ path }) => isOfApi(path))).toEqual([]);
    for (const prefix of addresses.prefixes) {
      expect(
        apiRoutes.some(({ path }) => isBelow(path, prefix)),
        prefix,
      ).toBe(true);
    }
  });

  test('is signed below one prefix, and nowhere else', () => {
    expect(isOfApi(addresses.signed)).toBe(true);
    for (const { path, signed } of apiRoutes) expect(isBelow(path, addresses.signed), path).toBe(signed === true);
  });
});
