import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkFraming, type RawRequest } from './framing.ts';

/** What `checkFraming` names: a header, `uritoolong`, or `good`. */
function fault(request: Partial<RawRequest>): string {
  const refusal = checkFraming({
    method: 'GET',
    url: '/online',
    httpVersion: '1.1',
    rawHeaders: ['Host', 'localhost'],
    ...request,
  });
  return refusal === undefined ? 'good' : (refusal.problems[0]?.name ?? refusal.code);
}

const host = ['Host', 'localhost'];
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => [`X-${at}`, 'x']).flat();

describe('checkFraming', () => {
  test.each<[string, Partial<RawRequest>]>([
    ['a plain request', {}],
    ['a query', { url: '/online?$expand=urls&x=access_token&my_access_token=1' }],
    ['a path that speaks of tokens', { url: '/access_token&access_token=1' }],
    ['a query without a value', { url: '/online?access_tokens=1' }],
    ['the longest address', { url: `/${'x'.repeat(4095)}` }],
    ['a hundred headers', { rawHeaders: [...host, ...many(99)] }],
    ['other headers twice', { rawHeaders: [...host, 'Accept', 'a', 'Accept', 'b', 'X', '1', 'X', '2'] }],
    ['a host in any case', { rawHeaders: ['hOST', 'localhost'] }],
    ['similar names', { rawHeaders: [...host, 'Hosts', 'a', 'Hmac', 'b', 'Hmad', 'c', 'Authorizatiom', 'd'] }],
    ['HTTP/1.0 to health, without a host', { httpVersion: '1.0', url: '/health/live', rawHeaders: [] }],
    ['what would be NUL if it were decoded twice', { url: '/online?a=%2500' }],
    ['chunked in capitals', { method: 'POST', rawHeaders: [...host, 'Transfer-Encoding', ' Chunked '] }],
    ['a GET with an empty body', { rawHeaders: [...host, 'Content-Length', '0'] }],
    ['a POST with a body', { method: 'POST', rawHeaders: [...host, 'Content-Length', '7'] }],
    ['a chunked PATCH', { method: 'PATCH', rawHeaders: [...host, 'Transfer-Encoding', 'chunked'] }],
    [
      'one of each',
      {
        method: 'POST',
        rawHeaders: ['Authorization', 'Hmac', 'Content-Type', 'Idempotency-Key', 'Content-Encoding', 'Content-Length']
          .flatMap((name) => [name, '1'])
          .concat(host),
      },
    ],
  ])('takes %s', (_what, request) => {
    expect(fault(request)).toBe('good');
  });

  test.each<[string, Partial<RawRequest>, string]>([
    ['HTTP/1.0', { httpVersion: '1.0' }, 'httpversionnotsupported'],
    ['HTTP/1.0 to what looks like health', { httpVersion: '1.0', url: '/healthy' }, 'httpversionnotsupported'],
    ['HTTP/0.9 to health', { httpVersion: '0.9', url: '/health/live' }, 'httpversionnotsupported'],
    ['a fragment', { url: '/online/#/a' }, 'request target'],
    ['NUL in the path', { url: '/online/a%00b' }, 'request target'],
    ['NUL in the query', { url: '/online?a=%00' }, 'request target'],
    [
      'a body packed before it is chunked',
      { method: 'POST', rawHeaders: [...host, 'Transfer-Encoding', 'gzip, chunked'] },
      'notimplemented',
    ],
    ['HTTP/2.0', { httpVersion: '2.0' }, 'httpversionnotsupported'],
    ['an absolute target', { url: 'http://localhost/online' }, 'request target'],
    ['an absolute target in capitals', { url: 'HTTP://localhost/' }, 'request target'],
    ['an asterisk', { method: 'OPTIONS', url: '*' }, 'request target'],
    ['an authority', { method: 'CONNECT', url: 'localhost:443' }, 'request target'],
    ['no target', { url: '' }, 'request target'],
    ['an undefined target', { url: undefined }, 'request target'],
    ['a long address', { url: `/${'x'.repeat(4096)}` }, 'uritoolong'],
    ['an access token in the query', { url: '/online?access_token=kt_test_1' }, 'access_token'],
    ['an access token later in the query', { url: '/online?a=1&access_token=kt_test_1' }, 'access_token'],
    ['an empty access token in the query', { url: '/online?access_token' }, 'access_token'],
    ['no host', { rawHeaders: ['Accept', '*/*'] }, 'Host'],
    ['no headers', { rawHeaders: [] }, 'Host'],
    ['two hosts', { rawHeaders: [...host, ...host] }, 'Host'],
    ['two hosts, spelt differently', { rawHeaders: ['HOST', 'a', 'host', 'b'] }, 'Host'],
    ['two authorizations', { rawHeaders: [...host, 'authorization', 'a', 'Authorization', 'b'] }, 'Authorization'],
    ['two signatures', { rawHeaders: [...host, 'Hmac', 'a', 'HMAC', 'a'] }, 'Hmac'],
    ['two types', { rawHeaders: ['content-type', 'a', ...host, 'Content-Type', 'b'] }, 'Content-Type'],
    ['two keys', { rawHeaders: [...host, 'Idempotency-Key', 'a', 'Idempotency-Key', 'a'] }, 'Idempotency-Key'],
    ['two encodings', { rawHeaders: [...host, 'Content-Encoding', 'a', 'content-encoding', 'b'] }, 'Content-Encoding'],
    ['101 headers', { rawHeaders: [...host, ...many(100)] }, 'headers'],
    ['a GET with a body', { rawHeaders: [...host, 'Content-Length', '7'] }, 'Content-Length'],
    ['a GET with an odd length', { rawHeaders: [...host, 'Content-Length', 'x'] }, 'Content-Length'],
    ['a chunked GET', { rawHeaders: [...host, 'transfer-encoding', 'chunked'] }, 'Transfer-Encoding'],
    ['a HEAD with a body', { method: 'HEAD', rawHeaders: [...host, 'content-length', '1'] }, 'Content-Length'],
  ])('refuses %s', (_what, request, name) => {
    expect(fault(request)).toBe(name);
  });

  test('a refusal does not repeat what was sent', () => {
    const secret = 'kt_test_4925000000000004';
    const refusals = [
      checkFraming({ url: `/?access_token=${secret}`, httpVersion: '1.1', rawHeaders: host }),
      checkFraming({ url: secret, httpVersion: '1.1', rawHeaders: host }),
      checkFraming({ url: '/', httpVersion: '1.1', rawHeaders: [...host, 'Hmac', secret, 'Hmac', secret] }),
    ];
    for (const refusal of refusals) {
      expect(refusal).toBeDefined();
      expect(JSON.stringify([refusal, refusal?.message])).not.toContain(secret);
    }
  });

  test('agrees with a plain count of names', () => {
    const name = fc.constantFrom('Host', 'host', 'Hmac', 'hmAc', 'Accept', 'X-Host', 'Content-Type', 'content-type');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 6 }), (names) => {
        const counts = new Map<string, number>();
        for (const one of names) counts.set(one.toLowerCase(), (counts.get(one.toLowerCase()) ?? 0) + 1);
        const single = ['host', 'hmac', 'content-type'].every((one) => (counts.get(one) ?? 0) <= 1);
        const good = single && counts.get('host') === 1;
        expect(fault({ rawHeaders: names.flatMap((one) => [one, 'x']) }) === 'good').toBe(good);
      }),
    );
  });
});

