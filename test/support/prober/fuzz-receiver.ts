import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that takes deliveries with all the manners that servers have. */
export interface OddReceiver {
  /** Host and port. */
  readonly host: string;
  /** Connections so far. */
  taken(): number;
  stop(): Promise<void>;
}

const answer = (status: string, headers = '', body = '') =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;

/** What is answered, by the path that was asked for. */
const MANNERS: Readonly<Record<string, (socket: Socket) => void>> = {
  '/ok': (socket) => void socket.write(answer('204 No Content')),
  '/broken': (socket) => void socket.write(answer('500 Broken', '', 'No')),
  // Says nothing; the sender gives up.
  '/silent': () => undefined,
  '/redirect': (socket) => void socket.write(answer('302 Found', 'location: http://10.0.0.1/\r\n')),
  '/huge': (socket) => void socket.write(answer('200 OK', '', 'x'.repeat(200_000))),
  '/garbage': (socket) => void socket.end('\0\xff not HTTP at all\r\n\r\n'),
  '/cut': (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
  '/slow': (socket) => void setTimeout(() => socket.end(answer('200 OK', '', 'late')), 300),
};

/** Starts one on a free port of 127.0.0.1. */
export async function startOddReceiver(): Promise<OddReceiver> {
  const sockets = new Set<Socket>();
  let taken = 0;
  const server = createServer((socket) => {
    taken++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      const [, path] = /^POST (\/[a-z]*)/.exec(chunk.toString('latin1')) ?? [];
      if (path !== undefined) (MANNERS[path] ?? MANNERS['/ok'])?.(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => taken,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
