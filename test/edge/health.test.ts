import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from '../support/prober/answers.ts';
import { type ProductionService, productionService } from '../support/prober/routes-production.ts';
import { exchange, requestText } from '../support/prober/sockets.ts';
import { type TestService, testService } from '../support/service.ts';

/** An address of this machine that is not loopback, as a scraper elsewhere has one. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((found) => found?.family === 'IPv4' && !found.internal)?.address;

describe('health', () => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await testService();
  });
  afterAll(() => kontor.stop());

  test.each([
    ['/health/live', 'live'],
    ['/health/ready', 'ready'],
  ])('%s answers without a token', async (path, status) => {
    const answer = await kontor.send('GET', path, { accessToken: null });
    expect(answer).toMatchObject({ status: 200, body: { status } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('answers HTTP/1.0, as load balancers ask it, and nothing else does', async () => {
    for (const lines of [['GET /health/ready HTTP/1.0'], ['GET /health/live HTTP/1.0', 'Host: localhost']]) {
      expect((await exchange(kontor.baseUrl, requestText(lines))).status).toBe(200);
    }
    for (const path of ['/docs', '/', '/psp/paymentorders', '/portal', '/oauth/token']) {
      const refused = await exchange(kontor.baseUrl, requestText([`GET ${path} HTTP/1.0`, 'Host: localhost']));
      expect([refused.status, codeOf(refused)], path).toEqual([505, 'httpversionnotsupported']);
    }
  });

  test('metrics count requests by route template and status, never by address', async () => {
    const path = `/online/payer/payees/${kontor.payeeId}/payers/beatrix-the-payer/tokens`;
    await kontor.send('GET', path);
    await kontor.send('GET', path, { accessToken: null });
    await kontor.send('GET', '/nowhere-at-all', { accessToken: null });
    const { status, headers, text } = await kontor.send('GET', '/metrics', { accessToken: null });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const counted = (route: string, code: number) =>
      `kontor_http_request_duration_seconds_count{method="GET",route="${route}",status="${code}"}`;
    const template = '/online/payer/payees/:payeeId/payers/:payerReference/tokens';
    for (const name of [counted(template, 200), counted(template, 401), counted('unknown', 404)]) {
      expect(text).toContain(name);
    }
    for (const name of ['beatrix', kontor.payeeId, 'nowhere-at-all']) expect(text).not.toContain(name);
    for (const name of ['kontor_database_connections', 'nodejs_eventloop_lag_seconds']) expect(text).toContain(name);
  });
});

describe('metrics in production', () => {
  let closed: ProductionService;
  let open: ProductionService;
  beforeAll(async () => {
    const everywhere = {
      KONTOR_HOST: '0.0.0.0',
      KONTOR_TLS_TERMINATED: 'true',
      KONTOR_PUBLIC_URL: 'https://pay.example.com',
    };
    closed = await productionService(everywhere);
    open = await productionService({ ...everywhere, KONTOR_METRICS_TOKEN: 'scraper-0123456789' });
  });
  afterAll(async () => {
    await closed.stop();
    await open.stop();
  });

  const scrape = (kontor: ProductionService, host: string, token?: string) =>
    fetch(`http://${host}:${kontor.running.port}/metrics`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });

  test('are for this machine alone, unless a token opens them', async () => {
    expect((await scrape(closed, '127.0.0.1')).status).toBe(200);
    expect((await scrape(open, '127.0.0.1')).status).toBe(200);
  });

  // A container without a network has no such address; there is no other way to come from elsewhere.
  test.skipIf(outside === undefined)('are closed to others without the token, and to all others', async () => {
    const host = outside ?? '';
    for (const token of [undefined, 'scraper-wrong', closed.accessToken]) {
      const answer = await scrape(closed, host, token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      expect((await scrape(open, host, token)).status).toBe(401);
    }
    expect((await scrape(open, host, 'scraper-0123456789')).status).toBe(200);
    expect((await fetch(`http://${host}:${open.running.port}/health/ready`)).status).toBe(200);
  });
});
