import type { Server, Socket } from 'node:net';
import { networkOf, ONE_SUBSCRIBER } from '../../kit/addresses/network.ts';

/** Milliseconds between two lines of the log about networks that want more connections than they may have. */
const SOCKETS_TOLD_MS = 60_000;

export interface SocketBound {
  /** Connections that one network may have open at once. */
  readonly most: number;
  /** Whether those from an address are not counted: of a proxy, which brings those of all clients. */
  readonly isExempt: (address: string) => boolean;
  /** Whether a connection counts no more once its client has shown its certificate. */
  readonly endsWithHandshake?: true;
  /** Is told of a network that wanted more, not more often than a line of the log is worth. */
  readonly tell: (network: string) => void;
}

/**
 * Closes connections of a network that has too many open, before a byte of theirs is read: each costs memory, and
 * a caller is not known before they have sent a request.
 */
export function boundSockets(server: Server, { most, isExempt, endsWithHandshake, tell }: SocketBound): void {
  const open = new Map<string, number>();
  /** What counts a connection no more, by where it comes from. */
  const leaving = new Map<string, () => void>();
  let toldAt = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isExempt(remoteAddress)) return;
    const network = networkOf(remoteAddress, ONE_SUBSCRIBER);
    const before = open.get(network) ?? 0;
    if (before >= most) {
      socket.destroy();
      const now = performance.now();
      if (now - toldAt < SOCKETS_TOLD_MS) return;
      toldAt = now;
      tell(network);
      return;
    }
    open.set(network, before + 1);
    const place = placeOf(socket);
    const leave = () => {
      if (!leaving.delete(place)) return;
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    };
    leaving.set(place, leave);
    socket.once('close', leave);
  });
  if (endsWithHandshake === true) {
    server.on('secureConnection', (socket: Socket) => leaving.get(placeOf(socket))?.());
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * Lives on where a connection could not be taken: the system has no descriptor left, or no memory. That costs the connection,
 * and a client that opens many must not end the service of all. Errors before it listens go to the caller of `listen`.
 *
 * @param tell is told not more often than a line of the log is worth
 */
export function surviveLostConnections(server: Server, tell: (error: Error) => void): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  server.once('listening', () => {
    server.on('error', (error) => {
      const now = performance.now();
      if (now - toldAt < SOCKETS_TOLD_MS) return;
      toldAt = now;
      tell(error);
    });
  });
}
