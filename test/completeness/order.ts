import { expect, test } from 'vitest';
import type { ApiRoute } from '../../src/http/route.types.ts';
import type { PROBLEMS } from '../../src/kit/errors.ts';
import { BODY_BYTES } from '../../src/kit/limits.ts';
import { checkProblem, codeOf } from '../support/prober/answers.ts';
import {
  goodRequest,
  MARKER,
  type RouteRequest,
  shareOf,
  withBody,
  withHeaders,
  withQuery,
} from '../support/prober/routes-requests.ts';
import { freshName, sampleOf } from '../support/prober/routes-samples.ts';
import type { OneRoute, Site } from './one-route.ts';

/** Spoils a request; undefined where the route has nothing to spoil in this way. */
interface Spoiler {
  readonly what: string;
  readonly code: keyof typeof PROBLEMS;
  readonly spoil: (request: RouteRequest, route: ApiRoute, site: Site) => RouteRequest | undefined;
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
      spoil: (request, { scope }, { tokenWithout }) => ({ ...request, accessToken: tokenWithout.get(scope) ?? null }),
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
      spoil: (request, { path }, { kontor, other }) =>
        path.includes(':payeeId') ? aimedAt(request, kontor.payeeId, other.payeeId) : undefined,
    },
    {
      what: 'unknown',
      code: 'notfound',
      spoil: (request, route, site) =>
        sampleOf(route).isMissedWhenUnknown ? { ...request, path: unknownPath(route, request, site) } : undefined,
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

function unknownPath(route: ApiRoute, request: RouteRequest, { kontor }: Site): string {
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

/** Which of two faults is answered. */
export function testOrderOfFaults({ route, at }: OneRoute): void {
  test('answers of two faults the one that comes first', async () => {
    const { good, send } = at();
    for (const [first, second] of shareOf(route, pairs())) {
      // The earlier fault is made last: it may replace what the later one spoiled.
      const spoiled = second.spoil(good, route, at());
      const both = spoiled && first.spoil(spoiled, route, at());
      if (both === undefined) continue;
      const answer = await send(both);
      expect(codeOf(answer), `${first.what}, and ${second.what}`).toBe(first.code);
      checkProblem(route, answer, { code: first.code });
    }
  });
}
