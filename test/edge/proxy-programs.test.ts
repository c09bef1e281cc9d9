import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AcquirersSetup } from '../../src/issuers/acquirers/acquirers.types.ts';
import { timeLimitsOf } from '../../src/wiring/time-limits.ts';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import { CHECKOUT } from '../support/database/embedded.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { until } from '../support/until.ts';
import { isInstalled, type ProxyName, type ProxyProgram, startProxy } from './proxy-program.ts';

// The examples of docs/operating/proxies.md, with the programs themselves where this machine has them.

/** What stands behind the proxy: it notes each request that reaches it. */
interface StandIn {
  readonly port: number;
  readonly taken: IncomingMessage[];
  /** `answers`, or ends the connection when the request has come, as a process that is killed does. */
  mode: 'answers' | 'dies';
  /** Refuses connections from now on. */
  leave(): Promise<void>;
}

async function standIn(): Promise<StandIn> {
  const server = createServer(async (received, response) => {
    if (received.url === '/health/ready') {
      response.end('{}');
      return;
    }
    instance.taken.push(received);
    await text(received);
    if (instance.mode === 'dies') received.socket.destroy();
    else response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const leave = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  onTestFinished(leave);
  const { port } = server.address() as AddressInfo;
  const instance: StandIn = { port, taken: [], mode: 'answers', leave };
  return instance;
}

interface Said {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

/** Sends a request through the proxy, on a connection of its own. */
async function ask(
  { origin }: ProxyProgram,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const sent = request(`${origin}${path}`, { method, headers, agent: false, rejectUnauthorized: false });
  sent.end(method === 'GET' ? undefined : '{}');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, type: response.headers['content-type'], body: await text(response) };
}

const PROXIES: readonly ProxyName[] = ['haproxy', 'nginx'];

describe.each(PROXIES)('%s, as in its example', (name) => {
  const here = test.skipIf(!isInstalled(name));

  async function proxied(): Promise<{ proxy: ProxyProgram; one: StandIn; two: StandIn }> {
    const [one, two] = await Promise.all([standIn(), standIn()]);
    const proxy = await startProxy(name, [one.port, two.port]);
    onTestFinished(() => proxy.stop());
    await until(async () => (await ask(proxy, 'GET', '/first')).status === 200);
    one.taken.length = 0;
    two.taken.length = 0;
    return { proxy, one, two };
  }

  here('names the caller, whatever the caller wrote, and leaves the payer of a merchant alone', async () => {
    const { proxy, one, two } = await proxied();
    await ask(proxy, 'POST', '/psp/a%2Fb?c=d', { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=198.51.100.1' });
    const [received] = [...one.taken, ...two.taken];
    expect(received?.url, 'the path is signed as it is').toBe('/psp/a%2Fb?c=d');
    expect(received?.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      forwarded: 'for=198.51.100.1',
    });
  });

  here('sends what an instance has taken and not answered to no other one', async () => {
    const { proxy, one, two } = await proxied();
    one.mode = 'dies';
    two.mode = 'dies';
    for (const method of ['POST', 'PATCH']) {
      const before = one.taken.length + two.taken.length;
      const said = await ask(proxy, method, '/psp/change');
      expect([method, one.taken.length + two.taken.length - before]).toEqual([method, 1]);
      expect(said).toMatchObject({ status: 504, type: 'application/problem+json' });
      expect(JSON.parse(said.body)).toMatchObject({ status: 504, type: /\/errordetail\/gatewaytimeout$/ });
      // Until the instance counts as there again.
      one.mode = 'answers';
      two.mode = 'answers';
      await until(async () => (await ask(proxy, 'GET', '/again')).status === 200);
      one.mode = 'dies';
      two.mode = 'dies';
    }
  });

  here('sends what an instance does not take to the other one, and each request once', async () => {
    const { proxy, one, two } = await proxied();
    await one.leave();
    for (let sent = 0; sent < 40; sent++) expect((await ask(proxy, 'POST', `/psp/${sent}`)).status).toBe(200);
    expect(two.taken.map(({ url }) => url)).toEqual(Array.from({ length: 40 }, (_, sent) => `/psp/${sent}`));
  });

  here('says that no instance is there as the service says it: a problem', async () => {
    const { proxy, one, two } = await proxied();
    await Promise.all([one.leave(), two.leave()]);
    const said = await ask(proxy, 'POST', '/psp/change');
    expect(said.type).toBe('application/problem+json');
    expect([503, 504]).toContain(said.status);
    expect(JSON.parse(said.body)).toMatchObject({ status: said.status, problems: [] });
  });

  // It measures, so it runs where nothing else does.
  describe.skipIf(!IS_LONG_RUN || !isInstalled(name))('in front of two instances', () => {
    let instances: TwoInstances;
    beforeAll(async () => {
      instances = await twoInstances({
        KONTOR_TRUSTED_PROXIES: '127.0.0.1',
        // What the example's checks call it.
        KONTOR_ALLOWED_HOSTS: 'pay.example.com',
      });
    });
    afterAll(() => instances.stop());

    test('one that is killed costs its requests under way, and a second at most', async () => {
      const { kontor, otherUrl, kill } = instances;
      const proxy = await startProxy(name, [kontor.running.port, Number(new URL(otherUrl).port)]);
      onTestFinished(() => proxy.stop());
      await until(async () => (await ask(proxy, 'GET', '/health/ready')).status === 200);
      let killedAt = Number.POSITIVE_INFINITY;
      const failedAt: number[] = [];
      let answered = 0;
      const payer = async () => {
        while (performance.now() < killedAt + 3_000) {
          const { status } = await ask(proxy, 'GET', '/health/live').catch(() => ({ status: 0 }));
          if (status === 200) answered++;
          else failedAt.push(performance.now());
          if (answered > 60 && killedAt === Number.POSITIVE_INFINITY) {
            killedAt = performance.now();
            kill();
          }
        }
      };
      await Promise.all(Array.from({ length: 6 }, payer));
      expect(failedAt.filter((at) => at < killedAt)).toEqual([]);
      expect(Math.max(killedAt, ...failedAt) - killedAt).toBeLessThan(1_000);
    });
  });
});

describe('the examples wait longer than the slowest request', () => {
  test.each([
    ['haproxy.cfg', /timeout server (\d+)s/],
    ['nginx.conf', /proxy_read_timeout (\d+)s/],
  ])('%s', (file, said) => {
    const seconds = Number(said.exec(readFileSync(join(CHECKOUT, 'examples/proxy', file), 'utf8'))?.[1]);
    const acquirer = { sendMs: 1_000, answerMs: 15_000 };
    const threeDS = { directoryServers: [{ answerMs: 12_000 }] } as unknown as AcquirersSetup['threeDS'];
    expect(seconds * 1_000).toBeGreaterThan(timeLimitsOf({ acquirers: [acquirer, acquirer], threeDS }).changeMs);
  });
});
