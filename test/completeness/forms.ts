import { expect, test, vi } from 'vitest';
import type { ProblemCode } from '../../src/kit/errors.ts';
import { BODY_BYTES } from '../../src/kit/limits.ts';
import { checkAnswer, checkProblem } from '../support/prober/answers.ts';
import {
  inTurn,
  MARKER,
  type RouteRequest,
  shareOf,
  shownBytes,
  withBody,
  withHeaders,
  withQuery,
} from '../support/prober/routes-requests.ts';
import { sampleOf } from '../support/prober/routes-samples.ts';
import { openConnection } from '../support/prober/sockets.ts';
import type { OneRoute } from './one-route.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

/** Sends a share of requests that must all be refused with this code. */
async function expectRefused(
  { route, at }: OneRoute,
  code: ProblemCode,
  spoil: (good: RouteRequest) => readonly RouteRequest[],
): Promise<void> {
  const sent = shareOf(route, spoil(at().good));
  for (const [index, answer] of (await inTurn(sent, at().send)).entries()) {
    expect(
      answer.status,
      shownBytes(sent[index] as RouteRequest)
        .toString()
        .slice(0, 600),
    ).not.toBe(200);
    checkProblem(route, answer, { code });
  }
}

/** Methods, versions and media types that are refused. */
export function testRefusedHeaders(one: OneRoute): void {
  const { route, methods: here, at } = one;

  test('refuses methods that its address does not have, and names those that it has', async () => {
    const { good, send } = at();
    for (const method of shareOf(route, METHODS).filter((candidate) => !here.includes(candidate))) {
      const answer = await send({ ...good, method, body: undefined });
      checkProblem(route, answer, { code: 'methodnotallowed' });
      const expected = here.flatMap((allowed) => (allowed === 'GET' ? ['GET', 'HEAD'] : [allowed]));
      expect(answer.headers['allow']?.split(', ').sort(), method).toEqual(expected.sort());
    }
  });

  test('refuses an Accept that excludes JSON, or asks for a version that there is not', async () => {
    const accepts = [
      'text/html',
      `text/${MARKER}`,
      'image/*',
      'application/json;q=0',
      '*/*, application/json;q=0',
      'application/json; version=9.9',
      `application/json; version=${MARKER}`,
      'application/*; version=1.0/4.x',
    ];
    await expectRefused(one, 'notacceptable', (good) => accepts.map((accept) => withHeaders(good, { accept })));
  });

  test('refuses a version in Content-Type that there is not, with a body and without', async () => {
    const types = ['application/json; version=9.9', `application/json;version=${MARKER}`, 'application/json; version='];
    await expectRefused(one, 'unsupportedmediatype', (good) =>
      types.map((type) => withHeaders(good, { 'content-type': type })),
    );
  });

  test('refuses a body in any encoding', async () => {
    await expectRefused(one, 'unsupportedmediatype', (good) =>
      ['gzip', 'br', MARKER].map((encoding) => withHeaders(good, { 'content-encoding': encoding })),
    );
  });

  test('refuses a Forwarded that is malformed or without the payer, and too many or too long names in $expand', async () => {
    const forwarded = [`${MARKER}`, `for="${MARKER}`, `host=${MARKER}`, `for=${MARKER}:x`, 'for=999.1.1.1'];
    const expand = [
      Array((route.mostExpanded ?? 10) + 1)
        .fill(MARKER)
        .join(','),
      MARKER.repeat(6),
    ];
    await expectRefused(one, 'inputerror', (good) => [
      ...forwarded.map((value) => withHeaders(good, { forwarded: value })),
      ...expand.map((names) => withQuery(good, `$expand=${names}`)),
    ]);
  });
}

