import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../kit/errors.ts';
import type { Admission } from './admission.ts';
import type { Arrive } from './arrive.ts';
import type { EdgeOptions } from './edge.types.ts';
import { EdgeRefusal, systemError, toProblem } from './problem.ts';
import { concealUnknown, payeeOf } from './reception.ts';
import { requestIds } from './request-ids.ts';
import { sendOpen } from './send-open.ts';

/** The methods that the address of a request has, or undefined where there is no such address. */
export type MethodsAt = (request: FastifyRequest) => readonly string[] | undefined;

/** Before the caller is known these are faults of framing: what follows on the connection cannot be trusted. */
const IS_FRAMING = new Set([400, 501]);

/** A request that failed. */
export interface Failure {
  readonly error: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface ProblemParts {
  readonly arrive: Arrive;
  readonly options: EdgeOptions;
  readonly admission: Admission;
  readonly methodsAt: MethodsAt;
}

/** Answers a request that failed with problem details, or with what its route shows a person in their place. */
export async function sendProblem(
  failure: Failure,
  { options, admission, methodsAt, arrive }: ProblemParts,
): Promise<void> {
  const { request, reply } = failure;
  const refusal = orWrongMethod(await refusalOf(failure, admission), request, methodsAt);
  const state = request.edge ?? arrive(request, reply, undefined);
  const { sessionId } = state;
  const problem = toProblem(refusal, options.baseUrl(), sessionId);
  if (problem.status >= 500 && refusal.code !== 'notimplemented') {
    options.log.error({ ...requestIds(state), err: refusal.cause ?? refusal }, refusal.code);
  }
  if (IS_FRAMING.has(problem.status) && request.edge?.caller === undefined) reply.header('connection', 'close');
  const explained = state.explain?.(problem.status);
  if (explained !== undefined) {
    await sendOpen(request, reply.headers(problem.headers), explained);
    return;
  }
  state.answer = problem.body;
  reply.code(problem.status).headers(problem.headers).serializer(String).send(problem.body);
}

/** A word that ends an address of its own may stand where another route has an id: there is no such object, but a method. */
function orWrongMethod(refusal: Refusal, request: FastifyRequest, methodsAt: MethodsAt): Refusal {
  if (refusal.code !== 'notfound' || request.edge?.isAdmitted !== true) return refusal;
  const allowed = methodsAt(request);
  return allowed === undefined || allowed.includes(request.method) ? refusal : methodNotAllowed(allowed);
}

/**
 * Fastify's own complaints about a body come before our steps, which are made up for here: that an object does not exist
 * is hidden; whoever could not be admitted for want of a signed body is told of their limits and scopes, but of no object.
 */
async function refusalOf({ error, request, reply }: Failure, admission: Admission): Promise<Refusal> {
  if (error instanceof Refusal) return error;
  // Whoever leaves in the middle of a body reads no answer, and is no fault of ours: nobody is to be woken up for it.
  if (request.raw.errored === error) return new Refusal('requesttimeout', 'The request was not complete.');
  const code = (error as { code?: unknown } | null)?.code;
  const refusal = typeof code === 'string' ? FASTIFY_REFUSALS[code]?.() : undefined;
  if (refusal === undefined) return systemError(error);
  const { api, caller, isAdmitted } = request.edge ?? {};
  if (api === undefined || caller === undefined) return refusal;
  try {
    if (!isAdmitted) {
      admission.countRequest(caller, request, reply);
      admission.checkScope(caller, api);
      return refusal;
    }
    return await concealUnknown(refusal, request, api, payeeOf(caller, request.params as Record<string, string>));
  } catch (concealed) {
    return concealed instanceof Refusal ? concealed : systemError(concealed);
  }
}

const FASTIFY_REFUSALS: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Refusal('unsupportedmediatype', 'The Content-Type is malformed.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal('payloadtoolarge', 'The body is larger than 64 KiB.'),
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
