import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiRoute } from '../../src/http/route.types.ts';
import { SCOPES } from '../../src/kit/caller.ts';
import type { PROBLEMS } from '../../src/kit/errors.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { BODY_BYTES } from '../../src/kit/limits.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { checkProblem, checkProblemBody, codeOf } from '../support/routes-answers.ts';
import { withoutEffect } from '../support/routes-digest.ts';
import {
  goodRequest,
  MARKER,
  type RouteRequest,
  SESSION_ID,
  sendRequest,
  shareOf,
  withBody,
  withHeaders,
  withQuery,
} from '../support/routes-requests.ts';
import { freshName, sampleOf } from '../support/routes-samples.ts';
import { type TestService, testService } from '../support/service.ts';

const { apiRoutes, openRoutes, portalRoutes, addresses } = await describeRoutes();
let kontor: TestService;
let other: { payeeId: PayeeId };
const tokenWithout = new Map<string, string>();
beforeAll(async () => {
  kontor = await testService();
  other = await kontor.addPayee();
  for (const scope of SCOPES) {
    // Without those that open a route in the place of its own, too.
    const inItsPlace = apiRoutes.flatMap((route) => (route.scope === scope ? (route.otherScopes ?? []) : []));
    const others = SCOPES.filter(
      (candidate) => candidate !== scope && !inItsPlace.includes(candidate) && !candidate.startsWith('tokens:act-as-'),
    );
    tokenWithout.set(scope, await kontor.addAccessToken(others));
  }
});
afterAll(() => kontor.stop());

const send = (request: RouteRequest) => sendRequest(kontor.baseUrl, request);

/** Spoils a request; undefined where the route has nothing to spoil in this way. */
interface Spoiler {
  readonly what: string;
  readonly code: keyof typeof PROBLEMS;
  readonly spoil: (request: RouteRequest, route: ApiRoute) => RouteRequest | undefined;
}

const onlyWithBody = (spoil: (request: RouteRequest) => RouteRequest): Spoiler['spoil'] => {
  return (request, { shape }) => (shape.body === undefined ? undefined : spoil(request));
};

/** In the order of the steps in ARCHITECTURE.md: of two faults the one in the earlier row is answered. */
const ROWS: readonly (readonly Spoiler[])[] = [
  [{ what: 'framing', code: 'inputerror', spoil: (request) => withQuery(request, `access_token=${MARKER}`) }],
  [
    { what: 'no token', code: 'unauthorized', spoil: (request) => ({ ...request, accessToken: null }) },
    { what: 'a bad token', code: 'unauthorized', spoil: (request) => ({ ...request, accessToken: MARKER }) },
  ],
  // One that is wrong is answered in the same place, but for a body that is too large to be read and so to be checked.
  [{ what: 'no signature', code: 'unauthorized', spoil: (request) => request.hmac && { ...request, hmac: undefined } }],
  [
    {
      what: 'no scope',
      code: 'forbidden',
      spoil: (request, { scope }) => ({ ...request, accessToken: tokenWithout.get(scope) ?? null }),
    },
  ],
  [
    {
      what: 'a large signed body',
      code: 'payloadtoolarge',
      // A signature is over the whole body: one that is too large is refused before it is known who signed it, and so
      // before anything is said of objects.
      spoil: (request, { signed, shape }) =>
        signed && shape.body !== undefined ? withLargeBody(request, BODY_BYTES) : undefined,
    },
  ],
  [
    {
      what: "another payee's",
      code: 'notfound',
      spoil: (request, { path }) =>
        path.includes(':payeeId') ? aimedAt(request, kontor.payeeId, other.payeeId) : undefined,
    },
    {
      what: 'unknown',
      code: 'notfound',
      spoil: (request, route) =>
        sampleOf(route).isMissedWhenUnknown ? { ...request, path: unknownPath(route, request) } : undefined,
    },
  ],
  [
    { what: 'Accept', code: 'notacceptable', spoil: (request) => withHeaders(request, { accept: 'text/html' }) },
    {
      what: 'encoding',
      code: 'unsupportedmediatype',
      spoil: (request) => withHeaders(request, { 'content-encoding': 'gzip' }),
    },
    {
      what: 'a body that is no JSON',
      code: 'unsupportedmediatype',
      spoil: onlyWithBody((request) => withHeaders(request, { 'content-type': 'text/plain' })),
    },
    {
      what: 'a malformed Content-Type',
      code: 'unsupportedmediatype',
      spoil: onlyWithBody((request) => withHeaders(request, { 'content-type': MARKER })),
    },
    {
      what: 'a large body',
      code: 'payloadtoolarge',
      spoil: (request, { signed, shape, bodyBytes }) =>
        signed || shape.body === undefined ? undefined : withLargeBody(request, bodyBytes ?? BODY_BYTES),
    },
  ],
  [
    { what: 'Forwarded', code: 'inputerror', spoil: (request) => withHeaders(request, { forwarded: MARKER }) },
    { what: 'a body', code: 'inputerror', spoil: onlyWithBody((request) => withBody(request, `{"${MARKER}`)) },
  ],
];

/** It is still the JSON that it was, for a reader that had no limit. */
function withLargeBody(request: RouteRequest, most: number): RouteRequest {
  return withBody(request, `${request.body}${' '.repeat(most)}`);
}

function aimedAt(request: RouteRequest, payeeId: string, otherPayeeId: string): RouteRequest {
  return { ...request, path: request.path.replace(payeeId, otherPayeeId) };
}

function unknownPath(route: ApiRoute, request: RouteRequest): string {
  const { path } = goodRequest(route, { ...kontor, name: freshName() });
  const query = request.path.indexOf('?');
  return query === -1 ? path : `${path}${request.path.slice(query)}`;
}

/** Each pair of faults of different rows, the one that must be answered first. */
function pairs(): (readonly [Spoiler, Spoiler])[] {
  return ROWS.flatMap((row, index) =>
    row.flatMap((first) =>
      ROWS.slice(index + 1)
        .flat()
        .map((second) => [first, second] as const),
    ),
  );
}

describe.each(apiRoutes.map((route) => [route.operationId, route] as const))('%s', (_operationId, route) => {
  test('answers of two faults the one that comes first', async () => {
    const name = freshName();
    await sampleOf(route).make(kontor, kontor.payeeId, name);
    const good = goodRequest(route, { ...kontor, name });
    await withoutEffect(kontor, async () => {
      for (const [first, second] of shareOf(route, pairs())) {
        // The earlier fault is made last: it may replace what the later one spoiled.
        const spoiled = second.spoil(good, route);
        const both = spoiled && first.spoil(spoiled, route);
        if (both === undefined) continue;
        const answer = await send(both);
        expect(codeOf(answer), `${first.what}, and ${second.what}`).toBe(first.code);
        checkProblem(route, answer, { code: first.code });
      }
    });
  });
});

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
