import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiRoute } from '../../src/http/route.types.ts';
import { SCOPES } from '../../src/kit/caller.ts';
import { OPERATOR, type PayeeId } from '../../src/kit/ids.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { checkAnswer, checkProblem, withoutDate } from '../support/routes-answers.ts';
import { type BadTokens, badTokens, operatorToken } from '../support/routes-callers.ts';
import { withoutEffect } from '../support/routes-digest.ts';
import {
  goodRequest,
  inTurn,
  MARKER,
  type RouteRequest,
  sendRequest,
  withHeaders,
} from '../support/routes-requests.ts';
import { freshName, sampleOf } from '../support/routes-samples.ts';
import { type TestService, testService } from '../support/service.ts';

type Tenant = Readonly<{ payeeId: PayeeId; accessToken: string }>;

const { apiRoutes } = await describeRoutes();
let kontor: TestService;
let other: Tenant;
let bad: BadTokens;
let operator: string;
beforeAll(async () => {
  kontor = await testService();
  other = await kontor.addPayee();
  bad = await badTokens(kontor);
  operator = await operatorToken(kontor, SCOPES);
});
afterAll(() => kontor.stop());

const send = (request: RouteRequest) => sendRequest(kontor.baseUrl, request);

/** A request about an object that is there. */
async function prepare(route: ApiRoute) {
  const name = freshName();
  await sampleOf(route).make(kontor, kontor.payeeId, name);
  return { good: goodRequest(route, { ...kontor, name }), name };
}

describe.each(apiRoutes.map((route) => [route.operationId, route] as const))('%s', (_operationId, route) => {
  test('answers the payee', async () => {
    const { good } = await prepare(route);
    const answer = await send(good);
    expect(answer.status).toBe(200);
    checkAnswer(route, answer);
  });

  test('refuses who has no valid access token, and says no more than that', async () => {
    const { good } = await prepare(route);
    await withoutEffect(kontor, async () => {
      const missing = await send({ ...good, accessToken: null });
      checkProblem(route, missing, { code: 'unauthorized' });
      expect(missing.headers['www-authenticate']).toBe('Bearer realm="kontor"');
      const requests = [
        ...Object.values(bad).map((accessToken) => ({ ...good, accessToken })),
        withHeaders({ ...good, accessToken: null }, { authorization: 'Basic bWFycXVldXI6eA==' }),
      ];
      const answers = await inTurn(requests, send);
      for (const answer of answers) {
        checkProblem(route, answer, { code: 'unauthorized' });
        expect(answer.headers['www-authenticate']).toBe('Bearer realm="kontor", error="invalid_token"');
      }
      expect(new Set(answers.map(withoutDate)).size, 'a caller does not learn what is wrong with a token').toBe(1);
    });
  });

  test('refuses who has every scope but the one that it needs, and takes who has just that one', async () => {
    const { good } = await prepare(route);
    const without = await kontor.addAccessToken(
      SCOPES.filter((scope) => scope !== route.scope && !route.otherScopes?.includes(scope)),
    );
    const answer = await withoutEffect(kontor, () => send({ ...good, accessToken: without }));
    checkProblem(route, answer, { code: 'forbidden' });
    expect(answer.headers['www-authenticate']).toContain(`error="insufficient_scope", scope="${route.scope}"`);
    expect((await send({ ...good, accessToken: await kontor.addAccessToken([route.scope]) })).status).toBe(200);
  });

  test("answers another payee's object exactly like one that there is not", async () => {
    if (sampleOf(route).isAboutNothing) return;
    const name = freshName();
    const good = goodRequest(route, { ...kontor, name });
    const whenUnknown = await send(good);
    await sampleOf(route).make(kontor, other.payeeId, name);
    const whenForeign = await withoutEffect(kontor, () => send(good));
    expect(withoutDate(whenForeign)).toBe(withoutDate(whenUnknown));
    if (sampleOf(route).isMissedWhenUnknown) checkProblem(route, whenForeign, { code: 'notfound' });
    else checkAnswer(route, whenForeign);
  });

  test('refuses a path that names another payee, a payee that does not exist, and what is no payee', async () => {
    if (!route.path.includes(':payeeId')) return;
    const own = await prepare(route);
    const foreign = freshName();
    await sampleOf(route).make(kontor, other.payeeId, foreign);
    const payeeIds = [other.payeeId, crypto.randomUUID(), OPERATOR, MARKER] as PayeeId[];
    const requests = payeeIds.flatMap((payeeId) =>
      [own.name, foreign].map((name) => goodRequest(route, { ...kontor, payeeId, name })),
    );
    const answers = await withoutEffect(kontor, () => inTurn(requests, send));
    for (const answer of answers) checkProblem(route, answer, { code: 'notfound' });
    expect(new Set(answers.map(withoutDate)).size, 'a caller does not learn which payees there are').toBe(1);
  });

  test("lets an operator's credential act where the path names a payee that exists, and nowhere else", async () => {
    const { good, name } = await prepare(route);
    if (!route.path.includes(':payeeId')) {
      const refused = await withoutEffect(kontor, () => send({ ...good, accessToken: operator }));
      // A signed request needs a key of the credential's payee, and the operator has none.
      checkProblem(route, refused, { code: route.signed ? 'unauthorized' : 'forbidden' });
      return;
    }
    const answer = await send({ ...good, accessToken: operator });
    expect(answer.status).toBe(200);
    checkAnswer(route, answer);
    const payeeIds = [crypto.randomUUID(), OPERATOR, MARKER] as PayeeId[];
    const requests = payeeIds.map((payeeId) => goodRequest(route, { payeeId, name, accessToken: operator }));
    const unknown = await withoutEffect(kontor, () => inTurn(requests, send));
    for (const refused of unknown) checkProblem(route, refused, { code: 'notfound' });
  });
});
