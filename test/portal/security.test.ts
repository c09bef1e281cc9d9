import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyPortalRoute } from '../../src/http/portal-route.types.ts';
import { ROLES, type Role } from '../../src/kit/portal-user.ts';
import { ACCESS, accessFault } from '../../src/portal-users/access.rules.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { shareOf } from '../support/prober/routes-requests.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, openBrowser, signedIn, signedInAs } from '../support/shop/portal.ts';

const { portalRoutes } = describeRoutes();
const guarded = portalRoutes.filter(({ isOpen }) => !isOpen);
const changes = guarded.filter(({ method }) => method !== 'GET');
let kontor: TestService;
let browser: Browser;
let neighbour: Browser;
beforeAll(async () => {
  kontor = await testService();
  browser = await signedIn(kontor);
  neighbour = await signedIn(kontor);
});
afterAll(() => kontor.stop());

/** The address of a route, about the demo payee and things that do not exist. */
function addressOf({ path }: AnyPortalRoute, payeeId: string = kontor.payeeId): string {
  return path.replace(':payeeId', payeeId).replace(/:\w+/g, () => crypto.randomUUID());
}

type Send = (headers: Readonly<Record<string, string | null>>) => Promise<{ status: number; body: Problem }>;
interface Problem {
  readonly problems?: readonly { readonly name: string }[];
}

/** Sends an empty request, as the page would but for what is given. */
const sending =
  (route: AnyPortalRoute, by = browser): Send =>
  (headers) =>
    by.send(route.method, addressOf(route), route.method === 'GET' ? { headers } : { headers, body: {} });

/** One step of the edge refuses these for all routes: the first change gets all, the others a share each. */
const someOf = <Item>(route: AnyPortalRoute, items: readonly Item[]) =>
  route === changes[0] ? items : shareOf(route, items);

const firstProblem = ({ body }: { body: Problem }) => body.problems?.[0]?.name;

describe('every route that needs a session', () => {
  test.each(guarded.map((route) => [route.operationId, route] as const))(
    '%s refuses who has no valid cookie, before anything else',
    async (_operationId, route) => {
      const name = browser.cookie?.split('=')[0];
      const wrong = [
        `${name}=`,
        `${name}=nonsense`,
        `${name}=kp_${'0'.repeat(32)}_${'A'.repeat(43)}`,
        `${browser.cookie?.slice(0, -1)}${browser.cookie?.endsWith('A') ? 'B' : 'A'}`,
        `${browser.cookie}; ${browser.cookie}`,
        browser.cookie?.replace('kp_', 'ki_') ?? null,
        `__Host-sid=${browser.cookie?.split('=')[1]}`,
      ];
      for (const cookie of [null, ...someOf(route, wrong)]) {
        const answer = await sending(route)({ cookie, 'csrf-token': null });
        expect([cookie, answer.status]).toEqual([cookie, 401]);
      }
    },
  );

  test.each(changes.map((route) => [route.operationId, route] as const))(
    '%s refuses a change that another site could have sent',
    async (_operationId, route) => {
      const forged: readonly [string, Readonly<Record<string, string | null>>][] = [
        ['csrf-token', { 'csrf-token': null }],
        ['csrf-token', { 'csrf-token': '' }],
        ['csrf-token', { 'csrf-token': neighbour.csrfToken }],
        ['origin', { origin: null, 'sec-fetch-site': null }],
        ['origin', { origin: 'https://evil.example' }],
        ['origin', { origin: 'null' }],
        ['origin', { origin: kontor.baseUrl.replace('http:', 'https:') }],
        ['origin', { 'sec-fetch-site': 'cross-site' }],
        ['origin', { 'sec-fetch-site': 'same-site', origin: null }],
        ['origin', { 'sec-fetch-site': 'none', origin: null }],
      ];
      for (const [name, headers] of someOf(route, forged)) {
        const answer = await sending(route)(headers);
        expect([headers, answer.status, firstProblem(answer)]).toEqual([headers, 403, name]);
      }
      expect((await browser.get('/portal/api/session')).status).toBe(200);
    },
  );

  test('has its own methods alone, and no access token in its address', async () => {
    for (const route of guarded) {
      const other = await openBrowser(kontor.baseUrl).send('DELETE', addressOf(route));
      expect([route.path, other.status]).toEqual([route.path, 405]);
      expect(other.headers.get('allow')).toContain(route.method);
      const inQuery = await browser.send(route.method, `${addressOf(route)}?access_token=x`, {
        ...(route.method !== 'GET' && { body: {} }),
      });
      expect([route.path, inQuery.status]).toEqual([route.path, 400]);
    }
  });

  test('takes JSON alone', async () => {
    for (const route of changes.filter(({ operationId }) => ACCESS[operationId]?.roles.includes('administrator'))) {
      const type = 'text/plain';
      expect([route.path, (await sending(route)({ 'content-type': type })).status]).toEqual([route.path, 415]);
    }
  });

  test("answers another payee's address like one that does not exist", async () => {
    const other = await kontor.addPayee();
    for (const route of guarded.filter(({ path }) => path.includes(':payeeId'))) {
      for (const payeeId of [other.payeeId, ...someOf(route, [crypto.randomUUID(), 'nonsense'])]) {
        const { status } = await browser.send(route.method, addressOf(route, payeeId), {
          ...(route.method !== 'GET' && { body: {} }),
        });
        const { roles } = ACCESS[route.operationId] ?? { roles: [] };
        expect([route.operationId, status]).toEqual([route.operationId, roles.includes('administrator') ? 404 : 403]);
      }
    }
  });
});

