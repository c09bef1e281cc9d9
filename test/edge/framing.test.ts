import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProblemCode } from '../../src/kit/errors.ts';
import { BODY_BYTES } from '../../src/kit/limits.ts';
import { checkProblemBody, codeOf } from '../support/prober/answers.ts';
import { withoutEffect } from '../support/prober/routes-digest.ts';
import { MARKER } from '../support/prober/routes-requests.ts';
import { exchange, openConnection, requestText } from '../support/prober/sockets.ts';
import { type TestService, testService } from '../support/service.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

/** Lines of a request, in which `PATH` stands for a list and `BEARER` for the header of a valid access token. */
type Lines = readonly string[];

const GET = 'GET PATH HTTP/1.1';
const PATCH = 'PATCH PATH HTTP/1.1';
const DELETE = 'DELETE PATH HTTP/1.1';
const HOST = 'Host: localhost';
const CHUNKED = 'Transfer-Encoding: chunked';
const JSON_TYPE = 'Content-Type: application/json';

function fill(text: string): string {
  return text
    .replaceAll('PATH', `/online/payer/payees/${kontor.payeeId}/payers/anna/archives`)
    .replaceAll('BEARER', `Authorization: Bearer ${kontor.accessToken}`);
}

const many = (count: number): Lines => Array.from({ length: count }, (_, index) => `X-${index}: ${MARKER}`);

/** Requests that two readers could understand differently: refused, and the connection closed. */
const BAD: readonly (readonly [string, Lines, string?])[] = [
  ['no Host', [GET, 'BEARER']],
  ['two Hosts', [GET, HOST, HOST, 'BEARER']],
  ['two Authorizations', [GET, HOST, 'BEARER', 'BEARER']],
  ['two Authorizations, one of them bad', [GET, HOST, 'BEARER', `Authorization: Bearer ${MARKER}`]],
  ['two Hmacs', [GET, HOST, 'BEARER', `Hmac: ${MARKER}`, `hmac: ${MARKER}`]],
  ['two Content-Types', [PATCH, HOST, 'BEARER', JSON_TYPE, JSON_TYPE, 'Content-Length: 2'], '{}'],
  ['two Idempotency-Keys', [GET, HOST, 'BEARER', `Idempotency-Key: ${MARKER}`, `IDEMPOTENCY-KEY: ${MARKER}`]],
  ['two Content-Encodings', [GET, HOST, 'BEARER', 'Content-Encoding: identity', 'Content-Encoding: identity']],
  ['HTTP/2 without TLS', ['PRI * HTTP/2.0', '', 'SM']],
  ['an absolute target', ['GET http://localhostPATH HTTP/1.1', HOST, 'BEARER']],
  ['an absolute target elsewhere', [`GET http://${MARKER}/ HTTP/1.1`, HOST, 'BEARER']],
  ['an asterisk', ['OPTIONS * HTTP/1.1', HOST, 'BEARER']],
  ['more than a hundred headers', [GET, HOST, 'BEARER', ...many(99)]],
  ['more headers than Node counts', [GET, HOST, 'BEARER', ...Array(1100).fill('X: 1')]],
  ['an access token in the query', [`GET PATH?access_token=${MARKER} HTTP/1.1`, HOST, 'BEARER']],
  ['GET with a body', [GET, HOST, 'BEARER', 'Content-Length: 2'], '{}'],
  ['GET with a chunked body', [GET, HOST, 'BEARER', CHUNKED], '0\r\n\r\n'],
  ['DELETE with a body', [DELETE, HOST, 'BEARER', 'Content-Length: 2'], '{}'],
  ['DELETE with a chunked body', [DELETE, HOST, 'BEARER', CHUNKED], '0\r\n\r\n'],
  ['a length with a sign', [PATCH, HOST, 'BEARER', JSON_TYPE, 'Content-Length: +2'], '{}'],
  ['a length that is no number', [PATCH, HOST, 'BEARER', JSON_TYPE, `Content-Length: ${MARKER}`], '{}'],
  ['two lengths, though equal', [PATCH, HOST, 'BEARER', JSON_TYPE, 'Content-Length: 2', 'Content-Length: 2'], '{}'],
  ['a length and chunks', [PATCH, HOST, 'BEARER', JSON_TYPE, 'Content-Length: 5', CHUNKED], '0\r\n\r\n'],
  ['another transfer encoding', [PATCH, HOST, 'BEARER', JSON_TYPE, 'Transfer-Encoding: gzip'], '{}'],
  ['two transfer encodings', [PATCH, HOST, 'BEARER', JSON_TYPE, CHUNKED, CHUNKED], '0\r\n\r\n'],
  ['a chunk size that is no number', [PATCH, HOST, 'BEARER', JSON_TYPE, CHUNKED], `${MARKER}\r\n{}\r\n0\r\n\r\n`],
  ['a folded header', [GET, HOST, 'BEARER', 'X: a', ` ${MARKER}`]],
  ['a blank before the colon', [GET, `Host : ${MARKER}`, 'BEARER']],
  ['a header without a name', [GET, HOST, 'BEARER', `: ${MARKER}`]],
  ['NUL in a header', [GET, HOST, 'BEARER', `X: ${MARKER}\0`]],
  ['a control character in the target', [`GET /\u0001${MARKER} HTTP/1.1`, HOST]],
  ['an expectation that there is not', [GET, HOST, 'BEARER', `Expect: ${MARKER}`]],
  ['a path that is not percent-encoded', [`GET PATH/%zz${MARKER} HTTP/1.1`, HOST, 'BEARER']],
  ['a path that is not UTF-8', [`GET /online/%ff${MARKER}/x HTTP/1.1`, HOST, 'BEARER']],
  ['what is no HTTP', [MARKER]],
  ['a TLS handshake', ['\u0016\u0003\u0001\u0002']],
];

