import { connect, type Socket } from 'node:net';

/** An answer, as far as it came over the wire whole. */
export interface WireAnswer {
  readonly status: number;
  /** By name in lower case; repeated ones are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A connection that is used again and again, and opened anew when the service has closed it. */
export interface Wire {
  /**
   * Sends a request's bytes and waits for its answer.
   *
   * @returns undefined where the service closed the connection without one
   * @throws Error where what came is no HTTP, or nothing came in time
   */
  exchange(bytes: Buffer, options?: { readonly isHead?: boolean }): Promise<WireAnswer | undefined>;
  close(): void;
}

/** Longer than a handler may take. */
const ANSWER_MS = 20_000;

/** @param port on 127.0.0.1 */
export function openWire(port: number): Wire {
  let socket: Socket | undefined;
  const open = async (): Promise<Socket> => {
    if (socket !== undefined && !socket.destroyed && socket.writable && socket.readable) return socket;
    const fresh = connect({ port, host: '127.0.0.1', noDelay: true });
    await new Promise<void>((resolve, reject) => fresh.once('connect', resolve).once('error', reject));
    // The code that waits for an answer looks at the end itself.
    fresh.on('error', () => undefined);
    socket = fresh;
    return fresh;
  };
  return {
    exchange: async (bytes, { isHead = false } = {}) => {
      const current = await open();
      const answer = await receive(current, bytes, isHead);
      if (answer === undefined || answer.headers['connection']?.toLowerCase() === 'close') {
        current.destroy();
        socket = undefined;
      }
      return answer;
    },
    close: () => socket?.destroy(),
  };
}

function receive(socket: Socket, bytes: Buffer, isHead: boolean): Promise<WireAnswer | undefined> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const finish = (result: WireAnswer | undefined, error?: Error): void => {
      clearTimeout(timer);
      socket.off('data', take).off('close', end).off('end', end);
      if (error === undefined) resolve(result);
      else {
        socket.destroy();
        reject(error);
      }
    };
    const look = (isOver: boolean): void => {
      try {
        const answer = readAnswer(received, { isHead, isOver });
        if (answer !== 'more') finish(answer);
        else if (isOver) finish(undefined, received.length === 0 ? undefined : new Error('An answer was cut off.'));
      } catch (error) {
        finish(undefined, error as Error);
      }
    };
    const take = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      look(false);
    };
    const end = (): void => look(true);
    const timer = setTimeout(() => finish(undefined, new Error(`No answer within ${ANSWER_MS} ms.`)), ANSWER_MS);
    socket.on('data', take).on('close', end).on('end', end);
    socket.write(bytes);
  });
}

/**
 * The first whole answer that is there; what follows it is left alone, for it would be an answer to nothing.
 *
 * @throws Error where it is not HTTP/1.1 as a strict reader understands it
 */
export function readAnswer(
  received: Buffer,
  { isHead, isOver }: { readonly isHead: boolean; readonly isOver: boolean },
): WireAnswer | 'more' {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return 'more';
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const [, code] = /^HTTP\/1\.1 ([1-5][0-9]{2})(?: .*)?$/.exec(statusLine) ?? [];
  if (code === undefined) throw new Error('An answer does not begin with a status line.');
  const status = Number(code);
  const rest = received.subarray(end + 4);
  if (status < 200) return readAnswer(rest, { isHead, isOver });
  const headers = headersOf(lines);
  if (isHead || status === 204 || status === 304) return { status, headers, body: Buffer.alloc(0) };
  const body = bodyOf(rest, headers, isOver);
  return body === 'more' ? 'more' : { status, headers, body };
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error('An answer has a line that is no header.');
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
}

function bodyOf(rest: Buffer, headers: Readonly<Record<string, string>>, isOver: boolean): Buffer | 'more' {
  const length = headers['content-length'];
  if (length !== undefined) {
    if (!/^[0-9]+$/.test(length)) throw new Error('An answer has a length that is no number.');
    return rest.length < Number(length) ? 'more' : rest.subarray(0, Number(length));
  }
  if (headers['transfer-encoding'] === 'chunked') return chunksOf(rest);
  return isOver ? rest : 'more';
}

function chunksOf(rest: Buffer): Buffer | 'more' {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = rest.indexOf('\r\n', at);
    if (line === -1) return 'more';
    const size = rest.subarray(at, line).toString('latin1');
    if (!/^[0-9a-fA-F]+$/.test(size)) throw new Error('An answer has a chunk without a size.');
    const length = Number.parseInt(size, 16);
    if (rest.length < line + 2 + length + 2) return 'more';
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(line + 2, line + 2 + length));
    at = line + 2 + length + 2;
  }
}