describe('roles', () => {
  const browsers = new Map<Role, Browser>();
  beforeAll(async () => {
    for (const role of ROLES) browsers.set(role, await signedInAs(kontor, role));
  });

  test.each(ROLES)('let %s use its operations and no others', async (role) => {
    const own = browsers.get(role) as Browser;
    const { operations } = (await own.get('/portal/api/session')).body;
    const used: string[] = [];
    // Signing out comes last: the rest needs the session.
    const inOrder = [...guarded].sort(
      (one, two) => Number(one.operationId === 'signOut') - Number(two.operationId === 'signOut'),
    );
    for (const route of inOrder) {
      const answer = await sending(route, own)({});
      expect([route.operationId, answer.status]).not.toEqual([route.operationId, 401]);
      if (firstProblem(answer) !== 'role') used.push(route.operationId);
    }
    expect(used.sort()).toEqual([...operations].sort());
    expect(used.sort()).toEqual(
      Object.entries(ACCESS)
        .filter(([, { roles }]) => roles.includes(role))
        .map(([name]) => name)
        .sort(),
    );
  });

  // Written out, so that a slip in the table does not make the table right.
  test.each([
    ['makes no credentials', ['finance', 'support'], /AccessToken|OAuthClient|HmacKey|checkHmac/],
    ['changes no users', ['finance', 'support', 'integrator'], /User|renewInvitation/],
  ] as const)('%s: %s', (_what, roles, operations) => {
    const named = Object.entries(ACCESS).filter(([name]) => operations.test(name));
    expect(named.length).toBeGreaterThan(0);
    for (const [name, access] of named) for (const role of roles) expect([name, access.roles]).not.toContain(role);
    expect(
      named.flatMap(([, access]) => access.roles.filter((role) => (roles as readonly Role[]).includes(role))),
    ).toEqual([]);
  });
});

describe('what needs the password again', () => {
  const needing = guarded.filter(({ operationId }) => ACCESS[operationId]?.needsPassword);

  test('is all that makes secrets or changes rights', () => {
    const expected = [
      ...['changeOwnPassword', 'beginSecondFactor', 'confirmSecondFactor', 'renewRecoveryCodes'],
      ...['inviteUser', 'changeUser', 'disableUser', 'enableUser', 'renewInvitation'],
      ...[
        'createAccessToken',
        'rotateAccessToken',
        'createOAuthClient',
        'createHmacKey',
        'rotateHmacKey',
        'activateKey',
      ],
    ];
    expect(needing.map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(expected));
  });

  test('is refused five minutes later, until it is given, and then the cookie is another one', async () => {
    const own = await signedIn(kontor);
    await kontor.database.asAdmin(
      `update portal_session set authenticated_at = authenticated_at - interval '301 seconds'`,
    );
    for (const route of needing) {
      if (!ACCESS[route.operationId]?.roles.includes('administrator')) continue;
      const answer = await sending(route, own)({});
      expect([route.operationId, firstProblem(answer)]).toEqual([route.operationId, 'reauthentication']);
    }
    const before = { cookie: own.cookie, csrfToken: own.csrfToken };
    expect((await own.post('/portal/api/session/reauthenticate', { password: 'wrong' })).status).toBe(401);
    const { expiresAt } = (await own.get('/portal/api/session')).body;
    const given = await own.post('/portal/api/session/reauthenticate', { password: kontor.portal.password });
    expect(given.body.session.expiresAt).toBe(expiresAt);
    expect(own.cookie).not.toBe(before.cookie);
    expect(own.csrfToken).not.toBe(before.csrfToken);
    expect((await own.post(`/portal/api/payees/${kontor.payeeId}/hmac-keys`)).status).toBe(200);
    own.cookie = before.cookie;
    expect((await own.get('/portal/api/session')).status).toBe(401);
  });
});

