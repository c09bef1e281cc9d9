import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { CLIENT_AUTHENTICATION_FAILURES } from '../../src/merchants/oauth/authenticate-client.ts';
import { createOAuthClient } from '../../src/merchants/oauth/oauth-clients.ts';
import { createUser } from '../../src/portal-users/create-user.ts';
import { type ProductionService, productionService } from '../support/prober/routes-production.ts';
import { serverOf } from '../support/prober/routes-server.ts';
import { exchange, requestText } from '../support/prober/sockets.ts';
import { until } from '../support/until.ts';

const BEHIND = {
  KONTOR_TLS_TERMINATED: 'true',
  KONTOR_TRUSTED_PROXIES: '127.0.0.0/8, ::1',
  KONTOR_PUBLIC_URL: 'https://pay.shop.example',
};

/** Sends a request as a proxy on this machine passes it on. */
async function send(kontor: ProductionService, path: string, headers: Readonly<Record<string, string>>, body?: string) {
  const response = await fetch(`http://127.0.0.1:${kontor.running.port}${path}`, {
    headers,
    ...(body !== undefined && { method: 'POST', body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const from = (address: string) => ({ 'x-forwarded-for': address });
const WRONG = { authorization: 'Bearer nonsense' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('behind a proxy that is named', () => {
  let kontor: ProductionService;
  beforeAll(async () => {
    kontor = await productionService({ ...BEHIND, KONTOR_FAILURES_PER_MINUTE: '3', KONTOR_PAGES_PER_MINUTE: '3' });
  });
  afterAll(() => kontor.stop());

  test('failed credentials count for the address that sent them, in either header', async () => {
    const statusesOf = async (headers: Readonly<Record<string, string>>, count: number) => {
      const statuses = [];
      for (let sent = 0; sent < count; sent++) {
        statuses.push((await send(kontor, '/psp/nowhere', { ...WRONG, ...headers })).status);
      }
      return statuses;
    };
    expect(await statusesOf(from('192.0.2.1'), 4)).toEqual([401, 401, 401, 429]);
    expect(await statusesOf(from('192.0.2.2'), 1)).toEqual([401]);
    expect(await statusesOf({ forwarded: 'for=192.0.2.1' }, 1)).toEqual([429]);
    expect(await statusesOf({ forwarded: 'for=192.0.2.3;proto=https' }, 1)).toEqual([401]);
    expect(await statusesOf(from('198.51.100.9, 192.0.2.1'), 1), 'what the caller wrote first').toEqual([429]);
    expect(await statusesOf(from('2001:db8:1:1::1'), 3)).toEqual([401, 401, 401]);
    expect(await statusesOf(from('2001:db8:1:1:ffff::2'), 1), 'one network of IPv6').toEqual([429]);
  });

  test("twenty wrong secrets of one do not refuse another one's right client", async () => {
    const { service, payeeId } = kontor;
    const created = await service.database.transact((transaction) =>
      createOAuthClient(transaction, service.merchants, {
        payeeId,
        name: 'Shop',
        scopes: ['tokens:read'],
        actor: COMMAND_LINE,
      }),
    );
    const token = (address: string, secret: string) =>
      send(
        kontor,
        '/oauth/token',
        { ...FORM, ...from(address) },
        `grant_type=client_credentials&client_id=${created.clientId}&client_secret=${secret}`,
      );
    for (let sent = 0; sent < CLIENT_AUTHENTICATION_FAILURES; sent++) await token('192.0.2.11', 'wrong');
    expect((await token('192.0.2.11', created.clientSecret.reveal())).status).toBe(429);
    expect((await token('192.0.2.12', created.clientSecret.reveal())).status).toBe(200);
  });

  test("a payer's network has its own limit of pages", async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent++) statuses.push((await send(kontor, '/pay/x/y', from('192.0.2.41'))).status);
    expect(statuses).toEqual([404, 404, 404, 429]);
    expect((await send(kontor, '/pay/x/y', from('192.0.2.42'))).status).toBe(404);
  });

  test('the log and the audit trail have the address of the caller, in one form', async () => {
    const lines: string[] = [];
    const log: FastifyBaseLogger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const { service, baseUrl } = kontor;
    const { app } = await serverOf({ config: service.config, service, baseUrl }, log);
    onTestFinished(() => app.close());
    for (const sent of [from('2001:db8::51'), from('[2001:db8::51]:4711'), from('::ffff:192.0.2.51'), {}]) {
      await app.inject({ path: '/psp/nowhere', headers: { ...WRONG, ...sent }, remoteAddress: '::ffff:127.0.0.1' });
    }
    const addresses = lines.map((line) => JSON.parse(line).address);
    expect(addresses).toEqual(['2001:db8::51', '2001:db8::51', '192.0.2.51', '127.0.0.1']);
    await send(kontor, '/psp/nowhere', { ...WRONG, ...from('198.51.100.7') });
    const noted = async () => {
      const { rows } = await service.database.transact((transaction) =>
        transaction.run<{ address: string }>(
          { name: 'test-addresses', text: `select details ->> 'address' as address from audit` },
          [],
        ),
      );
      return rows.map(({ address }) => address);
    };
    await until(async () => (await noted()).includes('198.51.100.7'));
  });

  test('a proxy that the settings do not name is told of once', async () => {
    const lines: string[] = [];
    const log: FastifyBaseLogger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const { service, baseUrl } = kontor;
    const { app } = await serverOf({ config: service.config, service, baseUrl }, log);
    onTestFinished(() => app.close());
    const ask = (remoteAddress: string, headers: Readonly<Record<string, string>>) =>
      app.inject({ path: '/health/live', headers, remoteAddress });
    const warnings = () => lines.filter((line) => line.includes('KONTOR_TRUSTED_PROXIES'));
    await ask('127.0.0.1', from('192.0.2.61'));
    await ask('10.0.0.9', {});
    expect(warnings()).toEqual([]);
    for (const sent of [1, 2]) await ask('10.0.0.9', from(`192.0.2.${sent}`));
    expect(warnings()).toEqual([expect.stringContaining('"address":"10.0.0.9"')]);
  });

  /**
   * The headers that the examples in examples/proxy make of a caller's. `proxy-programs.test.ts` runs the programs, where
   * this machine has them.
   */
  const MADE_BY_EXAMPLES: readonly (readonly [string, readonly string[], string])[] = [
    ['nginx', ['X-Forwarded-For: 192.0.2.71', 'X-Forwarded-Proto: https', 'Forwarded: for=198.51.100.1'], '192.0.2.71'],
    ['nginx over IPv6', ['X-Forwarded-For: 2001:db8::71', 'X-Forwarded-Proto: https'], '2001:db8::71'],
    ['HAProxy', ['x-forwarded-for: 192.0.2.72', 'x-forwarded-proto: https', 'connection: close'], '192.0.2.72'],
    ['HAProxy on a socket of both families', ['x-forwarded-for: ::ffff:192.0.2.73'], '192.0.2.73'],
    ['nginx behind a balancer that is named', ['X-Forwarded-For: 8.8.8.8, 192.0.2.74, 127.0.0.9'], '192.0.2.74'],
    [
      'HAProxy behind one, a header for each',
      ['x-forwarded-for: 192.0.2.75', 'x-forwarded-for: 127.0.0.9'],
      '192.0.2.75',
    ],
  ];

  test.each(MADE_BY_EXAMPLES)('%s, as in the examples, tells who the caller is', async (_name, headers, address) => {
    const lines: string[] = [];
    const log: FastifyBaseLogger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const { service, baseUrl } = kontor;
    const { app } = await serverOf({ config: service.config, service, baseUrl }, log);
    onTestFinished(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const sent = ['GET /psp/nowhere HTTP/1.1', 'Host: pay.example.com', 'Authorization: Bearer x', ...headers];
    const { status } = await exchange(app.listeningOrigin, requestText(sent));
    const [finished] = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect([status, finished?.address]).toEqual([401, address]);
  });

  test("a portal user's failed sign-ins lock them out where they came from, and name that place", async () => {
    const { service } = kontor;
    const email = 'locked@shop.example';
    await service.database.transact((transaction) =>
      createUser(transaction, service.portalUsers, {
        payeeId: kontor.payeeId,
        email,
        name: 'Locked',
        role: 'administrator',
        actor: COMMAND_LINE,
      }),
    );
    const json = { 'content-type': 'application/json', origin: BEHIND.KONTOR_PUBLIC_URL };
    const body = JSON.stringify({ email, password: 'not-the-passw0rd-of-a-user' });
    const signIn = (address: string) => send(kontor, '/portal/api/session', { ...json, ...from(address) }, body);
    const first = await signIn('192.0.2.61');
    expect(first.status).toBe(401);
    const { rows } = await service.database.transact((transaction) =>
      transaction.run<{ details: unknown }>(
        { name: 'test-sign-ins', text: `select details from audit where action = 'refuse-sign-in'` },
        [],
      ),
    );
    expect(rows.map(({ details }) => details)).toEqual([{ address: '192.0.2.61', reason: 'wrong-password' }]);
    for (let sent = 0; sent < 2; sent++) await signIn('192.0.2.61');
    expect((await signIn('192.0.2.61')).status).toBe(429);
    expect((await signIn('192.0.2.62')).status).toBe(401);
  });

  test('what the proxy writes and cannot be read is 400, and counts against no address', async () => {
    for (const path of ['/health/live', '/psp/nowhere', '/pay/x/y', '/portal']) {
      const { status, text } = await send(kontor, path, from('shop.example'));
      expect([path, status, JSON.parse(text).problems[0].name]).toEqual([path, 400, 'X-Forwarded-For']);
    }
    expect((await send(kontor, '/psp/nowhere', { forwarded: 'for="192.0.2.1' })).status).toBe(400);
  });

  test('browsers are told to speak TLS from now on, but not in clear text', async () => {
    const told = async (headers: Readonly<Record<string, string>>) =>
      (await send(kontor, '/portal', headers)).headers.get('strict-transport-security');
    expect(await told({ ...from('192.0.2.20'), 'x-forwarded-proto': 'https' })).toMatch(/^max-age=63072000;/);
    expect(await told({ ...from('192.0.2.20'), 'x-forwarded-proto': 'http' })).toBeNull();
  });

  test('metrics ask for their token, though the proxy is on this machine', async () => {
    expect((await send(kontor, '/metrics', {})).status).toBe(401);
    expect((await send(kontor, '/metrics', from('192.0.2.1'))).status).toBe(401);
  });

  test("a merchant's own Forwarded tells the payer, and never who sent the request", async () => {
    const path = `/online/payer/payees/${kontor.payeeId}/payers/anna/tokens`;
    const authorization = `Bearer ${kontor.accessToken}`;
    const sent = { authorization, forwarded: 'for=198.51.100.1', ...from('192.0.2.30') };
    expect((await send(kontor, path, sent)).status).toBe(200);
    expect((await send(kontor, path, { ...sent, forwarded: 'for=nonsense:x' })).status).toBe(400);
  });
});

describe('where no proxy is named', () => {
  let kontor: ProductionService;
  beforeAll(async () => {
    kontor = await productionService({ KONTOR_FAILURES_PER_MINUTE: '3' });
  });
  afterAll(() => kontor.stop());

  test('without a proxy the socket says where a request comes from', async () => {
    const statuses = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) {
      statuses.push((await send(kontor, '/psp/nowhere', { ...WRONG, ...from(address) })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await send(kontor, '/health/live', from('nonsense'))).status, 'nor is it looked at').toBe(200);
  });

  test('metrics are open to a program on this machine, and not through a proxy on it', async () => {
    expect((await send(kontor, '/metrics', {})).status).toBe(200);
    for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip']) {
      expect([name, (await send(kontor, '/metrics', { [name]: 'for=127.0.0.1' })).status]).toEqual([name, 401]);
    }
  });
});

test('metrics on a port of their own are nowhere else, and the service is not there', async () => {
  const kontor = await productionService({ KONTOR_METRICS_PORT: '0' });
  onTestFinished(() => kontor.stop());
  const port = kontor.running.metricsPort;
  const scrape = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const answer = await scrape('/metrics');
  expect([answer.status, (await answer.text()).includes('kontor_http_request_duration_seconds')]).toEqual([200, true]);
  expect((await scrape('/metrics', { via: '1.1 proxy' })).status).toBe(401);
  expect((await scrape('/health/live')).status).toBe(404);
  expect((await send(kontor, '/metrics', {})).status).toBe(404);
  const old = await exchange(
    `http://127.0.0.1:${port}`,
    requestText(['POST /metrics HTTP/1.1', 'Host: a', 'Content-Length: 0']),
  );
  expect(old.status).toBe(404);
});
