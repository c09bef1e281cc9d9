import { connect } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';
import { readAnswers } from './sockets.ts';

// Requests that are none, or only half: bytes on a bare socket.

/** What is written to a socket, and how. */
export interface SocketShot {
  readonly name: string;
  /** Written one after the other, with a turn of the event loop between them. */
  readonly pieces: readonly string[];
  readonly ends: 'waits' | 'half-open' | 'cuts' | 'never-reads';
  /** Connections that do so at once. */
  readonly connections: number;
}

const HOST = 'Host: 127.0.0.1';
const GOOD = `GET /health/live HTTP/1.1\r\n${HOST}\r\n\r\n`;
const post = (headers: string, body: string) => `POST /oauth/token HTTP/1.1\r\n${HOST}\r\n${headers}\r\n\r\n${body}`;
const FORM = 'Content-Type: application/x-www-form-urlencoded';

/** Requests whose framing two readers could understand differently, and those that no reader understands. */
const FRAMINGS: Readonly<Record<string, string>> = {
  'two lengths': post(`${FORM}\r\nContent-Length: 4\r\nContent-Length: 5`, 'a=b&c'),
  'a list of lengths': post(`${FORM}\r\nContent-Length: 4, 4`, 'a=b&'),
  'a length and chunks': post(`${FORM}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked`, '0\r\n\r\n'),
  'a length with a sign': post(`${FORM}\r\nContent-Length: +4`, 'a=b&'),
  'a length in hex': post(`${FORM}\r\nContent-Length: 0x4`, 'a=b&'),
  'a length beyond all numbers': post(`${FORM}\r\nContent-Length: 99999999999999999999`, 'a=b&'),
  'a length below zero': post(`${FORM}\r\nContent-Length: -1`, 'a=b&'),
  'chunks in another spelling': post(`${FORM}\r\nTransfer-Encoding: ChUnKeD`, '3\r\na=b\r\n0\r\n\r\n'),
  'chunks in two codings': post(`${FORM}\r\nTransfer-Encoding: gzip, chunked`, '0\r\n\r\n'),
  'chunks twice': post(`${FORM}\r\nTransfer-Encoding: chunked, chunked`, '0\r\n\r\n'),
  'another coding': post(`${FORM}\r\nTransfer-Encoding: identity`, 'a=b'),
  'a chunk of no size': post(`${FORM}\r\nTransfer-Encoding: chunked`, 'zz\r\na=b\r\n0\r\n\r\n'),
  'a chunk of a huge size': post(`${FORM}\r\nTransfer-Encoding: chunked`, 'fffffffffffffffff\r\na=b\r\n'),
  'a chunk with extensions': post(
    `${FORM}\r\nTransfer-Encoding: chunked`,
    `3;${'x=y;'.repeat(5000)}\r\na=b\r\n0\r\n\r\n`,
  ),
  'a chunk that is longer than it says': post(`${FORM}\r\nTransfer-Encoding: chunked`, '1\r\na=b\r\n0\r\n\r\n'),
  trailers: post(`${FORM}\r\nTransfer-Encoding: chunked`, '3\r\na=b\r\n0\r\nHost: evil.example\r\nX: y\r\n\r\n'),
  'a body of a GET': `GET /health/live HTTP/1.1\r\n${HOST}\r\nContent-Length: 5\r\n\r\nhello`,
  'line feeds alone': `GET /health/live HTTP/1.1\n${HOST}\n\n`,
  'carriage returns alone': `GET /health/live HTTP/1.1\r${HOST}\r\r`,
  'a folded header': `GET /health/live HTTP/1.1\r\n${HOST}\r\nX-A: a\r\n b\r\n\r\n`,
  'a blank before the colon': `GET /health/live HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n`,
  'no host': 'GET /health/live HTTP/1.1\r\n\r\n',
  'two hosts': `GET /health/live HTTP/1.1\r\n${HOST}\r\nHost: evil.example\r\n\r\n`,
  'HTTP/1.0': 'GET /health/live HTTP/1.0\r\n\r\n',
  'HTTP/0.9': 'GET /\r\n\r\n',
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'an absolute target': `GET http://evil.example/ HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'an asterisk': `OPTIONS * HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a tunnel': `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'an upgrade': `GET /health/live HTTP/1.1\r\n${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  'an expectation': post(`${FORM}\r\nContent-Length: 3\r\nExpect: 200-maybe`, 'a=b'),
  'a zero byte in the address': `GET /health\0/live HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a zero byte in a header': `GET /health/live HTTP/1.1\r\n${HOST}\r\nX-A: a\0b\r\n\r\n`,
  'a byte that is no ASCII in the address': `GET /health/\xff\xfe HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'a long address': `GET /${'x'.repeat(15_000)} HTTP/1.1\r\n${HOST}\r\n\r\n`,
  'too many headers': `GET /health/live HTTP/1.1\r\n${HOST}\r\n${'a: b\r\n'.repeat(2_500)}\r\n`,
  'large headers': `GET /health/live HTTP/1.1\r\n${HOST}\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
  'many requests at once': GOOD.repeat(200),
  'a request behind a refused one': `GET http://evil.example/ HTTP/1.1\r\n${HOST}\r\n\r\n${GOOD}`,
};