describe('framing', () => {
  const bad = BAD.map(([what, lines, body = '']) => ({ what, lines, body }));
  test.each(bad)('refuses $what, and closes the connection before the next request', async ({ lines, body }) => {
    await withoutEffect(kontor, async () => {
      const connection = await openConnection(kontor.baseUrl);
      const next = requestText([`GET /health/live HTTP/1.1`, HOST]);
      connection.write(Buffer.from(fill(requestText(lines, body)) + next, 'latin1'));
      await connection.closed();
      const [answer, ...more] = await connection.answers(1);
      if (answer === undefined) throw new Error('There was no answer.');
      expect(codeOf(answer)).toBe('inputerror');
      expect(answer.headers['connection']).toBe('close');
      expect(answer.text).not.toContain(MARKER);
      checkProblemBody(answer);
      expect(more, 'what follows cannot be trusted').toEqual([]);
      connection.destroy();
    });
  });

  test('refuses lines that end without CR', async () => {
    const answer = await exchange(kontor.baseUrl, fill(requestText([GET, HOST, 'BEARER'])).replaceAll('\r', ''));
    expect([answer.status, answer.isClosed]).toEqual([400, true]);
    checkProblemBody(answer);
  });

  const large = ' '.repeat(BODY_BYTES + 1);
  test.each<{ what: string; lines: Lines; body?: string; code: ProblemCode; closes: boolean }>([
    {
      what: 'headers of more than 16 KiB',
      lines: [GET, HOST, 'BEARER', `X: ${'x'.repeat(16_400)}`],
      code: 'headertoolarge',
      closes: true,
    },
    {
      what: 'an address of more than 4 KiB',
      lines: [`GET PATH?x=${'x'.repeat(4096)} HTTP/1.1`, HOST],
      code: 'uritoolong',
      closes: false,
    },
    {
      what: 'a body that was packed before it came in chunks',
      lines: [PATCH, HOST, 'BEARER', JSON_TYPE, 'Transfer-Encoding: gzip, chunked'],
      body: chunks('{}'),
      code: 'notimplemented',
      closes: true,
    },
    { what: 'HTTP/1.0', lines: ['GET PATH HTTP/1.0', HOST, 'BEARER'], code: 'httpversionnotsupported', closes: true },
    { what: 'TRACE', lines: ['TRACE PATH HTTP/1.1', HOST, 'BEARER'], code: 'methodnotallowed', closes: false },
    {
      what: 'CONNECT',
      lines: ['CONNECT localhost:443 HTTP/1.1', 'Host: localhost:443', 'BEARER'],
      code: 'methodnotallowed',
      closes: true,
    },
    {
      what: 'an unknown method',
      lines: ['BREW PATH HTTP/1.1', HOST, 'BEARER'],
      code: 'methodnotallowed',
      closes: true,
    },
    {
      what: 'chunks of more than the limit',
      lines: [PATCH, HOST, 'BEARER', JSON_TYPE, CHUNKED],
      body: chunks(large),
      code: 'payloadtoolarge',
      closes: true,
    },
    {
      what: 'a length of more than the limit',
      lines: [PATCH, HOST, 'BEARER', JSON_TYPE, `Content-Length: ${large.length}`],
      code: 'payloadtoolarge',
      closes: true,
    },
  ])('refuses $what', async ({ lines, body, code, closes }) => {
    const answer = await exchange(kontor.baseUrl, fill(requestText(lines, body)));
    expect(codeOf(answer)).toBe(code);
    expect(answer.isClosed).toBe(closes);
    expect(answer.headers['allow'] === undefined).toBe(code !== 'methodnotallowed');
    checkProblemBody(answer);
  });

  test.each<[string, Lines, string?]>([
    ['header names in any case', [GET, 'hOsT: localhost', 'BEARER']],
    ['a hundred headers', [GET, HOST, 'BEARER', ...many(98)]],
    ['an empty body of a GET', [GET, HOST, 'BEARER', 'Content-Length: 0']],
    ['a chunked body', [PATCH, HOST, 'BEARER', JSON_TYPE, CHUNKED], chunks('{"reason":"x",', '"updatedBy":"PAYEE"}')],
    [
      'chunks with extensions',
      [PATCH, HOST, 'BEARER', JSON_TYPE, CHUNKED],
      chunks('{"reason":"x","updatedBy":"PAYEE"}'),
    ],
    ['an offer to upgrade, which it declines', [GET, HOST, 'BEARER', 'Connection: Upgrade', 'Upgrade: h2c']],
  ])('takes %s', async (_what, lines, body = '') => {
    const answer = await exchange(kontor.baseUrl, fill(requestText(lines, body)));
    expect(answer.status).toBe(200);
  });

  test('refuses an access token in the body, and does not take it for one', async () => {
    const body = JSON.stringify({ access_token: kontor.accessToken, reason: 'x', updatedBy: 'PAYEE' });
    const lines = [PATCH, HOST, JSON_TYPE, `Content-Length: ${body.length}`];
    expect(codeOf(await exchange(kontor.baseUrl, fill(requestText(lines, body))))).toBe('unauthorized');
    const answer = await exchange(kontor.baseUrl, fill(requestText([...lines, 'BEARER'], body)));
    expect(codeOf(answer)).toBe('inputerror');
    expect(JSON.parse(answer.body).problems[0].name).toBe('access_token');
    expect(answer.text).not.toContain(kontor.accessToken);
  });
});

function chunks(...parts: readonly string[]): string {
  return [...parts, ''].map((part) => `${part.length.toString(16)};extension=1\r\n${part}\r\n`).join('');
}
