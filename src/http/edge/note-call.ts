import { nameOfActor } from '../../kit/caller.ts';
import type { CallSink, LoggedForm } from '../../kit/work/finished-call.ts';
import { PROBLEM_SCHEMA } from '../document/openapi-parts.ts';
import type { EdgeRequest } from '../route.types.ts';
import type { EdgeState } from './edge.types.ts';

/**
 * Hands an answered request to the log of its payee, if it is one that programs make: of a caller who is known, and not
 * of a page of the portal, which reads all the time.
 */
export function noteCall(edge: EdgeState, calls: CallSink): void {
  const { request, reply, caller, visitor, served } = edge;
  if (caller === undefined || visitor !== undefined) return;
  const { credential } = caller;
  if (request.method === 'GET' && credential.kind === 'portal-user') return;
  const input = edge.input as EdgeRequest | undefined;
  const payeeId = input?.payeeId ?? caller.payeeId;
  const status = reply.statusCode;
  if (!calls.wants({ payeeId, status })) return;
  calls.note({
    at: Math.floor(Date.now() - reply.elapsedTime),
    payeeId,
    sessionId: edge.sessionId,
    method: request.method,
    route: served.api?.path,
    operationId: served.api?.operationId,
    status,
    durationMs: reply.elapsedTime,
    credential: nameOfActor(credential),
    params: (request.params ?? {}) as Record<string, string>,
    query: (request.query ?? {}) as Record<string, unknown>,
    headers: request.headers,
    bodyForm: served.api?.shape.body as LoggedForm | undefined,
    // A problem was written out already.
    answerForm: (typeof edge.answer === 'string' ? PROBLEM_SCHEMA : served.api?.shape.answer) as LoggedForm | undefined,
    body: input?.body,
    rawBody: request.body as Buffer | undefined,
    answer: edge.answer,
  });
}
