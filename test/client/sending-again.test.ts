import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import type { ClientOptions } from '../../client/client.types.ts';
import { KontorOutcomeUnknown, KontorProblem, KontorUnreachable } from '../../client/problems.ts';

/** A request as the server got it. */
interface Got {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answering = (got: Got, response: ServerResponse, tries: number) => void;

let got: Got[];
let answering: Answering;
let baseUrl: string;

/** A service that fails as a test wants it to: on a real socket, so that the client's `fetch` is the platform's. */
beforeEach(async () => {
  got = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const seen = { method, url, headers, body: await text(request) };
    got.push(seen);
    answering(seen, response, got.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
});

const client = (options: Partial<ClientOptions> = {}) =>
  createClient({
    baseUrl,
    credentials: { accessToken: 'kt_test_x' },
    retries: { firstDelayMs: 5 },
    timeoutMs: 5_000,
    ...options,
  });

const json = (response: ServerResponse, status: number, body: object, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const problem = (response: ServerResponse, status: number, code: string, headers = {}) =>
  json(response, status, { type: `${baseUrl}/errordetail/${code}`, title: code, status }, headers);

/** Fails so many times, then answers. */
const failing =
  (times: number, fail: (response: ServerResponse) => void): Answering =>
  (_got, response, tries) =>
    tries <= times ? fail(response) : json(response, 200, { operations: [] });

const cut = (response: ServerResponse) => response.socket?.destroy();
const pay = { body: { payment: {} as never } };
const HMAC = { user: 'user', secret: 'secret' };

describe('a read', () => {
  test.each([
    ['503', (response: ServerResponse) => problem(response, 503, 'unavailable')],
    ['a cut connection', cut],
    [
      'an answer cut in the middle',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{');
        setImmediate(() => cut(response));
      },
    ],
  ])('is sent again after %s', async (_what, fail) => {
    answering = failing(2, fail);
    expect(await client().call('GET /webhooks')).toEqual({ operations: [] });
    expect(got).toHaveLength(3);
  });

  test('is given up after four tries', async () => {
    answering = (_got, response) => problem(response, 500, 'systemerror');
    await expect(client().call('GET /webhooks')).rejects.toMatchObject({ code: 'systemerror', mayHaveHadEffect: true });
    expect(got).toHaveLength(4);
    answering = (_got, response) => cut(response);
    const failed = await client()
      .call('GET /webhooks')
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(KontorUnreachable);
    expect(failed).not.toBeInstanceOf(KontorOutcomeUnknown);
  });

  test('is not sent again after what will not change', async () => {
    answering = (_got, response) => problem(response, 404, 'notfound');
    await expect(client().call('GET /webhooks')).rejects.toThrow(KontorProblem);
    expect(got).toHaveLength(1);
  });

  test('waits as long as the service asks, but not for ever', async () => {
    answering = failing(1, (response) => problem(response, 429, 'toomanyrequests', { 'retry-after': '1' }));
    const startedAt = performance.now();
    await client().call('GET /webhooks');
    expect(performance.now() - startedAt).toBeGreaterThan(950);
    got = [];
    answering = (_got, response) => problem(response, 429, 'toomanyrequests', { 'retry-after': '3600' });
    await expect(client().call('GET /webhooks')).rejects.toMatchObject({ retryAfterSeconds: 3600 });
    expect(got).toHaveLength(1);
  });

  test('ends when the time is over, or its caller loses patience', async () => {
    answering = () => undefined;
    let tries = 0;
    // Counted here and not at the server: what is over so soon need not have arrived.
    const counting: typeof fetch = (...request) => {
      tries += 1;
      return fetch(...request);
    };
    const impatient = client({ fetch: counting, timeoutMs: 30, retries: { attempts: 2, firstDelayMs: 1 } });
    await expect(impatient.call('GET /webhooks')).rejects.toMatchObject({
      name: 'KontorUnreachable',
      cause: { name: 'TimeoutError' },
    });
    expect(tries).toBe(2);
    const patience = new AbortController();
    const given = client().call('GET /webhooks', { signal: patience.signal });
    patience.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
  });

  test('is not waited for any more either when its caller loses patience between two tries', async () => {
    const patience = new AbortController();
    answering = (_got, response) => {
      problem(response, 503, 'unavailable', { 'retry-after': '10' });
      setTimeout(() => patience.abort(new Error('enough')), 50);
    };
    await expect(client().call('GET /webhooks', { signal: patience.signal })).rejects.toThrow('enough');
    expect(got).toHaveLength(1);
  });
});

describe('a change', () => {
  test('with a key is sent again with the same one', async () => {
    answering = failing(2, cut);
    await client().call('POST /psp/creditcard/payments', pay);
    const keys = got.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  test('of unknown outcome tells the key to ask with', async () => {
    answering = (_got, response) => cut(response);
    const failed = await client()
      .call('POST /psp/creditcard/payments', pay)
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(KontorOutcomeUnknown);
    expect(failed).toMatchObject({ idempotencyKey: got[0]?.headers['idempotency-key'] });
  });

  test('without a key or a reference is sent once, unless it certainly had no effect', async () => {
    const rotate = () =>
      client().call('POST /webhooks/{webhookId}/secrets', { params: { webhookId: 'a/b' }, body: {} });
    answering = (_got, response) => cut(response);
    await expect(rotate()).rejects.toThrow(KontorOutcomeUnknown);
    answering = (_got, response) => problem(response, 500, 'systemerror');
    await expect(rotate()).rejects.toMatchObject({ code: 'systemerror', mayHaveHadEffect: true });
    expect(got.map(({ url }) => url)).toEqual(['/webhooks/a%2Fb/secrets', '/webhooks/a%2Fb/secrets']);
    got = [];
    answering = failing(2, (response) => problem(response, 503, 'unavailable'));
    await rotate();
    expect(got).toHaveLength(3);
  });

  test('with a reference is sent again as a repetition, with a signature of its own', async () => {
    answering = failing(1, cut);
    const params = { paymentAccountId: 'a', paymentId: 'p' };
    const body = { paymentOrderRef: 'o', paymentTransactionRef: 't', amount: 5 };
    await client({ hmac: HMAC }).call(
      'POST /api/payments/payment-account/{paymentAccountId}/payment/{paymentId}/capture',
      { params, body },
    );
    expect(got.map((one) => JSON.parse(one.body))).toEqual([body, { ...body, repeat: true }]);
    const nonces = got.map(({ headers }) => String(headers['hmac']).split(':')[1]);
    expect(new Set(nonces).size).toBe(2);
    expect(got.every(({ headers }) => headers['idempotency-key'] === undefined)).toBe(true);
  });

  test('to a service that is not there was certainly not carried out', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const unanswered = client({ baseUrl: `http://127.0.0.1:${port}`, retries: { attempts: 2, firstDelayMs: 1 } });
    const failed = await unanswered.call('POST /psp/creditcard/payments', pay).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(KontorUnreachable);
    expect(failed).not.toBeInstanceOf(KontorOutcomeUnknown);
  });
});

describe('an access token', () => {
  const credentials = { clientId: 'c', clientSecret: 's' };
  const issuing =
    (expiresIn: number, otherwise: Answering): Answering =>
    (one, response, tries) =>
      one.url === '/oauth/token'
        ? json(response, 200, {
            access_token: `token-${tries}`,
            expires_in: expiresIn,
            token_type: 'Bearer',
            scope: '',
          })
        : otherwise(one, response, tries);
  const fetches = () => got.filter(({ url }) => url === '/oauth/token');

  test('is fetched once for requests at the same time, and again before it ends', async () => {
    answering = issuing(3600, (_got, response) => json(response, 200, {}));
    const own = client({ credentials });
    await Promise.all([own.call('GET /webhooks'), own.call('GET /webhooks'), own.call('GET /webhooks')]);
    expect(fetches()).toHaveLength(1);
    expect(fetches()[0]).toMatchObject({
      body: 'grant_type=client_credentials',
      headers: { authorization: 'Basic Yzpz' },
    });
    const short = client({ credentials });
    answering = issuing(30, (_got, response) => json(response, 200, {}));
    await short.call('GET /webhooks');
    await short.call('GET /webhooks');
    expect(fetches(), 'one that ends within a minute is not used again').toHaveLength(3);
  });

  test('that was revoked is replaced, once', async () => {
    answering = issuing(3600, ({ headers }, response) =>
      headers.authorization === 'Bearer token-1' ? problem(response, 401, 'unauthorized') : json(response, 200, {}),
    );
    await client({ credentials }).call('POST /webhooks/{webhookId}/tests', { params: { webhookId: 'w' } });
    expect(fetches()).toHaveLength(2);
    got = [];
    const own = client({ credentials });
    await Promise.all([own.call('GET /webhooks'), own.call('GET /webhooks'), own.call('GET /webhooks')]);
    expect(fetches(), 'and once for requests at the same time').toHaveLength(2);
    got = [];
    answering = issuing(3600, (_got, response) => problem(response, 401, 'unauthorized'));
    await expect(client({ credentials }).call('GET /webhooks')).rejects.toMatchObject({ status: 401 });
    expect(fetches()).toHaveLength(2);
  });

  test('that cannot be had fails the request, and the next one asks again', async () => {
    answering = (_got, response) => json(response, 401, { error: 'invalid_client', error_description: 'Wrong.' });
    const own = client({ credentials });
    await expect(own.call('GET /webhooks')).rejects.toMatchObject({ code: 'invalid_client', detail: 'Wrong.' });
    answering = issuing(3600, (_got, response) => json(response, 200, {}));
    expect(await own.call('GET /webhooks')).toEqual({});
  });
});

describe('what is sent', () => {
  beforeEach(() => {
    answering = (_got, response) => json(response, 200, {});
  });

  test('names the version, the query and what is to be expanded', async () => {
    const own = client({ version: '2.0', headers: () => ({ 'x-csrf': 'c' }) });
    await own.call('GET /events', { query: { after: '5' }, expand: ['prices', 'urls'], headers: { 'x-own': 'o' } });
    expect(got[0]?.url).toBe('/events?after=5&$expand=prices,urls');
    expect(got[0]?.headers).toMatchObject({
      accept: 'application/json; version=2.0, application/problem+json',
      'x-csrf': 'c',
      'x-own': 'o',
    });
    await own.call('POST /psp/creditcard/payments', pay);
    expect(got[1]?.headers['content-type']).toBe('application/json; version=2.0');
  });

  test('loses no digit of a number', async () => {
    const ping = (description: unknown) =>
      client({ hmac: HMAC }).call('POST /api/payments/ping', { body: { description } as never });
    await ping(9_007_199_254_740_993n);
    expect(got[0]?.body).toBe('{"description":"9007199254740993"}');
    await expect(ping(2 ** 53)).rejects.toThrow(RangeError);
    expect(got).toHaveLength(1);
  });

  test('carries no credentials where the client has none', async () => {
    await client({ credentials: undefined }).call('GET /webhooks');
    expect(got[0]?.headers.authorization).toBeUndefined();
  });
});

test('an answer that is no problem of the service is one without a code', async () => {
  answering = (_got, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  await expect(client().call('GET /webhooks')).rejects.toMatchObject({ code: '', status: 502, mayHaveHadEffect: true });
});

describe('an answer that is not of the service', () => {
  const page = (response: ServerResponse, status: number) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html>Please sign in</html>');
  const ANSWERS: readonly (readonly [string, (response: ServerResponse) => void])[] = [
    ['a page of a proxy', (response) => page(response, 200)],
    ['an empty body', (response) => response.writeHead(200).end()],
    ['no content', (response) => response.writeHead(204).end()],
    [
      'an empty body that says that it is JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
    ],
    ['JSON that is cut', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":')],
    [
      'JSON that is no object',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('null'),
    ],
    ['JSON that says it is a text', (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('{}')],
    ['another kind of JSON', (response) => response.writeHead(200, { 'content-type': 'application/jsonp' }).end('{}')],
  ];

  test.each(ANSWERS)(
    '%s: a change has an unknown outcome, after it was sent again with its key',
    async (_what, answer) => {
      answering = (_got, response) => answer(response);
      const failed = await client()
        .call('POST /psp/creditcard/payments', pay)
        .catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(KontorOutcomeUnknown);
      const keys = got.map(({ headers }) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size]).toEqual([4, 1]);
      expect((failed as KontorOutcomeUnknown).idempotencyKey).toBe(keys[0]);
    },
  );

  test.each(ANSWERS)('%s: a read is sent again, and gets the answer of the service', async (_what, answer) => {
    answering = failing(2, answer);
    expect(await client().call('GET /webhooks')).toEqual({ operations: [] });
    expect(got).toHaveLength(3);
  });

  test.each([429, 502, 503, 504])('with status %d of a proxy: what has a key is sent again with it', async (status) => {
    answering = failing(2, (response) => page(response, status));
    expect(await client().call('POST /psp/creditcard/payments', pay)).toEqual({ operations: [] });
    const keys = got.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  test.each([400, 403, 500, 501])('with status %d of a proxy: nothing is sent again', async (status) => {
    answering = (_got, response) => page(response, status);
    await expect(client().call('GET /webhooks')).rejects.toMatchObject({ status, code: '' });
    expect(got).toHaveLength(1);
  });

  test('with 503 of a proxy: what has neither key nor reference is not sent again', async () => {
    answering = (_got, response) => page(response, 503);
    const block = 'POST /api/payments/gift-card/{paymentAccountId}/block' as const;
    const asked = { params: { paymentAccountId: 'a' }, body: {} as never };
    const failed = client({ hmac: HMAC }).call(block, asked);
    await expect(failed).rejects.toMatchObject({ status: 503, mayHaveHadEffect: true });
    expect(got).toHaveLength(1);
  });

  test.each(ANSWERS)('%s in place of an access token: it is asked for again', async (_what, answer) => {
    const credentials = { clientId: 'kc_x', clientSecret: 'ks_x' };
    answering = ({ url }, response, tries) => {
      if (tries === 1) answer(response);
      else json(response, 200, url === '/oauth/token' ? { access_token: 'kt_test_y', expires_in: 3600 } : {});
    };
    await client({ credentials }).call('POST /psp/creditcard/payments', pay);
    expect(got.map(({ url }) => url)).toEqual(['/oauth/token', '/oauth/token', '/psp/creditcard/payments']);
  });
});

test.each(['.', '..'])('a parameter of an address is not %s, which would lead elsewhere', async (payerReference) => {
  const params = { payerReference };
  const reading = client().call('GET /psp/paymentorders/payerownedtokens/{payerReference}', { params });
  await expect(reading).rejects.toThrow(TypeError);
  expect(got).toEqual([]);
});
