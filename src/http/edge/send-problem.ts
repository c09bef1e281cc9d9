import type { FastifyRequest } from 'fastify';
import { type ProblemCode, Refusal } from '../../kit/errors.ts';
import { CardRefusal, EdgeRefusal, systemError, toProblem } from '../document/problem.ts';
import type { Admission } from './admission.ts';
import type { EdgeOptions, EdgeState } from './edge.types.ts';
import { callerGone } from './expect.ts';
import { concealUnknown } from './reception.ts';
import { requestIds } from './request-ids.ts';
import { sendOpen } from './send-open.ts';

/** The methods that the address of a request has, or undefined where there is no such address. */
export type MethodsAt = (request: FastifyRequest) => readonly string[] | undefined;

/** Before the caller is known these are faults of framing: what follows on the connection cannot be trusted. */
const IS_FRAMING = new Set([400, 501, 505]);
/** Codes of 5xx that say what is wrong with a request: nothing has failed here. */
const FAULTS_OF_REQUESTS: readonly ProblemCode[] = ['notimplemented', 'httpversionnotsupported'];

export interface ProblemParts {
  readonly options: EdgeOptions;
  readonly admission: Admission;
  readonly methodsAt: MethodsAt;
}

/** Answers a request that failed with problem details, or with what its route shows a person in their place. */
export async function sendProblem(
  edge: EdgeState,
  error: unknown,
  { options, admission, methodsAt }: ProblemParts,
): Promise<void> {
  const { reply, sessionId } = edge;
  const refusal = orWrongMethod(await refusalOf(error, edge, admission), edge, methodsAt);
  const problem = toProblem(refusal, options.baseUrl(), sessionId);
  const isOurs = !FAULTS_OF_REQUESTS.includes(refusal.code) && !(refusal instanceof CardRefusal);
  if (problem.status >= 500 && isOurs) {
    options.tellFailure(refusal.code, refusal.cause ?? refusal, requestIds(edge));
  }
  if (IS_FRAMING.has(problem.status) && edge.caller === undefined) reply.header('connection', 'close');
  const explained = edge.explain?.(problem.status);
  if (explained !== undefined) {
    reply.headers(problem.headers);
    await sendOpen(edge, explained);
    return;
  }
  edge.answer = problem.body;
  reply.code(problem.status).headers(problem.headers).serializer(String).send(problem.body);
}

/** A word that ends an address of its own may stand where another route has an id: there is no such object, but a method. */
function orWrongMethod(refusal: Refusal, { request, isAdmitted }: EdgeState, methodsAt: MethodsAt): Refusal {
  if (refusal.code !== 'notfound' || !isAdmitted) return refusal;
  const allowed = methodsAt(request);
  return allowed === undefined || allowed.includes(request.method) ? refusal : methodNotAllowed(allowed);
}

/**
 * Fastify's own complaints about a body come before our steps, which are made up for here: that an object does not exist
 * is hidden; a caller who could not be admitted for want of a signed body is told of their limits and scopes, but of no
 * object.
 */
async function refusalOf(error: unknown, edge: EdgeState, admission: Admission): Promise<Refusal> {
  if (error instanceof Refusal) return error;
  // A client that leaves in the middle of a body reads no answer. That is no fault of ours, and must not raise an
  // alarm.
  if (edge.request.raw.errored === error) return callerGone();
  const code = (error as { code?: unknown } | null)?.code;
  const refusal = typeof code === 'string' ? FASTIFY_REFUSALS[code]?.() : undefined;
  if (refusal === undefined) return systemError(error);
  const { api } = edge.served;
  if (api === undefined || edge.caller === undefined) return refusal;
  try {
    if (edge.isAdmitted) return await concealUnknown(refusal, edge);
    admission.countRequest(edge);
    admission.checkScope(edge, api);
    return refusal;
  } catch (concealed) {
    return concealed instanceof Refusal ? concealed : systemError(concealed);
  }
}

const FASTIFY_REFUSALS: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Refusal('unsupportedmediatype', 'The Content-Type is malformed.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal('payloadtoolarge', 'The body is larger than this operation reads.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Refusal('inputerror', 'The request breaks the rules of its input; see problems.', {
      problems: [{ name: 'Content-Length', description: 'must be the number of bytes in the body' }],
    }),
  FST_ERR_BAD_URL: () =>
    new Refusal('inputerror', 'The request breaks the rules of its input; see problems.', {
      problems: [{ name: 'path', description: 'must be well percent-encoded' }],
    }),
};

/** 405, with the methods that the address has. */
export function methodNotAllowed(allowed: readonly string[]): Refusal {
  return new EdgeRefusal('methodnotallowed', 'This address does not have that method; see Allow.', {
    headers: { allow: allowed.join(', ') },
  });
}
