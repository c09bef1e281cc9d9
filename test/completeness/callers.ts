import { expect, test } from 'vitest';
import { OPERATOR, type PayeeId } from '../../src/kit/ids.ts';
import { checkAnswer, checkProblem, withoutDate } from '../support/prober/answers.ts';
import {
  goodRequest,
  inTurn,
  MARKER,
  type RouteRequest,
  shareOf,
  withHeaders,
} from '../support/prober/routes-requests.ts';
import { sampleOf } from '../support/prober/routes-samples.ts';
import type { OneRoute, Prepared } from './one-route.ts';

/** Who may not. */
export function testRefusedCallers({ route, isFirst, at }: OneRoute): void {
  const someOf = <Item>(items: readonly Item[]) => (isFirst ? items : shareOf(route, items));

  test('refuses who has no valid access token, and says no more than that', async () => {
    const { good, bad, send } = at();
    const missing = await send({ ...good, accessToken: null });
    checkProblem(route, missing, { code: 'unauthorized' });
    expect(missing.headers['www-authenticate']).toBe('Bearer realm="kontor"');
    const requests = [
      ...Object.values(bad).map((accessToken) => ({ ...good, accessToken })),
      withHeaders({ ...good, accessToken: null }, { authorization: 'Basic bWFycXVldXI6eA==' }),
    ];
    const answers = await inTurn(someOf(requests), send);
    for (const answer of answers) {
      checkProblem(route, answer, { code: 'unauthorized' });
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="kontor", error="invalid_token"');
    }
    expect(new Set(answers.map(withoutDate)).size, 'a caller does not learn what is wrong with a token').toBe(1);
  });

  test('refuses who has every scope but the one that it needs', async () => {
    const { good, send, withoutScope } = at();
    const answer = await send({ ...good, accessToken: withoutScope });
    checkProblem(route, answer, { code: 'forbidden' });
    expect(answer.headers['www-authenticate']).toContain(`error="insufficient_scope", scope="${route.scope}"`);
  });

  test("answers another payee's object exactly like one that there is not", async () => {
    const { foreign, send } = at();
    if (foreign.whenUnknown === undefined) return;
    const whenForeign = await send(foreign.good);
    expect(withoutDate(whenForeign)).toBe(withoutDate(foreign.whenUnknown));
    if (sampleOf(route).isMissedWhenUnknown) checkProblem(route, whenForeign, { code: 'notfound' });
    else checkAnswer(route, whenForeign);
  });

  test('refuses a path that names another payee, a payee that does not exist, and what is no payee', async () => {
    if (!route.path.includes(':payeeId')) return;
    const { kontor, other, name, foreign, send } = at();
    const requestsTo = (payeeId: string) =>
      [name, foreign.name].map((about) => goodRequest(route, { ...kontor, payeeId: payeeId as PayeeId, name: about }));
    const unknown = [crypto.randomUUID(), OPERATOR, MARKER].flatMap(requestsTo);
    const answers = await inTurn([...requestsTo(other.payeeId), ...someOf(unknown)], send);
    for (const answer of answers) checkProblem(route, answer, { code: 'notfound' });
    expect(new Set(answers.map(withoutDate)).size, 'a caller does not learn which payees there are').toBe(1);
  });

  test("refuses an operator's credential where the path names no payee that exists", async () => {
    const requests = asOperator(at(), route);
    if (!route.path.includes(':payeeId')) {
      const refused = await at().send(requests.without);
      // A signed request needs a key of the credential's payee, and the operator has none.
      checkProblem(route, refused, { code: route.signed ? 'unauthorized' : 'forbidden' });
      return;
    }
    for (const refused of await inTurn(someOf(requests.elsewhere), at().send)) {
      checkProblem(route, refused, { code: 'notfound' });
    }
  });
}

/** Requests of the operator's: as they are, and about payees that do not exist. */
function asOperator({ good, name, operator }: Prepared, route: OneRoute['route']) {
  const about = (payeeId: string): RouteRequest =>
    goodRequest(route, { payeeId: payeeId as PayeeId, name, accessToken: operator });
  return {
    without: { ...good, accessToken: operator },
    elsewhere: [crypto.randomUUID(), OPERATOR, MARKER].map(about),
  };
}

/** Who may. */
export function testServedCallers({ route, at }: OneRoute): void {
  test('answers the payee, with just the scope that it needs', async () => {
    const { good, send, tokenOf } = at();
    const answer = await send({ ...good, accessToken: await tokenOf([route.scope]) });
    expect(answer.status).toBe(200);
    checkAnswer(route, answer);
  });

  test("lets an operator's credential act where the path names a payee that exists", async () => {
    if (!route.path.includes(':payeeId')) return;
    const { good, send, operator } = at();
    const answer = await send({ ...good, accessToken: operator });
    expect(answer.status).toBe(200);
    checkAnswer(route, answer);
  });
}