/** Where a byte is changed, and what becomes of it. */
const spoiled = fc
  .record({
    text: fc.constantFrom(GOOD, ...Object.values(FRAMINGS)),
    edits: fc.array(
      fc.record({
        at: fc.nat(400),
        with: fc.constantFrom('', '\0', '\r', '\n', ' ', '\t', '\xff', ':', ';', ',', '0', 'GET / HTTP/1.1\r\n'),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ text, edits }) =>
    edits.reduce(
      (all, { at, with: put }) => all.slice(0, at % all.length) + put + all.slice((at % all.length) + 1),
      text,
    ),
  );

/** Plans of what is done to sockets. */
export const socketShots: Arbitrary<SocketShot> = fc
  .record({
    named: fc.oneof(
      fc.constantFrom(...Object.entries(FRAMINGS)).map(([name, text]) => ({ name, text })),
      spoiled.map((text) => ({ name: 'spoiled', text })),
    ),
    cuts: fc.array(fc.nat(300), { maxLength: 3 }),
    ends: fc.oneof(
      { arbitrary: fc.constant('waits' as const), weight: 6 },
      fc.constantFrom('half-open' as const, 'cuts' as const, 'never-reads' as const),
    ),
    connections: fc.oneof({ arbitrary: fc.constant(1), weight: 8 }, fc.constantFrom(20, 60)),
  })
  .map(({ named: { name, text }, cuts, ends, connections }) => ({
    name,
    pieces: pieces(text, cuts),
    ends,
    connections,
  }));

function pieces(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.filter((cut) => cut < text.length).sort((one, other) => one - other), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

/** Statuses that bytes on a bare socket may be answered with. */
const ALLOWED: readonly number[] = [
  200, 400, 401, 404, 405, 406, 408, 411, 413, 414, 415, 417, 426, 429, 431, 501, 503, 505,
];
/** Milliseconds of silence after which nothing more is awaited. */
const SILENCE_MS = 60;

/** Does it, and says what is wrong with what came back. */
export async function shootAtSocket(baseUrl: string, shot: SocketShot): Promise<string[]> {
  const received = await Promise.all(Array.from({ length: shot.connections }, () => talk(baseUrl, shot)));
  return received.flatMap(faultsIn).map((fault) => `socket, ${shot.name}: ${fault}`);
}

function talk(baseUrl: string, { pieces, ends }: SocketShot): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect({ port: Number(port), host: hostname, noDelay: true }).setEncoding('latin1');
    const write = (left: readonly string[]): void => {
      const [piece, ...rest] = left;
      if (piece === undefined) {
        if (ends === 'half-open') socket.end();
        if (ends === 'cuts') socket.resetAndDestroy();
        return;
      }
      if (socket.writable) socket.write(Buffer.from(piece, 'latin1'));
      setImmediate(() => write(rest));
    };
    socket.on('connect', () => write(pieces));
    if (ends !== 'never-reads') socket.on('data', (chunk: string) => (received += chunk));
    // A refusal may end with a reset: what came before it counts.
    socket.on('error', () => undefined);
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    socket.on('close', () => resolve(received));
  });
}

function faultsIn(received: string): string[] {
  try {
    // Silence may come in the middle of a long answer.
    const answer = readAnswers(received, { isOver: true }).find(({ status }) => status >= 200);
    return answer === undefined || ALLOWED.includes(answer.status) ? [] : [`answered with ${answer.status}`];
  } catch (error) {
    return [(error as Error).message];
  }
}
