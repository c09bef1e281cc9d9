import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { productionService } from '../support/prober/routes-production.ts';
import { exchange, requestText } from '../support/prober/sockets.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService({ KONTOR_ALLOWED_HOSTS: 'kontor' });
});
afterAll(() => kontor.stop());

const ask = (baseUrl: string, line: string, host: string, more: readonly string[] = []) =>
  exchange(baseUrl, requestText([line, `Host: ${host}`, ...more]));
const PATHS = [
  'GET / HTTP/1.1',
  'GET /portal HTTP/1.1',
  'GET /portal/api/session HTTP/1.1',
  'GET /docs HTTP/1.1',
  'GET /health/live HTTP/1.1',
  'GET /openapi.json HTTP/1.1',
  'GET /psp/paymentorders/x HTTP/1.1',
  'POST /api/payments/authorize HTTP/1.1',
  'GET /nowhere HTTP/1.1',
  'GET /problems/notfound HTTP/1.1',
];

test.each(PATHS)('a name of a stranger that leads to a sandbox is 400: %s', async (line) => {
  const length = line.startsWith('POST') ? ['Content-Length: 0'] : [];
  for (const host of ['evil.example', 'localhost.evil.example:80']) {
    const { status, body } = await ask(kontor.baseUrl, line, host, length);
    expect([host, status]).toEqual([host, 400]);
    expect(body).toContain('KONTOR_ALLOWED_HOSTS');
    expect(body).not.toContain('evil');
  }
  for (const host of ['localhost', '127.0.0.1', '[::1]:8080', 'kontor:80']) {
    const { body } = await ask(kontor.baseUrl, line, host, length);
    expect(body, host).not.toContain('KONTOR_ALLOWED_HOSTS');
  }
});

test('credentials do not help, and production leaves hosts to its proxy', async () => {
  const bearer = [`Authorization: Bearer ${kontor.accessToken}`];
  const line = `GET /psp/paymentorders/payerOwnedTokens HTTP/1.1`;
  expect((await ask(kontor.baseUrl, line, 'evil.example', bearer)).status).toBe(400);
  expect((await ask(kontor.baseUrl, line, 'localhost', bearer)).status).toBe(404);
  const production = await productionService({});
  onTestFinished(() => production.stop());
  const { port } = production.running;
  expect((await ask(`http://127.0.0.1:${port}`, 'GET /health/live HTTP/1.1', 'pay.example.com')).status).toBe(200);
});
