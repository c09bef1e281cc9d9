import { randomBytes } from 'node:crypto';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actorOf } from '../../src/http/actor.ts';
import { schemaChecker } from '../../src/http/body/validate.ts';
import { createDownloads } from '../../src/http/downloads.ts';
import { registerEdge } from '../../src/http/edge/edge.ts';
import type { EdgeOptions } from '../../src/http/edge/edge.types.ts';
import { createRateLimit } from '../../src/http/edge/rate-limit.ts';
import { createUnderWay } from '../../src/http/edge/under-way.ts';
import { apiRoute } from '../../src/http/route.ts';
import { type Networks, readNetworks } from '../../src/kit/addresses/networks.ts';
import { type Actor, nameOfActor, SCOPES } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { traceparentOf } from '../../src/kit/work/trace.ts';
import { failuresTo, requestLine } from '../../src/wiring/log.ts';
import { testCardNumber } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';
import { until } from '../support/until.ts';

const PAYEE_ID = '01890000-0000-7000-8000-000000000001' as PayeeId;

/** Echoes what the edge made of a request: what the conventions promise and no route of today shows. */
const probe = apiRoute({
  method: 'GET',
  path: '/api/probe',
  scope: 'accounts',
  operationId: 'probe',
  tag: 'Probe',
  summary: 'Echo',
  expandable: ['urls', 'payeeInfo'],
  shape: {
    params: Type.Object({}),
    query: Type.Object({}),
    body: undefined,
    answer: Type.Object({
      userAgent: Type.Optional(Type.String()),
      payerAddress: Type.Optional(Type.String()),
      expand: Type.Array(Type.String()),
      credential: Type.String(),
      calls: Type.Optional(Type.String()),
    }),
  },
  handle: async ({ userAgent, payerAddress, expand, caller, ...request }) => ({
    ...(userAgent !== undefined && { userAgent }),
    ...(payerAddress !== undefined && { payerAddress }),
    expand: [...expand],
    credential: nameOfActor(caller.credential),
    ...tracedCall(actorOf({ ...request, caller })),
  }),
});

/** What a verb would send along with a call of its own. */
function tracedCall({ trace }: Actor) {
  return trace && { calls: traceparentOf(trace) };
}