describe('behind a real socket', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer({ requireHostHeader: false }, (request, response) => {
      const refusal = checkFraming(request);
      response.statusCode = refusal === undefined ? 200 : 400;
      response.end(refusal?.problems[0]?.name ?? refusal?.code);
    });
    server.maxHeadersCount = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  /** The status and body of the answer to a request that is sent as it stands. */
  function send(...lines: string[]): Promise<string> {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
      socket.on('data', (data) => {
        answer += data;
      });
      socket.on('error', reject);
      socket.on('close', () => {
        const [head = '', ...body] = answer.split('\r\n\r\n');
        resolve(`${head.split(' ')[1]} ${body.join().replace(/^[0-9a-f]+\r\n|\r\n.*$/gs, '')}`.trim());
      });
    });
  }

  test.each([
    ['200', ['GET /online HTTP/1.1', 'Host: a']],
    ['400 Host', ['GET /online HTTP/1.1', 'Host: a', 'Host: a']],
    ['400 Host', ['GET /online HTTP/1.1']],
    ['400 Authorization', ['GET /online HTTP/1.1', 'Host: a', 'Authorization: Bearer 1', 'authorization: Bearer 2']],
    ['400 httpversionnotsupported', ['GET /online HTTP/1.0', 'Host: a']],
    ['400 request target', ['GET http://b/online HTTP/1.1', 'Host: a']],
    ['400 headers', ['GET / HTTP/1.1', 'Host: a', ...Array.from({ length: 1500 }, (_, at) => `X${at}: ${at}`)]],
    ['400 Transfer-Encoding', ['GET / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', '0']],
  ])('%s: %j', async (answer, lines) => {
    expect(await send(...lines.slice(0, 2), 'Connection: close', ...lines.slice(2))).toBe(answer);
  });
});
