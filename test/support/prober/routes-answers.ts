import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { ApiRoute } from '../../../src/http/route.types.ts';
import { PROBLEMS, type ProblemCode } from '../../../src/kit/errors.ts';
import { describeApi } from '../../../src/wiring/describe-api.ts';
import { MARKER, SESSION_ID } from './routes-requests.ts';
import type { RawAnswer } from './routes-socket.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON whose form is what the tests look at
type Json = Readonly<Record<string, any>>;

/** The OpenAPI document, as clients read it. */
export const document = describeApi() as Json;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv, ['uuid', 'uri', 'date-time', 'date']);
ajv.addSchema(document, 'document');

/** Checks what is true of every answer of the API. Every test that gets one calls this. */
export function checkAnswer(route: ApiRoute, answer: RawAnswer): void {
  const { status, headers, text } = answer;
  expect(headers).toMatchObject({
    'session-id': SESSION_ID,
    'api-supported-versions': '3.1/3.0/2.0',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(text, 'an answer repeats nothing that was refused').not.toContain(MARKER);
  // Which methods an address lacks is no part of what it documents.
  if (status !== PROBLEMS.methodnotallowed.status) {
    const { responses } = operationOf(route);
    expect(Object.keys(responses), `the statuses that ${route.operationId} documents`).toContain(String(status));
  }
  if (status === 200) checkBody(route, answer);
  else checkProblemBody(answer);
}

function checkBody(route: ApiRoute, { headers, body }: RawAnswer): void {
  expect(headers['content-type']).toMatch(/^application\/json; charset=utf-8; version=(3\.1|3\.0|2\.0)$/);
  const reference = `document#/paths/${pointerOf(route)}/responses/200/content/application~1json/schema`;
  expectToFit(reference, JSON.parse(body));
}

/** Checks an answer of the API that refuses. @param names of the entries in `problems`, in their order */
export function checkProblem(
  route: ApiRoute,
  answer: RawAnswer,
  expected: { readonly code: ProblemCode; readonly names?: readonly string[] },
): void {
  expect({ status: answer.status, problem: codeOf(answer) }).toEqual({
    status: PROBLEMS[expected.code].status,
    problem: expected.code,
  });
  if (expected.names !== undefined) {
    expect(JSON.parse(answer.body).problems.map(({ name }: Json) => name)).toEqual(expected.names);
  }
  checkAnswer(route, answer);
}

/** The code of a problem: the last part of its type. */
export function codeOf({ body }: Pick<RawAnswer, 'body'>): string | undefined {
  return body.startsWith('{') ? String(JSON.parse(body).type).split('/errordetail/')[1] : undefined;
}

/** Checks that a body is problem details with exactly the members that docs/errors.md names. */
export function checkProblemBody({ status, headers, body }: RawAnswer): void {
  const problem = JSON.parse(body);
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(Object.keys(problem)).toEqual([
    ...['type', 'title', 'status', 'detail', 'instance', 'sessionId', 'problems'],
    // The tests run in the sandbox, which explains a wrong signature.
    ...(headers['www-authenticate']?.startsWith('HmacSHA512') ? ['diagnosis'] : []),
  ]);
  expectToFit('document#/components/schemas/Problem', problem);
  const kind = PROBLEMS[codeOf({ body }) as ProblemCode];
  expect(problem).toMatchObject({
    title: kind.title,
    status,
    sessionId: headers['session-id'],
    instance: `urn:uuid:${headers['session-id']}`,
  });
  for (const entry of problem.problems) expect(Object.keys(entry)).toEqual(['name', 'description']);
  if (status === PROBLEMS.inputerror.status) expect(problem.problems.length).toBeGreaterThan(0);
}

/** Every byte of an answer but for the date. */
export function withoutDate({ text }: RawAnswer): string {
  return text.replace(/\r\ndate: [^\r]*/i, '');
}

function expectToFit(reference: string, value: unknown): void {
  const fits = ajv.getSchema(reference);
  if (fits === undefined) throw new Error(`The document has nothing at ${reference}.`);
  expect(fits(value), JSON.stringify(fits.errors)).toBe(true);
}

function operationOf(route: ApiRoute): Json {
  return document['paths'][addressOf(route)][route.method.toLowerCase()];
}

function addressOf({ path }: ApiRoute): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function pointerOf(route: ApiRoute): string {
  const address = addressOf(route).replaceAll('~', '~0').replaceAll('/', '~1');
  return `${encodeURIComponent(address)}/${route.method.toLowerCase()}`;
}
