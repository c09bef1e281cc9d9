import type { IncomingMessage, ServerResponse } from 'node:http';
import { inputError, PROBLEMS, Refusal } from '../../kit/errors.ts';
import { uuidV4 } from '../../kit/ids.ts';
import { EdgeRefusal, toProblem } from '../document/problem.ts';
import { sessionIdOf } from '../edge/arrive.ts';
import { tooManyUnderWay } from '../edge/under-way.ts';

/** A socket that no answer was written to. */
interface BareSocket {
  readonly writable: boolean;
  end(text: string): unknown;
  destroy(): unknown;
}

/** One that Node's HTTP server looks after no more. */
interface TakenOverSocket extends BareSocket {
  on(event: 'error', listener: () => void): unknown;
}

/** What Node's HTTP parser gives up on: it never becomes a request, so it is answered on the bare socket and closed. */
export function answerClientError(
  error: Error & { readonly code?: string; readonly rawPacket?: unknown },
  socket: BareSocket,
  baseUrl: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const sessionId = uuidV4();
  const { status, headers, body } = lastProblem(refusalOf(error), { baseUrl, sessionId });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** CONNECT asks for a tunnel, so Node hands it over outside of the requests; without an answer the client would guess. */
export function answerConnect(socket: TakenOverSocket, baseUrl: string): void {
  // Node has taken its listeners off. A client that resets the connection before the answer is written would end the
  // process.
  socket.on('error', () => socket.destroy());
  answerClientError(Object.assign(new Error('CONNECT'), { code: 'CONNECT' }), socket, baseUrl);
}

/** An address that the router cannot read: it has neither a route nor hooks, and Fastify's own answer repeats it. */
export function answerBadAddress(
  error: { readonly code?: string },
  request: Pick<IncomingMessage, 'headers'>,
  response: ServerResponse,
  baseUrl: string,
): void {
  const sessionId = sessionIdOf(request.headers['session-id']);
  const refusal =
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? new Refusal('uritoolong', 'A part of the address is too long.')
      : inputError('path', 'must be well percent-encoded UTF-8');
  const { status, headers, body } = lastProblem(refusal, { baseUrl, sessionId });
  response.writeHead(status, headers).end(body);
}

/** The first request of a connection that has too many under way. The answer comes behind those of the others. */
export function answerTooMany(
  request: Pick<IncomingMessage, 'headers'>,
  response: ServerResponse,
  baseUrl: string,
): void {
  const sessionId = sessionIdOf(request.headers['session-id']);
  const { status, headers, body } = lastProblem(tooManyUnderWay(), { baseUrl, sessionId });
  response.writeHead(status, headers).end(body);
}

/** A problem after which the connection is closed. */
function lastProblem(refusal: Refusal, { baseUrl, sessionId }: { baseUrl: string; sessionId: string }) {
  const { status, headers, body } = toProblem(refusal, baseUrl, sessionId);
  const more = {
    'session-id': sessionId,
    'x-content-type-options': 'nosniff',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { status, headers: { ...headers, ...more }, body };
}

const REASONS: Readonly<Record<number, string>> = {
  [PROBLEMS.inputerror.status]: 'Bad Request',
  [PROBLEMS.methodnotallowed.status]: 'Method Not Allowed',
  [PROBLEMS.requesttimeout.status]: 'Request Timeout',
  [PROBLEMS.headertoolarge.status]: 'Request Header Fields Too Large',
};

/** The beginning of a request that is well-formed but for a method that the parser does not know. */
const REQUEST_LINE = /^[A-Za-z-]+ [!-~]+ HTTP\/1\.1\r\n/;

function refusalOf({ code, rawPacket }: { readonly code?: string; readonly rawPacket?: unknown }): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal('headertoolarge', 'The headers are larger than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('requesttimeout', 'The request was not complete in time.');
    case 'CONNECT':
      return unknownMethod();
    case 'HPE_INVALID_METHOD':
      return Buffer.isBuffer(rawPacket) && REQUEST_LINE.test(rawPacket.toString('latin1'))
        ? unknownMethod()
        : malformed();
    default:
      return malformed();
  }
}

function malformed(): Refusal {
  return inputError('request', 'must be well-formed HTTP/1.1');
}

/** No address has it, so Allow lists the methods of them all. */
function unknownMethod(): Refusal {
  return new EdgeRefusal('methodnotallowed', 'No address has that method; see Allow.', {
    headers: { allow: 'GET, HEAD, POST, PATCH, DELETE' },
  });
}
