import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenRoute } from '../../src/http/route.types.ts';
import { checkProblemBody } from '../support/routes-answers.ts';
import { withoutEffect } from '../support/routes-digest.ts';
import {
  fillPath,
  type RouteRequest,
  SESSION_ID,
  sendRequest,
  withHeaders,
  withQuery,
} from '../support/routes-requests.ts';
import { serverOf } from '../support/routes-server.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
let routes: readonly OpenRoute[];
beforeAll(async () => {
  kontor = await testService();
  routes = serverOf(kontor).openRoutes;
});
afterAll(() => kontor.stop());

/** Made by the build from a package; `test/build.test.ts` looks at it. */
const ONLY_BUILT = new Set(['/docs/scalar.js']);

/** What parameters of an open route's path stand for. */
const CODES: Readonly<Record<string, string>> = {
  '/errordetail/:code': 'inputerror',
  '/errordetail/creditcard/:code': 'carddeclined',
};

function requestTo({ method, path }: OpenRoute): RouteRequest {
  return {
    method,
    path: fillPath(path, { code: CODES[path] ?? '' }),
    accessToken: null,
    headers: { 'session-id': SESSION_ID },
    body: method === 'POST' ? 'grant_type=client_credentials' : undefined,
  };
}

describe('every route that needs no access token', () => {
  test('answers, traces the request, and lets no browser guess the type', async () => {
    for (const route of routes.filter(({ path }) => !ONLY_BUILT.has(path))) {
      const answer = await sendRequest(kontor.baseUrl, requestTo(route));
      // The OAuth endpoints refuse a form without their client in their own way (RFC 6749, section 5.2).
      expect(answer.status, route.path).toBe(route.method === 'POST' ? 400 : 200);
      expect(answer.headers, route.path).toMatchObject({
        'session-id': SESSION_ID,
        'x-content-type-options': 'nosniff',
        'content-type': expect.stringMatching(/^[a-z]+\/[a-z.+-]+; (version=[0-9.]+; )?charset=utf-8$/),
        'cache-control': expect.any(String),
      });
    }
  });

  test('refuses other methods and names its own', async () => {
    await withoutEffect(kontor, async () => {
      for (const route of routes) {
        for (const method of ['PUT', 'DELETE', 'TRACE', route.method === 'GET' ? 'POST' : 'GET']) {
          const answer = await sendRequest(kontor.baseUrl, { ...requestTo(route), method, body: undefined });
          expect(answer.status, `${method} ${route.path}`).toBe(405);
          expect(answer.headers['allow'], route.path).toBe(route.method === 'GET' ? 'GET, HEAD' : route.method);
          checkProblemBody(answer);
        }
      }
    });
  });

  test('refuses what is wrongly framed, as a problem', async () => {
    await withoutEffect(kontor, async () => {
      for (const route of routes) {
        const spoiled = [
          withQuery(requestTo(route), 'access_token=1'),
          withHeaders(requestTo(route), { Host: 'another' }),
          withHeaders(requestTo(route), { expect: 'wonders' }),
        ];
        for (const request of spoiled) {
          const answer = await sendRequest(kontor.baseUrl, request);
          expect(answer.status, route.path).toBe(400);
          expect(answer.headers['connection']).toBe('close');
          checkProblemBody(answer);
        }
      }
    });
  });
});
