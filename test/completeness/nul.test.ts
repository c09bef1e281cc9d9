import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { createOAuthClient } from '../../src/merchants/oauth/oauth-clients.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { checkProblemBody, codeOf } from '../support/prober/answers.ts';
import { withoutEffectTogether } from '../support/prober/routes-digest.ts';
import { type RouteRequest, SESSION_ID, sendRequest, withBody } from '../support/prober/routes-requests.ts';
import { type TestService, testService } from '../support/service.ts';

const { apiRoutes, portalRoutes, openRoutes } = describeRoutes();
let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

/** What all routes have in common. */
interface Addressed {
  readonly method: string;
  readonly path: string;
  readonly shape?: { readonly query: { readonly properties?: object } };
}

// In bodies it is looked for with all else that a route refuses, in members.ts.
const ALL: readonly Addressed[] = [...apiRoutes, ...portalRoutes, ...openRoutes];
const FORM = 'application/x-www-form-urlencoded';

function requestTo({ method }: Addressed, path: string): RouteRequest {
  return {
    method,
    path,
    accessToken: kontor.accessToken,
    headers: { 'session-id': SESSION_ID, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
    body: method === 'GET' ? undefined : '{}',
  };
}

/** The address with NUL in one of its parts at a time, and in each parameter of its query. */
function spoiledAddresses({ path, shape }: Addressed): string[] {
  const names = path.match(/:\w+/g) ?? [];
  const filled = path.replace(/:\w+/g, 'x');
  return [
    ...names.map((name) => path.replace(name, 'a%00b').replace(/:\w+/g, 'x')),
    ...[...Object.keys(shape?.query.properties ?? {}), '$expand', 'unknown'].map((name) => `${filled}?${name}=a%00b`),
    `${filled}?%00=1`,
  ];
}

async function expectRefused(request: RouteRequest): Promise<void> {
  const answer = await sendRequest(kontor.baseUrl, request);
  expect(codeOf(answer), `${request.method} ${request.path}`).toBe('inputerror');
  checkProblemBody(answer);
}

describe('NUL is refused, and nothing is done', () => {
  withoutEffectTogether(() => kontor);

  test.each(ALL.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'in the address of %s',
    async (_, route) => {
      for (const path of spoiledAddresses(route)) await expectRefused(requestTo(route, path));
    },
  );
});

describe('NUL is refused', () => {
  test('in what people sign in with', async () => {
    const from = new URL(kontor.baseUrl).origin;
    for (const body of [
      { email: 'a\0@shop.example', password: 'x' },
      { email: 'a@shop.example', password: 'a\0b' },
    ]) {
      const request = requestTo({ method: 'POST', path: '' }, '/portal/api/session');
      await expectRefused(withBody({ ...request, headers: { ...request.headers, origin: from } }, body));
    }
  });

  test.each(['a%00b', 'a\0b'])('in a field of a form that is right otherwise: %j', async (text) => {
    const { clientId, clientSecret } = await kontor.service.database.transact((transaction) =>
      createOAuthClient(transaction, kontor.service.merchants, {
        payeeId: kontor.payeeId,
        name: 'Shop',
        scopes: ['tokens:read'],
        actor: COMMAND_LINE,
      }),
    );
    const good = `grant_type=client_credentials&token=x&client_id=${clientId}&client_secret=${clientSecret.reveal()}`;
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
      for (const body of [`${good}&note=${text}`, `${good}&${text}=1`]) {
        const request = { ...requestTo({ method: 'POST', path }, path), accessToken: null, body };
        const answer = await sendRequest(kontor.baseUrl, { ...request, headers: { 'content-type': FORM } });
        expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'invalid_request']);
      }
    }
  });
});
