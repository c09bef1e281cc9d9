import type { FuzzRequest } from './fuzz-requests.ts';
import { FUZZ_MARKER } from './fuzz-values.ts';
import type { WireAnswer } from './fuzz-wire.ts';
import { checkProblemBody } from './routes-answers.ts';

// What is true of every answer, whatever was asked.

/** Statuses of a caller that speaks bad HTTP, or asks for what is not there: at any address. */
const ANYWHERE: readonly number[] = [400, 401, 403, 404, 405, 406, 408, 413, 414, 415, 417, 429, 431, 501, 503, 505];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PROBLEM = 'application/problem+json';

/** What is wrong with an answer, in words that are the same for the same fault; none is what we want. */
export function faultsOf(request: FuzzRequest, answer: WireAnswer): string[] {
  const { judged, method } = request;
  const { status } = answer;
  const where = `${judged?.id ?? 'no operation'} ${status}`;
  if (status === 500) return [`${where}: an error that is ours`];
  const documented = judged?.responses.get(status);
  const isAllowed = judged === undefined ? ANYWHERE.includes(status) : documented !== undefined;
  if (!isAllowed) return [`${where}: a status that is not documented`];
  const faults = [...headerFaults(answer), ...(method === 'HEAD' ? [] : bodyFaults(request, answer, documented))];
  return faults.map((fault) => `${where}: ${fault}`);
}

function headerFaults({ headers }: WireAnswer): string[] {
  return [
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['no nosniff']),
    ...(UUID.test(headers['session-id'] ?? '') ? [] : ['no session id']),
    ...(headers['cache-control'] === undefined ? ['nothing about caches'] : []),
    ...(headers['x-powered-by'] !== undefined || headers['server'] !== undefined ? ['names its software'] : []),
  ];
}

function bodyFaults({ judged }: FuzzRequest, answer: WireAnswer, documented: readonly string[] | undefined): string[] {
  const { status, headers, body } = answer;
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const text = body.toString();
  if (status >= 400 && withoutDiagnosis(text).includes(FUZZ_MARKER)) return ['repeats what was refused'];
  if (status >= 400 && type === PROBLEM) return problemFaults(answer);
  if (judged === undefined) return ['a refusal that is no problem'];
  if (documented !== undefined && !documented.includes(type)) return [`a body of type ${type}`];
  if (type !== 'application/json') return [];
  return parsed(text, (value) => judged.misfit(status, value));
}

/** In the sandbox a wrong signature is explained with the very text that should have been signed. */
function withoutDiagnosis(text: string): string {
  return text.replace(/"diagnosis":.*/s, '');
}

function parsed(text: string, check: (value: unknown) => string | undefined): string[] {
  try {
    const misfit = check(JSON.parse(text));
    return misfit === undefined ? [] : [`not as its schema says: ${misfit}`];
  } catch {
    return ['a body that is no JSON'];
  }
}

function problemFaults({ status, headers, body }: WireAnswer): string[] {
  try {
    checkProblemBody({ status, headers, body: body.toString(), text: '' });
    return [];
  } catch (error) {
    return [`no problem as they are described: ${(error as Error).message.slice(0, 200)}`];
  }
}
