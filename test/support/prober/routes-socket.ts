import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** By name in lower case; a repeated one keeps its last value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Every byte of it, the status line included. */
  readonly text: string;
}

/** A connection for what fetch is too polite to send. */
export interface RawConnection {
  write(text: string | Buffer): void;
  /** What has arrived so far. */
  received(): string;
  /** Whether the server has closed its side. */
  isClosed(): boolean;
  /** Waits until this many whole answers, `100 Continue` among them, are there. */
  answers(count: number): Promise<RawAnswer[]>;
  /** Waits until the server has closed the connection. */
  closed(deadlineMs?: number): Promise<void>;
  /** Cuts the connection from this side. */
  destroy(): void;
}

/** Opens a connection to the service. */
export async function openConnection(baseUrl: string): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  const socket: Socket = connect(Number(port), hostname);
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
  socket.on('end', close);
  // A server that refuses may reset the connection while we still write; what it answered before counts.
  socket.on('error', close);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const whenever = (what: string, condition: () => boolean, deadlineMs = 10_000): Promise<void> =>
    new Promise((resolve, reject) => {
      const late = () => reject(new Error(`Not ${what} within ${deadlineMs} ms; received: ${text.slice(0, 200)}`));
      const timer = setTimeout(late, deadlineMs);
      look = () => {
        if (!condition()) return;
        clearTimeout(timer);
        resolve();
      };
      look();
    });
  return {
    write: (data) => void socket.write(data),
    received: () => text,
    isClosed: () => isClosed,
    answers: async (count) => {
      await whenever(`${count} answers`, () => isClosed || readAnswers(text).length >= count);
      return readAnswers(text);
    },
    closed: (deadlineMs) => whenever('closed', () => isClosed, deadlineMs),
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

/** The text of a request: CRLF after each line, and the blank one. */
export function requestText(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** The whole answers in what was received; what is not complete yet is left out. */
export function readAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = received; ; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return answers;
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const text = rest.slice(0, end + 4 + length);
    if (text.length < end + 4 + length) return answers;
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, body: text.slice(end + 4), text });
    rest = rest.slice(text.length);
  }
}
