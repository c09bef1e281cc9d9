import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { checkProblemBody } from '../support/prober/answers.ts';
import {
  MARKER,
  type RouteRequest,
  SESSION_ID,
  sendRequest,
  withBody,
  withHeaders,
} from '../support/prober/routes-requests.ts';
import { exchange, requestText } from '../support/prober/sockets.ts';
import { signatureOf, type TestService, testService } from '../support/service.ts';

const { apiRoutes, openRoutes, portalRoutes, addresses } = describeRoutes();
let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const send = (request: RouteRequest) => sendRequest(kontor.baseUrl, request);

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

const isBelow = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
const isOfApi = (path: string) => addresses.prefixes.some((prefix) => isBelow(path, prefix));

describe('the address of a route', () => {
  /** Every address once, with a word that is no id for each parameter. */
  const templates = [...new Set([...apiRoutes, ...openRoutes, ...portalRoutes].map(({ path }) => path))];
  const pathOf = (template: string) =>
    template.replace(':payeeId', kontor.payeeId).replaceAll(/:[A-Za-z]+/g, 'Some-Id');
  const isSigned = (path: string) => isBelow(path, addresses.signed);
  /** What an address answers to a method that no route has: 405 and its own methods, where there is a route. */
  const methodsAt = async (path: string) => {
    const request = { method: 'PUT', path, headers: { 'session-id': SESSION_ID }, body: undefined };
    const { accessToken, hmac } = kontor;
    const answer = await send({ ...request, accessToken, ...(isSigned(path.toLowerCase()) && { hmac }) });
    return [answer.status, answer.headers['allow']];
  };

  test('may end in one slash, unless it is signed', async () => {
    for (const template of templates.filter((path) => path !== '/')) {
      const path = pathOf(template);
      const known = await methodsAt(path);
      expect([template, known[0]]).toEqual([template, 405]);
      const ended = await methodsAt(`${path}/`);
      expect([template, ended]).toEqual([template, isSigned(path) ? [404, undefined] : known]);
    }
  });

  test('has its words in any case of ASCII letters, and of no others', async () => {
    for (const template of templates) {
      const path = pathOf(template);
      const known = await methodsAt(path);
      const inCapitals = template.replaceAll(/[^/]+/g, (step) => (step.startsWith(':') ? step : step.toUpperCase()));
      expect([template, await methodsAt(pathOf(inCapitals))]).toEqual([template, known]);
      // The Kelvin sign, which becomes a k in lower case.
      const word = isOfApi(template) && template.split('/').find((step) => !step.startsWith(':') && step.includes('k'));
      if (!word) continue;
      const strange = template.replace(word, word.replace('k', '%E2%84%AA'));
      const strangers = await methodsAt(pathOf(strange));
      expect([strange, strangers]).not.toEqual([strange, known]);
    }
  });

  test('may have any letter in a parameter, before words that follow it', async () => {
    for (const payer of ['\u0130brahim', 'A\u212ab', '\u1e9e', 'TOKENS', 'a.b', '...']) {
      const path = `/online/payer/payees/${kontor.payeeId}/payers/${encodeURIComponent(payer)}/Tokens/`;
      const { status, body } = await kontor.send('GET', path);
      expect([status, body.tokens?.payerReference]).toEqual([200, payer]);
    }
  });

  test.each(['.', '..'])('has no payer by the name of %s, which would be a step in it', async (payer) => {
    for (const path of [
      `/online/payer/payees/${kontor.payeeId}/payers/${payer}/tokens`,
      `/psp/paymentorders/payerownedtokens/${payer}`,
    ]) {
      for (const sent of [path, path.replace(/\.+/, (dots) => '%2E'.repeat(dots.length))]) {
        const { accessToken } = kontor;
        const answer = await send({ method: 'GET', path: sent, accessToken, headers: {}, body: undefined });
        expect([answer.status, JSON.parse(answer.body).problems[0].name], sent).toEqual([400, 'payerReference']);
      }
    }
  });

  test('may be sent with our scheme and host, and with no other', async () => {
    const { host, port } = new URL(kontor.baseUrl);
    const ask = (target: string) =>
      exchange(
        kontor.baseUrl,
        requestText([`GET ${target} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${kontor.accessToken}`]),
      );
    const path = `/online/payer/payees/${kontor.payeeId}/payers/anna/tokens`;
    for (const own of [`http://${host}`, `HTTP://${host}`, `http://localhost:${port}`]) {
      expect((await ask(`${own}${path}`)).status, own).toBe(200);
      expect((await ask(`${own}/health/live`)).status, own).toBe(200);
    }
    for (const other of ['http://evil.example', 'http://127.0.0.1:1', `http://user@${host}`, `ftp://${host}`]) {
      const answer = await ask(`${other}${path}`);
      expect([answer.status, JSON.parse(answer.body).problems[0].name], other).toEqual([400, 'request target']);
      expect(answer.text).not.toContain('evil');
    }
  });

  test('is signed as it was written, without scheme and host', async () => {
    const { accessToken, hmac, baseUrl } = kontor;
    const body = '{}';
    const ping = async (target: string, signedPath: string) => {
      const header = signatureOf(hmac, { method: 'POST', path: signedPath, body: Buffer.from(body) });
      const lines = [
        `POST ${target} HTTP/1.1`,
        `Host: ${new URL(baseUrl).host}`,
        `Authorization: Bearer ${accessToken}`,
      ];
      const more = [`Hmac: ${header}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
      return (await exchange(baseUrl, requestText([...lines, ...more], body))).status;
    };
    expect(await ping('/API/Payments/Ping', '/API/Payments/Ping')).toBe(200);
    expect(await ping('/API/Payments/Ping', '/api/payments/ping')).toBe(401);
    expect(await ping(`${baseUrl}/api/payments/ping`, '/api/payments/ping')).toBe(200);
    expect(await ping(`${baseUrl}/api/payments/ping`, `${baseUrl}/api/payments/ping`)).toBe(401);
    expect(await ping('/api/payments/ping/', '/api/payments/ping/')).toBe(404);
    expect(await ping('/api/payments/ping/', '/api/payments/ping')).toBe(401);
  });
});

describe('an address', () => {
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
