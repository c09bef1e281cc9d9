import { connect, type Socket } from 'node:net';

// HTTP as it goes over a socket: what fetch is too polite to send, and answers as a strict reader understands them.

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** By name in lower case; repeated ones are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Every byte of it as a character, the status line included. */
  readonly text: string;
}

/** A connection on which anything can be written. */
export interface RawConnection {
  write(text: string | Buffer): void;
  /** What has arrived so far. */
  received(): string;
  /** Drops that. */
  forget(): void;
  /** Whether the server has closed its side. */
  isClosed(): boolean;
  /** Waits until this many whole answers, `100 Continue` among them, are there, or the server has closed the connection. */
  answers(count: number): Promise<RawAnswer[]>;
  /** Waits until the server has closed the connection. */
  closed(deadlineMs?: number): Promise<void>;
  /**
   * Waits until a condition is met, and looks at it whenever something has arrived.
   *
   * @throws Error where the condition does, and where it is not met in time
   */
  whenever(what: string, condition: () => boolean, deadlineMs?: number): Promise<void>;
  /** Cuts the connection from this side. */
  destroy(): void;
}

/** How an answer is read. */
interface Reading {
  /** Whether it is to a HEAD, and so has no body. */
  readonly isHead?: boolean;
  /** Whether nothing more comes. */
  readonly isOver?: boolean;
}

/** Opens a connection to the service. */
export async function openConnection(baseUrl: string): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  const socket: Socket = connect({ port: Number(port), host: hostname, noDelay: true });
  let text = '';
  let isClosed = false;
  let look = () => {};
  const close = () => {
    isClosed = true;
    look();
  };
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    look();
  });
  socket.on('end', close).on('close', close);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  // A server that refuses may reset the connection while we still write; what it answered before counts.
  socket.on('error', close);
  const whenever: RawConnection['whenever'] = (what, condition, deadlineMs = 10_000) =>
    new Promise((resolve, reject) => {
      const late = () => reject(new Error(`Not ${what} within ${deadlineMs} ms; received: ${text.slice(0, 200)}`));
      const timer = setTimeout(late, deadlineMs);
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        look = () => {};
        settle();
      };
      look = () => {
        try {
          if (condition()) finish(resolve);
        } catch (error) {
          finish(() => reject(error));
        }
      };
      look();
    });
  return {
    write: (data) => void socket.write(data),
    received: () => text,
    forget: () => {
      text = '';
    },
    isClosed: () => isClosed,
    answers: async (count) => {
      await whenever(`${count} answers`, () => isClosed || readAnswers(text).length >= count);
      return readAnswers(text);
    },
    closed: (deadlineMs) => whenever('closed', () => isClosed, deadlineMs),
    whenever,
    destroy: () => socket.destroy(),
  };
}

/** Sends bytes and waits for the one answer to them. Says too whether the server closed the connection by itself. */
export async function exchange(
  baseUrl: string,
  request: string | Buffer,
): Promise<RawAnswer & { readonly isClosed: boolean }> {
  const connection = await openConnection(baseUrl);
  connection.write(request);
  const [answer] = await connection.answers(1);
  if (answer === undefined) throw new Error('The connection was closed without an answer.');
  const saysClose = answer.headers['connection'] === 'close';
  if (saysClose) await connection.closed();
  connection.destroy();
  return { ...answer, isClosed: saysClose };
}

/** A connection that is used again and again, and opened anew when the service has closed it. */
export interface Wire {
  /**
   * Sends a request's bytes and waits for its answer. What follows that is left alone: it would be an answer to nothing.
   *
   * @returns undefined where the service closed the connection without one
   * @throws Error where what came is no HTTP, or nothing came in time
   */
  exchange(bytes: Buffer, options?: Pick<Reading, 'isHead'>): Promise<RawAnswer | undefined>;
  close(): void;
}

/** Longer than a handler may take. */
const ANSWER_MS = 20_000;

export function openWire(baseUrl: string): Wire {
  let connection: RawConnection | undefined;
  const close = () => {
    connection?.destroy();
    connection = undefined;
  };
  return {
    exchange: async (bytes, { isHead = false } = {}) => {
      if (connection === undefined || connection.isClosed()) connection = await openConnection(baseUrl);
      const { forget, write, received, isClosed, whenever } = connection;
      let answer: RawAnswer | undefined;
      forget();
      write(bytes);
      try {
        await whenever(
          'answered',
          () => {
            const isOver = isClosed();
            answer = readAnswers(received(), { isHead, isOver }).find(({ status }) => status >= 200);
            return isOver || answer !== undefined;
          },
          ANSWER_MS,
        );
      } catch (error) {
        close();
        throw error;
      }
      if (answer === undefined && received() !== '') throw new Error('An answer was cut off.');
      if (answer === undefined || answer.headers['connection']?.toLowerCase() === 'close') close();
      return answer;
    },
    close,
  };
}

/** The text of a request: CRLF after each line, and the blank one. */
export function requestText(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * The whole answers in what was received; what is not complete yet is left out.
 *
 * @throws Error where it is not HTTP/1.1 as a strict reader understands it
 */
export function readAnswers(received: string, reading: Reading = {}): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; ; ) {
    const answer = firstAnswer(rest, reading);
    if (answer === undefined) return answers;
    answers.push(answer);
    rest = rest.slice(answer.text.length);
  }
}

function firstAnswer(received: string, { isHead = false, isOver = false }: Reading): RawAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const [, code] = /^HTTP\/1\.1 ([1-5][0-9]{2})(?: .*)?$/.exec(statusLine) ?? [];
  if (code === undefined) throw new Error('An answer does not begin with a status line.');
  const status = Number(code);
  const headers = headersOf(lines);
  const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304;
  const framed = hasBody ? bodyIn(received.slice(end + 4), headers, isOver) : { bytes: '', length: 0 };
  if (framed === undefined) return undefined;
  const body = Buffer.from(framed.bytes, 'latin1').toString();
  return { status, headers, body, text: received.slice(0, end + 4 + framed.length) };
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

/** A body, and how many bytes it takes on the wire. */
interface Framed {
  readonly bytes: string;
  readonly length: number;
}

function bodyIn(rest: string, headers: Readonly<Record<string, string>>, isOver: boolean): Framed | undefined {
  const length = headers['content-length'];
  if (length !== undefined) {
    if (!/^[0-9]+$/.test(length)) throw new Error('An answer has a length that is no number.');
    return rest.length < Number(length) ? undefined : { bytes: rest.slice(0, Number(length)), length: Number(length) };
  }
  if (headers['transfer-encoding'] === 'chunked') return chunksIn(rest);
  return isOver ? { bytes: rest, length: rest.length } : undefined;
}

function chunksIn(rest: string): Framed | undefined {
  let bytes = '';
  for (let at = 0; ; ) {
    const line = rest.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = rest.slice(at, line);
    if (!/^[0-9a-fA-F]+$/.test(size)) throw new Error('An answer has a chunk without a size.');
    const next = line + 2 + Number.parseInt(size, 16) + 2;
    if (rest.length < next) return undefined;
    if (next === line + 4) return { bytes, length: next };
    bytes += rest.slice(line + 2, next - 2);
    at = next;
  }
}