/** Bodies that are refused. */
export function testRefusedBodies(one: OneRoute): void {
  const { route, at } = one;
  if (route.shape.body === undefined) return;
  test('refuses a body that is not said to be JSON', async () => {
    const types = ['', 'text/plain', 'text/json', 'application/xml', 'application/x-www-form-urlencoded'];
    const more = ['application/problem+json', `application/${MARKER}`, MARKER, 'application/json, application/json'];
    await expectRefused(one, 'unsupportedmediatype', (good) =>
      [...types, ...more].map((type) => withHeaders(good, { 'content-type': type })),
    );
  });

  test('refuses a body that is not JSON, or JSON that two readers could understand differently', async () => {
    const [first = ''] = Object.keys(sampleOf(route).body ?? {});
    const bodies = (good: RouteRequest) => [
      '',
      MARKER,
      `{"${MARKER}`,
      `{'${first}': '${MARKER}'}`,
      `{"${first}": "${MARKER}",}`,
      `{"${first}": "${MARKER}", "${first}": "${MARKER}"}`,
      `{"__proto__": {"${first}": "${MARKER}"}}`,
      `{"${first}": "\\ud800${MARKER}"}`,
      `{"${first}": "\\u0000${MARKER}"}`,
      `${'['.repeat(9)}${']'.repeat(9)}`,
      `\ufeff\ufeff${good.body}`,
      'null',
      '[]',
      '7',
      `"${MARKER}"`,
    ];
    await expectRefused(one, 'inputerror', (good) => bodies(good).map((body) => withBody(good, body)));
  });

  test('refuses a body of one byte more than the limit', async () => {
    const { good, send } = at();
    const answer = await send(bodyOf(good, (route.bodyBytes ?? BODY_BYTES) + 1));
    checkProblem(route, answer, { code: 'payloadtoolarge' });
  });
}

/** What is taken. */
export function testServedForms({ route, at }: OneRoute): void {
  if (route.method === 'GET') {
    test('answers HEAD with the headers of GET', async () => {
      const { good, kontor } = at();
      const blockOf = async (method: string) => {
        const connection = await openConnection(kontor.baseUrl);
        connection.write(shownBytes(withHeaders({ ...good, method }, { connection: 'close' })));
        await connection.closed();
        const [head = '', body] = connection.received().split('\r\n\r\n');
        return { head: head.replace(/\r\ndate: [^\r]*/i, ''), body };
      };
      // What is shown may change in between, as a delivery that is tried again does: then both are asked again.
      await vi.waitFor(async () => {
        const [get, head] = [await blockOf('GET'), await blockOf('HEAD')];
        expect(head.head).toBe(get.head);
        // What is received is shown as a character for each byte.
        expect(get.head).toContain(`content-length: ${(get.body ?? '').length}\r\n`);
        expect(head.body).toBe('');
      });
    });
  }

  if (route.shape.body !== undefined) {
    test('takes a body of as many bytes as the limit', async () => {
      const { good, send } = at();
      const answer = await send(bodyOf(good, route.bodyBytes ?? BODY_BYTES));
      expect(answer.status).toBe(200);
      checkAnswer(route, answer);
    });
  }

  if (route.shape.body !== undefined) {
    test('reads a body without the byte order mark that it begins with', async () => {
      const { good, send } = at();
      const answer = await send(withBody(good, `\ufeff${good.body}`));
      expect(answer.status).toBe(200);
      checkAnswer(route, answer);
    });
  }

  test('serves each version, by Content-Type or by Accept', async () => {
    const { good, send } = at();
    const versions = ['2.0', '3.0', '3.1'].flatMap((version) =>
      ['content-type', 'accept'].map((header) => ({ version, header })),
    );
    for (const { version, header } of shareOf(route, versions)) {
      const answer = await send(withHeaders(good, { [header]: `application/json;version=${version}` }));
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe(`application/json; charset=utf-8; version=${version}`);
      checkAnswer(route, answer);
    }
  });
}

/** The request with blanks behind its body, which JSON allows. */
function bodyOf(good: RouteRequest, bytes: number): RouteRequest {
  return withBody(good, (good.body ?? '').padEnd(bytes));
}
