import { inputError, PROBLEMS, Refusal } from '../kit/errors.ts';
import { uuidV4 } from '../kit/ids.ts';
import { toProblem } from './problem.ts';

/** What Node's HTTP parser gives up on: it never becomes a request, so it is answered on the bare socket and closed. */
export function answerClientError(
  error: Error & { readonly code?: string },
  socket: { readonly writable: boolean; end(text: string): unknown; destroy(): unknown },
  baseUrl: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const sessionId = uuidV4();
  const { status, headers, body } = toProblem(refusalOf(error.code), baseUrl, sessionId);
  const all = {
    ...headers,
    'session-id': sessionId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

const REASONS: Readonly<Record<number, string>> = {
  [PROBLEMS.inputerror.status]: 'Bad Request',
  [PROBLEMS.requesttimeout.status]: 'Request Timeout',
  [PROBLEMS.headertoolarge.status]: 'Request Header Fields Too Large',
};

function refusalOf(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal('headertoolarge', 'The headers are larger than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('requesttimeout', 'The request was not complete in time.');
    default:
      return inputError('request', 'must be well-formed HTTP/1.1');
  }
}
