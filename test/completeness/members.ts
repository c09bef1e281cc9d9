import { inspect } from 'node:util';
import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { declaredBody } from '../../src/http/body/declared.ts';
import { parseJson } from '../../src/http/body/parse-json.ts';
import { libertiesAt } from '../../src/http/body/understand.ts';
import { schemaChecker } from '../../src/http/body/validate.ts';
import type { ApiRoute } from '../../src/http/route.types.ts';
import { Refusal } from '../../src/kit/errors.ts';
import { groupBy } from '../../src/kit/group-by.ts';
import { checkAnswer, checkProblem } from '../support/prober/answers.ts';
import { fillPath, goodRequest, MARKER, shareOf, withBody, withQuery } from '../support/prober/routes-requests.ts';
import { freshName, sampleOf } from '../support/prober/routes-samples.ts';
import type { TestService } from '../support/service.ts';
import type { OneRoute } from './one-route.ts';
import {
  badTexts,
  bodyFaults,
  type Fault,
  IN_ANOTHER_CASE,
  optionalMembers,
  otherForms,
  withMarkers,
} from './routes-faults.ts';

/** Makes what takes the body of a route, as the service does: as its handler gets it, or the problems that it is refused for. */
function takingBody(kontor: TestService, { path }: ApiRoute, schema: TSchema): (sent: unknown) => Taken {
  const take = declaredBody(schemaChecker(kontor.service.cardPrefixes), schema, libertiesAt(path));
  return (sent) => {
    try {
      return { body: take(parseJson(Buffer.from(JSON.stringify(sent)))), refused: [] };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { body: undefined, refused: error.problems };
    }
  };
}

interface Taken {
  readonly body: unknown;
  readonly refused: Refusal['problems'];
}

/** One fault of each member, of each kind in turn. */
function oneOfEach(faults: readonly Fault[]): readonly Fault[] {
  return [...groupBy(faults, ({ name }) => name).values()].map((own, index) => own[index % own.length] as Fault);
}

const problemNames = ({ body }: { readonly body: string }) =>
  JSON.parse(body).problems?.map(({ name }: { name: string }) => name);

/** Members that are refused: by the schema, before the route is looked at. So a share of them goes over the wire. */
export function testRefusedMembers({ route, at }: OneRoute): void {
  const schema = route.shape.body;
  if (schema === undefined) return;
  test('refuses a body with a fault in any of its members, and names the member', async () => {
    const { good, fullBody, send, kontor } = at();
    const take = takingBody(kontor, route, schema);
    const faults = bodyFaults(schema, withMarkers(schema, fullBody), libertiesAt(route.path));
    expect(faults.length).toBeGreaterThan(0);
    const left = faults.filter(({ name, what, value }) => {
      const { refused } = take(value);
      expect(JSON.stringify(refused), `${name} is ${what}`).not.toContain(MARKER);
      return refused.length !== 1 || refused[0]?.name !== name;
    });
    for (const { name, what, value } of new Set([...left, ...shareOf(route, oneOfEach(faults))])) {
      const answer = await send(withBody(good, value));
      expect(answer.status, `${name} is ${what}`).toBe(400);
      checkProblem(route, answer, { code: 'inputerror', names: [name] });
    }
  });

  test('names every member that is wrong, and not only the first', async () => {
    const { good, send } = at();
    const { properties } = schema as unknown as { properties: Readonly<Record<string, { type?: string }>> };
    const members = Object.keys(properties);
    const wrong = Object.fromEntries(
      Object.entries(properties).map(([member, { type }]) => [
        member,
        type === 'object' ? MARKER : { [MARKER]: MARKER },
      ]),
    );
    const answer = await send(withBody(good, wrong));
    checkProblem(route, answer, { code: 'inputerror' });
    expect(problemNames(answer).sort()).toEqual(members.sort());
  });
}

/** NUL, which PostgreSQL cannot store, in each member of a body and in a name. */
export function testRefusedNuls({ route, at }: OneRoute): void {
  if (route.shape.body === undefined) return;
  test('refuses NUL in each member of a body, and in the name of one', async () => {
    const { good, send } = at();
    const body = JSON.parse(good.body ?? '{}');
    const spoiled = Object.keys(body).map((member) => ({ ...body, [member]: 'a\0b' }));
    for (const sent of [...spoiled, { ...body, 'a\0b': 1 }]) {
      checkProblem(route, await send(withBody(good, sent)), { code: 'inputerror' });
    }
  });
}

