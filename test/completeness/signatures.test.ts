import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { checkProblem, withoutDate } from '../support/prober/answers.ts';
import { withoutEffectTogether } from '../support/prober/routes-digest.ts';
import {
  goodRequest,
  inTurn,
  type RouteRequest,
  sendRequest,
  shareOf,
  withHeaders,
} from '../support/prober/routes-requests.ts';
import { freshName, sampleOf } from '../support/prober/routes-samples.ts';
import { type SigningCredentials, signatureOf, type TestService, testService } from '../support/service.ts';
import { addHmacKey } from '../support/shop/signing.ts';

const signedRoutes = describeRoutes().apiRoutes.filter(({ signed }) => signed);
const NONCE = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
const DIGEST = `${'A'.repeat(86)}==`;
let kontor: TestService;
let foreign: SigningCredentials;
let noScope: string;
beforeAll(async () => {
  kontor = await testService();
  foreign = await addHmacKey(kontor.service, (await kontor.addPayee()).payeeId);
  noScope = await kontor.addAccessToken(['tokens:read']);
});
afterAll(() => kontor.stop());

const send = (request: RouteRequest) => sendRequest(kontor.baseUrl, request);
const unsigned = (request: RouteRequest): RouteRequest => ({ ...request, hmac: undefined });
const withHmac = (request: RouteRequest, hmac: string) => withHeaders(unsigned(request), { hmac });

/** Ways to sign a request wrongly. */
function wronglySigned(good: RouteRequest): Readonly<Record<string, RouteRequest>> {
  const { user, secret } = kontor.hmac;
  const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
  const timed = (transmissionTime: string) => withHeaders(good, { 'transmission-time': transmissionTime });
  return {
    missing: unsigned(good),
    empty: withHmac(good, ' '),
    'of another scheme': withHmac(good, `Bearer ${user}:${NONCE}:${DIGEST}`),
    malformed: withHmac(good, `HmacSHA512 ${user}:${NONCE}`),
    'with a wrong digest': withHmac(good, `HmacSHA512 ${user}:${NONCE}:${DIGEST}`),
    'by an unknown user': { ...good, hmac: { user: 'hk_unknown', secret } },
    "with another user's secret": { ...good, hmac: { user, secret: foreign.secret } },
    "by another payee's key": { ...good, hmac: foreign },
    'too early': timed(at(-400_000)),
    'too late': timed(at(400_000)),
    'at no time': timed('yesterday'),
    'with another method': withHmac(good, signatureOf(kontor.hmac, { method: 'DELETE', path: good.path })),
  };
}

describe.each(signedRoutes.map((route) => [route.operationId, route] as const))('%s', (_operationId, route) => {
  let good: RouteRequest;
  // An object is made once for all that is asked about it: mostly that takes longer than the questions.
  beforeAll(async () => {
    const name = freshName();
    await sampleOf(route).make(kontor, kontor.payeeId, name);
    good = goodRequest(route, { ...kontor, name });
  });

  describe('without effect,', () => {
    withoutEffectTogether(() => kontor);

    test('refuses every wrong signature with one answer, and says in the sandbox what is likely wrong', async () => {
      const all = Object.entries(wronglySigned(good));
      // The first route has them all, so that all their answers are compared; one step of the edge gives them for each.
      const requests = route === signedRoutes[0] ? all : shareOf(route, all);
      const answers = await inTurn(requests, ([, request]) => send(request));
      const texts = answers.map((answer, index) => {
        checkProblem(route, answer, { code: 'unauthorized' });
        expect(answer.headers['www-authenticate']).toBe('HmacSHA512 realm="kontor"');
        const { diagnosis, ...problem } = JSON.parse(answer.body);
        expect(diagnosis.causes, requests[index]?.[0]).not.toEqual([]);
        expect(answer.text).not.toContain(kontor.hmac.secret);
        return JSON.stringify(problem);
      });
      expect(new Set(texts).size, 'without the diagnosis, a caller does not learn what is wrong').toBe(1);
    });

    test('comes after the access token and before everything else', async () => {
      const wrong = [unsigned(good), withHmac(good, `HmacSHA512 ${kontor.hmac.user}:${NONCE}:${DIGEST}`)];
      for (const request of wrong) {
        const unknown = await send({ ...request, accessToken: null });
        expect(unknown.headers['www-authenticate']).toBe('Bearer realm="kontor"');
        const others: RouteRequest[] = [
          { ...request, accessToken: noScope },
          withHeaders(request, { accept: 'text/html' }),
          withHeaders(request, { 'content-type': 'text/plain' }),
          withHeaders(request, { 'content-type': 'nonsense' }),
          withHeaders(request, { 'content-encoding': 'gzip' }),
          withHeaders(request, { forwarded: 'nonsense' }),
          { ...request, method: 'PUT' },
          { ...request, path: `${request.path}/nowhere` },
        ];
        for (const other of shareOf(route, others)) {
          const { headers, status } = await send(other);
          expect({ status, asked: headers['www-authenticate'] }).toEqual({
            status: 401,
            asked: 'HmacSHA512 realm="kontor"',
          });
        }
      }
    });

    test('an unsigned body is not read', async () => {
      const answer = await send(withHeaders(unsigned(good), { expect: '100-continue' }));
      expect(answer.status).toBe(401);
      expect(withoutDate(answer)).not.toContain('100 Continue');
    });
  });

  test('is answered where it is signed', async () => {
    expect((await send(good)).status).toBe(200);
  });
});
