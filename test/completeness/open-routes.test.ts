import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenRoute } from '../../src/http/route.types.ts';
import { payPage } from '../support/payer/pay-page.ts';
import { checkProblemBody } from '../support/prober/answers.ts';
import { withoutEffect } from '../support/prober/routes-digest.ts';
import {
  fillPath,
  type RouteRequest,
  SESSION_ID,
  sendRequest,
  withHeaders,
  withQuery,
} from '../support/prober/routes-requests.ts';
import { serverOf } from '../support/prober/routes-server.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
let routes: readonly OpenRoute[];
/** What is in addresses: of the page of a payment, and of the portal. */
let link: Readonly<Record<string, string>>;
beforeAll(async () => {
  kontor = await testService();
  routes = (await serverOf(kontor)).openRoutes;
  const page = await payPage(kontor, { urls: { hostUrls: ['https://shop.example'] } });
  const [, , payeeId = '', secret = ''] = page.path.split('/');
  const style = /\/checkout\/([^"]+\.css)"/.exec((await page.open()).text)?.[1] ?? 'none';
  const portal = await (await fetch(`${kontor.baseUrl}/portal`)).text();
  const asset = /\/portal\/assets\/([^"]+\.js)"/.exec(portal)?.[1] ?? 'none';
  link = { payeeId, secret, style, asset, screen: 'payments', part: 'one', id: 'two' };
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
    path: fillPath(path, { code: CODES[path] ?? '', file: fileOf(path), ...link }),
    accessToken: null,
    headers: {
      'session-id': SESSION_ID,
      ...(method === 'POST' &&
        (isPage(path) || isOfBanks(path)) && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: method === 'POST' ? 'grant_type=client_credentials' : undefined,
  };
}

/** A file that pages load: of the portal, or of the payment page. */
const fileOf = (path: string) => link[path.startsWith('/portal/') ? 'asset' : 'style'] ?? '';

const isPage = (path: string) => path.startsWith('/pay/');
/** Where banks send browsers back to. */
const isOfBanks = (path: string) => path.startsWith('/3ds/');

/** A form of a page that lacks every field is shown again, and what is not possible leads back to the page. */
function statusOf({ method, path }: OpenRoute): number {
  if (isPage(path) && /\/(authenticate|back|cancel|challenge|finish|gift-card|method|remove|selected)$/.test(path))
    return 303;
  if (isPage(path) && method === 'POST') return 422;
  if (isOfBanks(path)) return 200;
  // What is no report is none, and no browser is to be told.
  if (path === '/checkout/reports') return 204;
  // The OAuth endpoints refuse a form without their client in their own way (RFC 6749, section 5.2).
  return method === 'POST' ? 400 : 200;
}

const methodsOf = (method: OpenRoute['method']) => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

describe('every route that needs no access token', () => {
  test('answers, traces the request, and lets no browser guess the type', async () => {
    for (const route of routes.filter(({ path }) => !ONLY_BUILT.has(path))) {
      const answer = await sendRequest(kontor.baseUrl, requestTo(route));
      expect(answer.status, `${route.method} ${route.path}`).toBe(statusOf(route));
      expect(answer.headers, route.path).toMatchObject({
        'session-id': SESSION_ID,
        'x-content-type-options': 'nosniff',
        'cache-control': expect.any(String),
      });
      if (answer.status === 303 || answer.status === 204) continue;
      expect(answer.headers['content-type'], route.path).toMatch(
        /^[a-z]+\/[a-z.+-]+; (version=[0-9.]+; )?charset=utf-8$/,
      );
    }
  });

  test('refuses other methods and names its own', async () => {
    await withoutEffect(kontor, async () => {
      for (const route of routes) {
        const own = routes.filter(({ path }) => path === route.path).flatMap(({ method }) => methodsOf(method));
        for (const method of ['PUT', 'DELETE', 'TRACE', 'GET', 'POST'].filter((one) => !own.includes(one))) {
          const answer = await sendRequest(kontor.baseUrl, { ...requestTo(route), method, body: undefined });
          expect(answer.status, `${method} ${route.path}`).toBe(405);
          expect(answer.headers['allow'], route.path).toBe(own.join(', '));
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