describe('a session', () => {
  const shift = (column: string, seconds: number) =>
    kontor.database.asAdmin(`update portal_session set ${column} = ${column} - interval '${seconds} seconds'`);
  const isIn = async (own: Browser) => (await own.get('/portal/api/session')).status === 200;

  test('is over after 15 minutes without a request, and not while it is used', async () => {
    const own = await signedIn(kontor);
    await shift('used_at', 14 * 60);
    expect(await isIn(own)).toBe(true);
    await shift('used_at', 14 * 60);
    expect(await isIn(own)).toBe(true);
    await shift('used_at', 15 * 60);
    expect(await isIn(own)).toBe(false);
  });

  test('is over after eight hours, however much it is used', async () => {
    const own = await signedIn(kontor);
    const { signedInAt, expiresAt } = (await own.get('/portal/api/session')).body;
    expect(Date.parse(expiresAt) - Date.parse(signedInAt)).toBe(8 * 3600 * 1000);
    await kontor.database.asAdmin(
      `update portal_session set created_at = created_at - interval '8 hours', expires_at = expires_at - interval '8 hours'`,
    );
    expect(await isIn(own)).toBe(false);
  });

  test('is nothing to the API, which asks for an access token', async () => {
    const own = await signedIn(kontor);
    for (const path of ['/events', '/webhooks', `/online/payer/payees/${kontor.payeeId}/payers/anna/tokens`]) {
      expect((await own.get(path)).status).toBe(401);
    }
  });
});

describe('failing to sign in', () => {
  const shown = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
    const { sessionId: _, instance: _instance, ...rest } = body;
    return { status, rest };
  };

  test('looks the same for a wrong password, an unknown address, and a person who was only invited', async () => {
    const email = 'only-invited@example.com';
    const here = `/portal/api/payees/${kontor.payeeId}/users`;
    const own = await signedIn(kontor);
    await own.post(here, { email, name: 'Ada Example', role: 'support' });
    const answers = [];
    for (const address of [kontor.portal.email, 'nobody@example.com', email]) {
      answers.push(shown(await openBrowser(kontor.baseUrl).signIn({ email: address, password: 'wrong' })));
    }
    expect(answers[0]?.status).toBe(401);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const { rows } = await kontor.database.read<{ action: string }>(
      { name: 'test-failed-sign-ins', text: `select action from audit where action = 'refuse-sign-in'` },
      [],
    );
    expect(rows).toHaveLength(2);
  });

  test.each([
    ['a user', () => kontor.portal.operator],
    ['nobody', () => ({ email: 'nobody-else@example.com', password: 'none' })],
  ])('ten times locks %s out for half an hour, on that network, also with the right password', async (_who, of) => {
    const { email, password } = of();
    const own = openBrowser(kontor.baseUrl);
    for (let failures = 0; failures < 10; failures++) {
      expect((await own.signIn({ email: email.toUpperCase(), password: 'wrong' })).status).toBe(401);
    }
    const locked = await own.signIn({ email, password });
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(29 * 60);
    expect((await openBrowser(kontor.baseUrl).signIn(signInOf(kontor))).status).toBe(200);
    await kontor.database.asAdmin(
      `update attempt set window_starts_at = window_starts_at - interval '30 minutes',
         window_ends_at = window_ends_at - interval '30 minutes'`,
    );
    expect((await own.signIn({ email, password })).status).toBe(password === 'none' ? 401 : 200);
  });
});

const signInOf = ({ portal: { email, password } }: TestService) => ({ email, password });

test('who lacks a second factor that they must have can only set it up', () => {
  const user = {
    payeeId: 'x' as never,
    userId: 'x',
    role: 'administrator' as const,
    portalSessionId: 'x',
    lacksSecondFactor: true,
    isReauthenticated: true,
  };
  const open = Object.keys(ACCESS).filter((name) => accessFault(name, user) === undefined);
  expect(open.sort()).toEqual([
    'beginSecondFactor',
    'changeOwnPassword',
    'confirmSecondFactor',
    'getSession',
    'reauthenticate',
    'renewRecoveryCodes',
    'signOut',
  ]);
  expect(accessFault('listAccessTokens', user)).toBe('second-factor');
});
