import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { inputError, Refusal } from '../../kit/errors.ts';
import { BODY_BYTES } from '../../kit/limits.ts';
import type { EdgeState } from './edge.types.ts';

/**
 * Keeps Node from answering `Expect: 100-continue` by itself, before the caller is known. The request
 * goes the way of every other, and `inviteBody` answers once the caller is known.
 */
export function takeOverExpectations(server: Server): void {
  const asAnyOther = (request: IncomingMessage, response: ServerResponse): void => {
    server.emit('request', request, response);
  };
  server.on('checkContinue', asAnyOther);
  server.on('checkExpectation', asAnyOther);
}

/** Refuses an expectation that is none: there is one only (RFC 9110, section 10.1.1). */
export function checkExpectation({ headers }: FastifyRequest): Refusal | undefined {
  if (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue') return undefined;
  return inputError('Expect', 'must be 100-continue');
}

/**
 * Tells a client that waits for it to send the body; not one whose body would be refused for its size anyway. After an
 * answer to a client that was not told, Node closes the connection: it cannot know whether the body comes.
 *
 * @throws Refusal `requesttimeout` where the caller has gone away: nothing would tell who waits for the body that it never comes
 */
export function inviteBody({ request: { headers, raw }, reply, served }: EdgeState): void {
  if (raw.socket.destroyed) throw callerGone();
  const most = served.bodyBytes ?? BODY_BYTES;
  if (headers.expect === undefined || Number(headers['content-length'] ?? 0) > most) return;
  reply.raw.writeContinue();
}

/** What a request ends with whose caller reads no answer any more: no fault of ours. */
export function callerGone(): Refusal {
  return new Refusal('requesttimeout', 'The request was not complete.');
}