let app: FastifyInstance;
const logged: string[] = [];
beforeAll(async () => {
  const log: FastifyBaseLogger = pino({ base: null }, { write: (line: string) => void logged.push(line) });
  app = fastify({ loggerInstance: log }) as unknown as FastifyInstance;
  const noLimit = createRateLimit({ name: 'none', quota: 0, windowSeconds: 60 });
  const credential = { kind: 'access-token', id: '1' } as const;
  const caller = { payeeId: PAYEE_ID, credential, scopes: new Set(SCOPES) };
  const options: EdgeOptions = {
    baseUrl: () => 'http://localhost',
    signatures: { findSecret: () => undefined, now: Date.now, explain: false },
    findCaller: () => caller,
    portal: {
      findUser: async () => undefined,
      findSessionEnd: async () => undefined,
      accessFault: () => 'role',
      mayCall: () => false,
      noteVisit: () => Promise.resolve(),
      downloads: createDownloads(async () => undefined),
      isSecure: () => false,
    },
    payeeExists: async () => true,
    requests: noLimit,
    failures: noLimit,
    pages: noLimit,
    signIns: noLimit,
    underWay: createUnderWay({ ofNetwork: 0, ofCredential: 0 }),
    proxies: readNetworks('') as Networks,
    checkHost: undefined,
    needsTls: () => false,
    exemptLoopback: true,
    cardPrefixes: () => [],
    compile: schemaChecker(() => []),
    now: () => performance.now(),
    calls: undefined,
    noteRefused: () => undefined,
    observe: () => undefined,
    tellRequest: (request) => void logged.push(requestLine('2026-11-22T20:00:00.000Z', request, [])),
    tellFailure: failuresTo(log),
    log,
  };
  registerEdge(app, options, {
    apiRoutes: [probe],
    openRoutes: [],
    portalRoutes: [],
    addresses: { prefixes: ['/api'], signed: '/api/payments' },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

async function echo(headers: Readonly<Record<string, string>>, query = '') {
  const response = await fetch(`${app.listeningOrigin}/api/probe${query}`, {
    headers: { authorization: 'Bearer x', ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

describe('User-Agent', () => {
  test('comes with the request, cut to 256 characters', async () => {
    expect((await echo({ 'user-agent': 'shop/1.0' })).body['userAgent']).toBe('shop/1.0');
    expect((await echo({ 'user-agent': 'x'.repeat(300) })).body['userAgent']).toBe('x'.repeat(256));
  });

  test('has no card number in it, also where cutting it would hide that it is one', async () => {
    const number = testCardNumber(3);
    for (const text of [`shop ${number}`, `shop ${number.replace(/.{4}/g, '$& ')}`, `${'x'.repeat(250)} ${number}`]) {
      const { body } = await echo({ 'user-agent': text });
      expect(String(body['userAgent']).replace(/\D/g, '').length, text).toBeLessThanOrEqual(10);
    }
  });
});

describe('Forwarded', () => {
  test.each([
    ['for=192.0.2.43', '192.0.2.43'],
    ['For="[2001:db8::1]:4711" ; proto=https', '2001:db8::1'],
    ['for=192.0.2.43 , for=198.51.100.17', '192.0.2.43'],
    ['host=shop.example; for=unknown', 'unknown'],
    ['for=_hidden', '_hidden'],
  ])('%s says that the payer is at %s', async (forwarded, expected) => {
    expect((await echo({ forwarded })).body['payerAddress']).toBe(expected);
  });

  test.each([
    '',
    'for',
    'for=',
    'host=shop.example',
    'for=192.0.2.43;for=192.0.2.44',
    'for=2001:db8::1',
    'for=1.2.3.4,=',
  ])('%j is refused', async (forwarded) => {
    const { status, body } = await echo({ forwarded });
    expect(status).toBe(400);
    expect(body['problems']).toMatchObject([{ name: 'Forwarded' }]);
  });

  test('says nothing about who the client is', async () => {
    expect((await echo({ forwarded: 'for=192.0.2.43' })).body['credential']).toBe('access-token:1');
  });
});

describe('traceparent', () => {
  const lineOf = async (sessionId: string) => {
    await until(async () => logged.some((line) => line.includes(sessionId)));
    return JSON.parse(logged.find((line) => line.includes(sessionId)) ?? '');
  };

  test('is in the log, and makes us the parent of what is called', async () => {
    const traceId = randomBytes(16).toString('hex');
    const { headers, body } = await echo({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    const line = await lineOf(String(headers.get('session-id')));
    expect(line).toMatchObject({ msg: 'request', traceId, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(body['calls']).toBe(`00-${traceId}-${line.spanId}-01`);
  });

  test.each(['nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])('%s is ignored', async (traceparent) => {
    const { status, headers, body } = await echo({ traceparent });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('calls');
    const line = await lineOf(String(headers.get('session-id')));
    expect(line).not.toHaveProperty('traceId');
    expect(line).not.toHaveProperty('spanId');
  });

  test('is in the line of a request that is refused', async () => {
    const traceId = randomBytes(16).toString('hex');
    const traced = { traceparent: `00-${traceId}-00f067aa0ba902b7-00`, forwarded: 'nonsense' };
    const { status, headers } = await echo(traced);
    expect(status).toBe(400);
    expect(await lineOf(String(headers.get('session-id')))).toMatchObject({ status: 400, traceId });
  });
});

describe('$expand', () => {
  test.each([
    ['?$expand=urls', ['urls']],
    ['?$expand=URLS,payeeinfo', ['urls', 'payeeinfo']],
    ['?$expand=urls&$expand=payeeInfo', ['urls', 'payeeinfo']],
    ['?%24expand=urls%2CpayeeInfo', ['urls', 'payeeinfo']],
    ['?$expand=transactions,urls,,', ['urls']],
    ['?$expand=', []],
    ['', []],
  ])('%s names %j', async (query, expected) => {
    expect((await echo({}, query)).body['expand']).toEqual(expected);
  });

  test('has ten names of forty characters at most', async () => {
    const names = (count: number) => `?$expand=${Array(count).fill('urls').join(',')}`;
    expect((await echo({}, names(10))).status).toBe(200);
    expect((await echo({}, names(11))).body['problems']).toMatchObject([{ name: '$expand' }]);
    expect((await echo({}, `?$expand=${'x'.repeat(40)}`)).status).toBe(200);
    expect((await echo({}, `?$expand=${'x'.repeat(41)}`)).body['problems']).toMatchObject([{ name: '$expand' }]);
  });
});

describe('versions', () => {
  test.each([
    ['content-type', 'application/json;version=3.1/2.0', '3.1'],
    ['content-type', 'application/json; charset=utf-8 ; VERSION="3.x/2.0"', '3.1'],
    ['content-type', 'application/json;version=9.0/2.0', '2.0'],
    ['accept', 'application/problem+json, application/json;version=2.0', '2.0'],
    ['accept', 'application/json;version=3.x', '3.1'],
    ['accept', 'text/html, */*;q=0.1', '3.0'],
  ])('%s: %s is served as %s', async (header, value, version) => {
    const { status, headers } = await echo({ [header]: value });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(`application/json; charset=utf-8; version=${version}`);
    expect(headers.get('api-supported-versions')).toBe('3.1/3.0/2.0');
  });

  test('the one of Content-Type wins over the one of Accept', async () => {
    const both = { 'content-type': 'application/json;version=2.0', accept: 'application/json;version=3.1' };
    expect((await echo(both)).headers.get('content-type')).toContain('version=2.0');
  });
});

describe('Session-Id and addresses', () => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await testService({ KONTOR_PUBLIC_URL: 'https://pay.shop.example/kontor/' });
  });
  afterAll(() => kontor.stop());
  const send = (path: string, headers: Record<string, string>) =>
    kontor.send('GET', `http://127.0.0.1:${kontor.running.port}${path}`, { headers });

  test('a session id is the one that was sent where it is a UUID, else a new one each time', async () => {
    const path = `/online/payer/payees/${kontor.payeeId}/payers/anna/tokens`;
    const sent = '0190c2b4-0000-7000-8000-00000000ABCD';
    expect((await send(path, { 'session-id': sent })).headers.get('session-id')).toBe(sent);
    const cardNumber = { 'session-id': '49250000-0000-0004-0000-000000000000' };
    const made = [
      await send(path, { 'session-id': 'nonsense' }),
      await send(path, cardNumber),
      await send(path, {}),
      await send(path, {}),
    ];
    const ids = made.map(({ headers }) => headers.get('session-id'));
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain(cardNumber['session-id']);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test('hrefs begin with the public address, whatever Host and Forwarded say', async () => {
    const path = `/online/payer/payees/${kontor.payeeId}/payers/anna/tokens`;
    const { body } = await send(path, {
      forwarded: 'for=192.0.2.1;host=evil.example',
      'x-forwarded-host': 'evil.example',
    });
    for (const { href } of body.operations)
      expect(href).toMatch(/^https:\/\/pay\.shop\.example\/kontor\/(online|psp)\//);
    expect(body.tokens.id).toBe(path);
    const refused = await send('/online/nowhere', {});
    expect(refused.body.type).toBe('https://pay.shop.example/kontor/errordetail/notfound');
  });
});
