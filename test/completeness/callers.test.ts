import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiRoute } from '../../src/http/route.types.ts';
import { SCOPES } from '../../src/kit/caller.ts';
import { OPERATOR, type PayeeId } from '../../src/kit/ids.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { checkAnswer, checkProblem, withoutDate } from '../support/routes-answers.ts';
import { type BadTokens, badTokens, operatorToken } from '../support/routes-callers.ts';
import { withoutEffectTogether } from '../support/routes-digest.ts';
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

/** An object of another payee, and what was answered about it before it was there. */
async function prepareForeign(route: ApiRoute) {
  const name = freshName();
  const good = goodRequest(route, { ...kontor, name });
  const whenUnknown = sampleOf(route).isAboutNothing ? undefined : await send(good);
  await sampleOf(route).make(kontor, other.payeeId, name);
  return { name, good, whenUnknown };
}

describe.each(apiRoutes.map((route) => [route.operationId, route] as const))('%s', (_operationId, route) => {
  let own: Awaited<ReturnType<typeof prepare>>;
  let foreign: Awaited<ReturnType<typeof prepareForeign>>;
  let withoutScope: string;
  // Objects are made once for all that is asked about them: mostly that takes longer than the questions.
  beforeAll(async () => {
    [own, foreign] = [await prepare(route), await prepareForeign(route)];
    withoutScope = await kontor.addAccessToken(
      SCOPES.filter((scope) => scope !== route.scope && !route.otherScopes?.includes(scope)),
    );
  });

  describe('without effect,', () => {
    withoutEffectTogether(() => kontor);

    test('refuses who has no valid access token, and says no more than that', async () => {
      const { good } = own;
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

    test('refuses who has every scope but the one that it needs', async () => {
      const answer = await send({ ...own.good, accessToken: withoutScope });
      checkProblem(route, answer, { code: 'forbidden' });
      expect(answer.headers['www-authenticate']).toContain(`error="insufficient_scope", scope="${route.scope}"`);
    });

    test("answers another payee's object exactly like one that there is not", async () => {
      if (foreign.whenUnknown === undefined) return;
      const whenForeign = await send(foreign.good);
      expect(withoutDate(whenForeign)).toBe(withoutDate(foreign.whenUnknown));
      if (sampleOf(route).isMissedWhenUnknown) checkProblem(route, whenForeign, { code: 'notfound' });
      else checkAnswer(route, whenForeign);
    });

    test('refuses a path that names another payee, a payee that does not exist, and what is no payee', async () => {
      if (!route.path.includes(':payeeId')) return;
      const payeeIds = [other.payeeId, crypto.randomUUID(), OPERATOR, MARKER] as PayeeId[];
      const requests = payeeIds.flatMap((payeeId) =>
        [own.name, foreign.name].map((name) => goodRequest(route, { ...kontor, payeeId, name })),
      );
      const answers = await inTurn(requests, send);
      for (const answer of answers) checkProblem(route, answer, { code: 'notfound' });
      expect(new Set(answers.map(withoutDate)).size, 'a caller does not learn which payees there are').toBe(1);
    });

    test("refuses an operator's credential where the path names no payee that exists", async () => {
      if (!route.path.includes(':payeeId')) {
        const refused = await send({ ...own.good, accessToken: operator });
        // A signed request needs a key of the credential's payee, and the operator has none.
        checkProblem(route, refused, { code: route.signed ? 'unauthorized' : 'forbidden' });
        return;
      }
      const payeeIds = [crypto.randomUUID(), OPERATOR, MARKER] as PayeeId[];
      const requests = payeeIds.map((payeeId) =>
        goodRequest(route, { payeeId, name: own.name, accessToken: operator }),
      );
      for (const refused of await inTurn(requests, send)) checkProblem(route, refused, { code: 'notfound' });
    });
  });

  test('answers the payee, with just the scope that it needs', async () => {
    const answer = await send({ ...own.good, accessToken: await kontor.addAccessToken([route.scope]) });
    expect(answer.status).toBe(200);
    checkAnswer(route, answer);
  });

  test("lets an operator's credential act where the path names a payee that exists", async () => {
    if (!route.path.includes(':payeeId')) return;
    const answer = await send({ ...own.good, accessToken: operator });
    expect(answer.status).toBe(200);
    checkAnswer(route, answer);
  });
});