/** Parameters that are refused. */
export function testRefusedParameters({ route, at }: OneRoute): void {
  test('refuses each parameter of its query that is malformed or repeated', async () => {
    const { good, send } = at();
    const parameters = Object.entries(route.shape.query.properties);
    const [path = '', given] = good.path.split('?');
    const required: readonly string[] = route.shape.query.required ?? [];
    for (const [parameter, rules] of parameters) {
      const others = new URLSearchParams(given);
      for (const name of [...others.keys()]) if (name === parameter || !required.includes(name)) others.delete(name);
      const bare = { ...good, path: others.size === 0 ? path : `${path}?${others}` };
      const bad = Object.entries(badTexts(rules, parameter));
      const isRefused = ([what]: readonly [string, string]) =>
        !(libertiesAt(route.path).words && what === IN_ANOTHER_CASE);
      for (const [what, value] of shareOf(route, bad.filter(isRefused))) {
        const answer = await send(withQuery(bare, `${parameter}=${encodeURIComponent(value)}`));
        expect(answer.status, `${parameter} is ${what}`).toBe(400);
        checkProblem(route, answer, { code: 'inputerror', names: [parameter] });
      }
      const answer = await send(withQuery(bare, `${parameter}=${MARKER}&${parameter}=${MARKER}`));
      checkProblem(route, answer, { code: 'inputerror', names: [parameter] });
    }
  });

  test('refuses each parameter of its path that is malformed: an id is unknown then, a text breaks its rules', async () => {
    const { good, name, send, kontor } = at();
    const params = { payeeId: kontor.payeeId, ...sampleOf(route).params(name) };
    const own = Object.entries(route.shape.params.properties).filter(([parameter]) => parameter !== 'payeeId');
    for (const [parameter, rules] of own) {
      const isText = 'freeText' in rules || 'maxLength' in rules || 'enum' in rules;
      const values = isText ? badTexts(rules, parameter) : { 'no id': MARKER, 'an id and more': `${MARKER}-Payment` };
      for (const [what, value] of Object.entries(values).filter(([, text]) => text !== '')) {
        const path = fillPath(route.path, { ...params, [parameter]: value });
        const answer = await send({ ...good, path });
        expect(answer.status, `${parameter} is ${what}`).toBe(isText ? 400 : 404);
        checkProblem(route, answer, isText ? { code: 'inputerror', names: [parameter] } : { code: 'notfound' });
      }
    }
  });
}

/** What is taken as if it were not there. */
export function testServedMembers({ route, at }: OneRoute): void {
  const schema = route.shape.body;
  if (schema !== undefined) {
    test('takes an empty text for every member that may be missing as if it were not there', () => {
      const take = takingBody(at().kontor, route, schema);
      // A sample has another reference each time it is written.
      const sample = JSON.parse(JSON.stringify(sampleOf(route).body));
      for (const { name, empty, without } of optionalMembers(schema, sample)) {
        // As texts: a number with a fraction is a symbol, and no symbol equals another.
        const [one, other] = [empty, without].map((sent) => inspect(take(sent), { depth: null, sorted: true }));
        expect(one, name).toBe(other);
      }
    });
  }

  const { words, values } = libertiesAt(route.path);
  if (schema !== undefined && values) {
    test('takes numbers as texts, texts as numbers and words in any case for what they mean', () => {
      const take = takingBody(at().kontor, route, schema);
      for (const { name, written, meant } of otherForms(schema, JSON.parse(JSON.stringify(at().fullBody)))) {
        const [one, other] = [written, meant].map((sent) => inspect(take(sent), { depth: null, sorted: true }));
        expect(one, `${name} of ${JSON.stringify(written).slice(0, 300)}`).toBe(other);
      }
    });
  }

  const listed = Object.entries(route.shape.query.properties).flatMap(([name, { enum: known }]: [string, Listed]) =>
    (known ?? []).map((word) => ({ name, word })),
  );
  for (const { name, word } of words ? listed : []) {
    test(`takes ${word.toLowerCase()} for ${word} in its query`, async () => {
      const { good, send } = at();
      const bare = { ...good, path: good.path.split('?')[0] ?? '' };
      const ask = (text: string) => send(withQuery(bare, `${name}=${text}`));
      const [meant, written] = [await ask(word), await ask(word.toLowerCase())];
      expect([written.status, written.body]).toEqual([200, meant.body]);
    });
  }

  test('ignores parameters of its query and members that it does not know, and takes null for what may be missing', async () => {
    const { kontor, send } = at();
    // Another body under a reference is refused: so it is about an object of its own.
    const name = freshName();
    await sampleOf(route).make(kontor, kontor.payeeId, name);
    const good = goodRequest(route, { ...kontor, name });
    const unknown = `${MARKER}=${MARKER}&__proto__=${MARKER}&constructor=1&$expand=${MARKER}`;
    const asked = withQuery(good, unknown);
    const answer = await send(schema === undefined ? asked : withBody(asked, bodyWithNulls(schema, route)));
    expect(answer.status).toBe(200);
    checkAnswer(route, answer);
  });
}

/** A parameter that may be a list of words. */
interface Listed {
  readonly enum?: readonly string[];
}

/** A good body with null for each member that may be missing, and one that the schema does not know. */
function bodyWithNulls(schema: TSchema, route: ApiRoute): object {
  const { properties, required = [] } = schema as unknown as { properties: object; required?: string[] };
  const mayBeMissing = Object.keys(properties).filter((member) => !required.includes(member));
  const nulls = Object.fromEntries(mayBeMissing.map((member) => [member, null]));
  return { ...sampleOf(route).body, [MARKER]: { [MARKER]: [1.5, null] }, ...nulls };
}
