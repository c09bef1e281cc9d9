import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { ApiRoute } from '../../../src/http/route.types.ts';
import { PROBLEMS, type ProblemCode } from '../../../src/kit/errors.ts';
import { FUZZ_MARKER } from './fuzz-values.ts';
import { type Operation, operationAt, problemMisfit } from './operations.ts';
import { MARKER, SESSION_ID } from './routes-requests.ts';
import type { RawAnswer } from './sockets.ts';

// The right answer: what is true of every answer, whatever was asked, by whatever suite.

/** Statuses of a caller that speaks bad HTTP, or asks for what is not there: at any address. */
const ANYWHERE: readonly number[] = [400, 401, 403, 404, 405, 406, 408, 413, 414, 415, 417, 429, 431, 501, 503, 505];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PROBLEM = 'application/problem+json';
/** What stands in inputs that may have to be refused; no refusal may repeat it. */
const MARKERS = [MARKER, FUZZ_MARKER];

type Answer = Pick<RawAnswer, 'status' | 'headers' | 'body'>;

/** What was asked. */
export interface Asked {
  readonly method: string;
  /** The operation by which the answer is judged; undefined where method and path lead to none. */
  readonly judged: Operation | undefined;
}

/** What is wrong with an answer, in words that are the same for the same fault; none is what we want. */
export function faultsOf({ method, judged }: Asked, answer: Answer): string[] {
  const { status } = answer;
  const where = `${judged?.id ?? 'no operation'} ${status}`;
  if (status === 500) return [`${where}: an error that is ours`];
  const documented = judged?.responses.get(status);
  // The document says nothing of bodies where an operation takes none.
  const isOfBody = status === PROBLEMS.payloadtoolarge.status && judged?.body === undefined;
  const isAllowed = judged === undefined || isOfBody ? ANYWHERE.includes(status) : documented !== undefined;
  if (!isAllowed) return [`${where}: a status that is not documented`];
  const faults = [...headerFaults(answer), ...(method === 'HEAD' ? [] : bodyFaults(judged, answer, documented))];
  return faults.map((fault) => `${where}: ${fault}`);
}

function headerFaults({ headers }: Answer): string[] {
  return [
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['no nosniff']),
    ...(UUID.test(headers['session-id'] ?? '') ? [] : ['no session id']),
    ...(headers['cache-control'] === undefined ? ['nothing about caches'] : []),
    ...(headers['x-powered-by'] !== undefined || headers['server'] !== undefined ? ['names its software'] : []),
  ];
}

function bodyFaults(judged: Asked['judged'], answer: Answer, documented: readonly string[] | undefined): string[] {
  const { status, headers, body } = answer;
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const told = withoutDiagnosis(body);
  if (status >= 400 && MARKERS.some((marker) => told.includes(marker))) return ['repeats what was refused'];
  if (status >= 400 && type === PROBLEM) return problemFaults(answer);
  if (judged === undefined) return ['a refusal that is no problem'];
  if (documented !== undefined && !documented.includes(type)) return [`a body of type ${type}`];
  if (type !== 'application/json') return [];
  return parsed(body, (value) => fits(judged.misfit(status, value)));
}

/** In the sandbox a wrong signature is explained with the very text that should have been signed. */
function withoutDiagnosis(text: string): string {
  return text.replace(/"diagnosis":.*/s, '');
}

function parsed(text: string, check: (value: unknown) => string[]): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return ['a body that is no JSON'];
  }
  return check(value);
}

const fits = (misfit: string | undefined) => (misfit === undefined ? [] : [`not as its schema says: ${misfit}`]);

/** What makes a body none of the problem details with exactly the members that docs/errors.md names. */
function problemFaults({ status, headers, body }: Answer): string[] {
  return parsed(body, (value) => {
    const misfit = fits(problemMisfit(value));
    if (misfit.length > 0) return misfit;
    const problem = value as Readonly<Record<string, unknown>> & { readonly problems: readonly object[] };
    const kind = PROBLEMS[codeOf({ body }) as ProblemCode];
    const found = {
      type: headers['content-type'],
      members: Object.keys(problem),
      title: problem['title'],
      status: problem['status'],
      sessionId: problem['sessionId'],
      instance: problem['instance'],
      entries: problem.problems.map((entry) => Object.keys(entry)),
      isExplained: status !== PROBLEMS.inputerror.status || problem.problems.length > 0,
    };
    const expected: typeof found = {
      type: 'application/problem+json; charset=utf-8',
      members: [
        ...['type', 'title', 'status', 'detail', 'instance', 'sessionId', 'problems'],
        // The tests run in the sandbox, which explains a wrong signature.
        ...(headers['www-authenticate']?.startsWith('HmacSHA512') ? ['diagnosis'] : []),
      ],
      title: kind?.title,
      status,
      sessionId: headers['session-id'],
      instance: `urn:uuid:${headers['session-id']}`,
      entries: problem.problems.map(() => ['name', 'description']),
      isExplained: true,
    };
    if (isDeepStrictEqual(found, expected)) return [];
    return [`no problem as they are described: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`];
  });
}

/** Checks that a body is a problem as it has to be. */
export function checkProblemBody(answer: Answer): void {
  expect(problemFaults(answer)).toEqual([]);
}

/** Checks what is true of every answer of the API. Every test that gets one calls this. */
export function checkAnswer(route: ApiRoute, answer: RawAnswer): void {
  const { status, headers, text } = answer;
  const { method, path } = route;
  // Which methods an address lacks is no part of what it documents.
  const isOther = status === PROBLEMS.methodnotallowed.status;
  const judged = isOther ? undefined : operationAt(method, path.replace(/:(\w+)/g, 'x'));
  expect(faultsOf({ method, judged }, answer)).toEqual([]);
  expect(headers).toMatchObject({
    'session-id': SESSION_ID,
    'api-supported-versions': '3.1/3.0/2.0',
    'cache-control': 'no-store',
  });
  expect(text, 'an answer repeats nothing that was refused').not.toContain(MARKER);
  if (status !== 200) return;
  expect(headers['content-type']).toMatch(/^application\/json; charset=utf-8; version=(3\.1|3\.0|2\.0)$/);
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
    expect(JSON.parse(answer.body).problems.map(({ name }: { name: string }) => name)).toEqual(expected.names);
  }
  checkAnswer(route, answer);
}

/** The code of a problem: the last part of its type. */
export function codeOf({ body }: Pick<RawAnswer, 'body'>): string | undefined {
  return body.startsWith('{') ? String(JSON.parse(body).type).split('/errordetail/')[1] : undefined;
}

/** Every byte of an answer but for the date. */
export function withoutDate({ text }: RawAnswer): string {
  return text.replace(/\r\ndate: [^\r]*/i, '');
}
