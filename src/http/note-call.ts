import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallSink } from '../kit/finished-call.ts';
import { PORTAL_CREDENTIAL } from '../kit/portal-user.ts';

/**
 * Hands an answered request to the log of its payee, if it is one that programs make: of a caller who is known, and not
 * of a page of the portal, which reads all the time.
 */
export function noteCall(request: FastifyRequest, reply: FastifyReply, calls: CallSink): void {
  const { edge } = request;
  if (edge?.caller === undefined || request.visitor !== null) return;
  const { credential } = edge.caller;
  if (request.method === 'GET' && credential.startsWith(PORTAL_CREDENTIAL)) return;
  const payeeId = edge.input?.payeeId ?? edge.caller.payeeId;
  const status = reply.statusCode;
  if (!calls.wants({ payeeId, status })) return;
  calls.note({
    at: Math.floor(Date.now() - reply.elapsedTime),
    payeeId,
    sessionId: edge.sessionId,
    method: request.method,
    route: edge.api?.path,
    operationId: edge.api?.operationId,
    status,
    durationMs: reply.elapsedTime,
    credential,
    params: (request.params ?? {}) as Record<string, string>,
    query: (request.query ?? {}) as Record<string, unknown>,
    headers: request.headers,
    body: edge.input?.body,
    rawBody: request.body as Buffer | undefined,
    answer: edge.answer,
  });
}
