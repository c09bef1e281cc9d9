import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiRoute } from '../../src/http/route.types.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { newReference } from '../support/accounts-shop.ts';
import { checkAnswer, checkProblem } from '../support/routes-answers.ts';
import { withoutEffect } from '../support/routes-digest.ts';
import { badTexts, bodyFaults, optionalMembers, withMarkers } from '../support/routes-faults.ts';
import {
  fillPath,
  goodRequest,
  MARKER,
  type RouteRequest,
  sendRequest,
  withBody,
  withQuery,
} from '../support/routes-requests.ts';
import { freshName, sampleOf } from '../support/routes-samples.ts';
import { type TestService, testService } from '../support/service.ts';

const { apiRoutes } = await describeRoutes();
let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

const named = (routes: readonly ApiRoute[]) => routes.map((route) => [route.operationId, route] as const);
const send = (request: RouteRequest) => sendRequest(kontor.baseUrl, request);

async function prepare(route: ApiRoute): Promise<{ good: RouteRequest; name: string }> {
  const name = freshName();
  await sampleOf(route).make(kontor, kontor.payeeId, name);
  return { good: goodRequest(route, { ...kontor, name }), name };
}

/** Sends a body about an object, and with references, that are made for it: what was sent before is no part of it. */
async function sendFresh(route: ApiRoute, body: unknown) {
  const { good } = await prepare(route);
  return send(withBody(good, withFreshReferences(body)));
}

function withFreshReferences(body: unknown): unknown {
  const isReference = /^(transactionRef|orderRef|payeeReference|paymentTransactionRef)$/;
  return JSON.parse(JSON.stringify(body), (name, value) => (isReference.test(name) && value ? newReference() : value));
}

const problemNames = ({ body }: { readonly body: string }) =>
  JSON.parse(body).problems?.map(({ name }: { name: string }) => name);

describe.each(named(apiRoutes.filter(({ shape }) => shape.body !== undefined)))('%s', (_operationId, route) => {
  const schema = route.shape.body as NonNullable<typeof route.shape.body>;

  test('refuses a body with a fault in any of its members, and names the member', async () => {
    const { good } = await prepare(route);
    const { body, fullBody = body } = sampleOf(route);
    const faults = bodyFaults(schema, withMarkers(schema, fullBody ?? {}));
    expect(faults.length).toBeGreaterThan(0);
    await withoutEffect(kontor, async () => {
      for (const { name, what, value } of faults) {
        const answer = await send(withBody(good, value));
        expect(answer.status, `${name} is ${what}`).toBe(400);
        checkProblem(route, answer, { code: 'inputerror', names: [name] });
      }
    });
  });

  test('names every member that is wrong, and not only the first', async () => {
    const { good } = await prepare(route);
    const { properties } = schema as unknown as { properties: Readonly<Record<string, { type?: string }>> };
    const members = Object.keys(properties);
    const wrong = Object.fromEntries(
      Object.entries(properties).map(([member, { type }]) => [
        member,
        type === 'object' ? MARKER : { [MARKER]: MARKER },
      ]),
    );
    const answer = await withoutEffect(kontor, () => send(withBody(good, wrong)));
    checkProblem(route, answer, { code: 'inputerror' });
    expect(
      JSON.parse(answer.body)
        .problems.map(({ name }: { name: string }) => name)
        .sort(),
    ).toEqual(members.sort());
  });

  test('takes an empty text for every member that may be missing as if it were not there', async () => {
    for (const { name, empty, without } of optionalMembers(schema, sampleOf(route).body ?? {})) {
      const [one, other] = [await sendFresh(route, empty), await sendFresh(route, without)];
      expect([name, one.status, problemNames(one)]).toEqual([name, other.status, problemNames(other)]);
      if (other.status === 200) checkAnswer(route, one);
    }
  });

  test('takes null for what may be missing, and ignores what it does not know', async () => {
    const { properties, required = [] } = schema as unknown as { properties: object; required?: string[] };
    const body: Record<string, unknown> = { ...sampleOf(route).body, [MARKER]: { [MARKER]: [1.5, null] } };
    for (const member of Object.keys(properties)) if (!required.includes(member)) body[member] = null;
    const { good } = await prepare(route);
    const answer = await send(withBody(good, body));
    expect(answer.status).toBe(200);
    checkAnswer(route, answer);
  });
});

describe.each(named(apiRoutes))('%s', (_operationId, route) => {
  test('refuses each parameter of its query that is malformed or repeated, and ignores what it does not know', async () => {
    const { good } = await prepare(route);
    const parameters = Object.entries(route.shape.query.properties);
    const bare = { ...good, path: good.path.split('?')[0] ?? '' };
    await withoutEffect(kontor, async () => {
      for (const [name, rules] of parameters) {
        for (const [what, value] of Object.entries(badTexts(rules, name))) {
          const answer = await send(withQuery(bare, `${name}=${encodeURIComponent(value)}`));
          expect(answer.status, `${name} is ${what}`).toBe(400);
          checkProblem(route, answer, { code: 'inputerror', names: [name] });
        }
        const answer = await send(withQuery(bare, `${name}=${MARKER}&${name}=${MARKER}`));
        checkProblem(route, answer, { code: 'inputerror', names: [name] });
      }
    });
    const answer = await send(
      withQuery(good, `${MARKER}=${MARKER}&__proto__=${MARKER}&constructor=1&$expand=${MARKER}`),
    );
    expect(answer.status).toBe(200);
    checkAnswer(route, answer);
  });

  test('refuses each parameter of its path that is malformed: an id is unknown then, a text breaks its rules', async () => {
    const { name } = await prepare(route);
    const params = { payeeId: kontor.payeeId, ...sampleOf(route).params(name) };
    const own = Object.entries(route.shape.params.properties).filter(([parameter]) => parameter !== 'payeeId');
    await withoutEffect(kontor, async () => {
      for (const [parameter, rules] of own) {
        const isText = 'freeText' in rules || 'maxLength' in rules || 'enum' in rules;
        const values = isText ? badTexts(rules, parameter) : { 'no id': MARKER, 'an id and more': `${MARKER}-Payment` };
        for (const [what, value] of Object.entries(values).filter(([, text]) => text !== '')) {
          const path = fillPath(route.path, { ...params, [parameter]: value });
          const answer = await send({ ...goodRequest(route, { ...kontor, name }), path });
          expect(answer.status, `${parameter} is ${what}`).toBe(isText ? 400 : 404);
          checkProblem(route, answer, isText ? { code: 'inputerror', names: [parameter] } : { code: 'notfound' });
        }
      }
    });
  });
});
