import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import type { Dial, LineAddress } from './link.types.ts';

/**
 * Opens TCP, and TLS 1.2 or 1.3 over it with certificates on both sides; the host's must be of `ca` and have `serverName`.
 * Small messages go at once (no Nagle), each with one write.
 */
export const dial: Dial = (address, events) => {
  let cause = '';
  let socket: Socket;
  try {
    socket = open(address);
  } catch (error) {
    // A key that does not fit its certificate, or none at all.
    queueMicrotask(() => events.closed(causeOf(error)));
    return { write: () => undefined, isFull: () => true, end: () => undefined, destroy: () => undefined };
  }
  socket.setNoDelay(true);
  socket.on(address.tls === 'none' ? 'connect' : 'secureConnect', () => events.opened());
  socket.on('data', (bytes: Buffer) => events.received(bytes));
  socket.on('drain', () => events.drained());
  socket.on('error', (error) => {
    cause = causeOf(error);
  });
  // A host that ends its side has nothing more to say, and would hear no answer.
  socket.on('end', () => socket.destroy());
  socket.on('close', () => events.closed(cause));
  return {
    // What was written may hold a card: its bytes do not stay in memory longer than needed.
    write: (bytes) => void socket.write(bytes, () => bytes.fill(0)),
    isFull: () => socket.writableNeedDrain,
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
  };
};

function open({ host, port, tls }: LineAddress): Socket {
  if (tls === 'none') return connectTcp({ host, port });
  const { serverName, ca, cert, key } = tls;
  return connectTls({
    host,
    port,
    ca,
    cert,
    key,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    // An address is no name that a client may ask for (RFC 6066, section 3).
    ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
    checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
  });
}

function causeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'error';
}
