import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Stands between the service and an acquirer, so that the acquirer keeps its address when it is started again, and lines
 * can be cut while both live on.
 */
export interface Switchboard {
  readonly port: number;
  /** Where the acquirer listens from now on. */
  leadTo(port: number): void;
  /** Cuts all lines, and each new one at once, until `join`. */
  cut(): void;
  join(): void;
  /** Keeps what the acquirer says from now on, until `letGo`: of a line that ends, it is lost. */
  holdBack(): void;
  letGo(): void;
  /** The first bytes that the service sent, of all lines. */
  heard(): Buffer;
  close(): Promise<void>;
}

/** Bytes that are kept of what was sent. */
const HEARD_BYTES = 4 * 1024 * 1024;

/** Starts one on loopback. */
export async function switchboard(): Promise<Switchboard> {
  const sockets = new Set<Socket>();
  const heard: Buffer[] = [];
  let heardBytes = 0;
  let target = 0;
  let isCut = false;
  let heldBack: (() => void)[] | undefined;
  const keep = (bytes: Buffer) => {
    if (heardBytes > HEARD_BYTES) return;
    heardBytes += bytes.length;
    heard.push(Buffer.from(bytes));
  };
  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => undefined);
    if (isCut || target === 0) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: '127.0.0.1', port: target, noDelay: true });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('data', (bytes: Buffer) => {
        const pass = () => void other.write(bytes);
        if (one === upstream && heldBack !== undefined) heldBack.push(pass);
        else pass();
      });
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.on('data', keep);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port;
    },
    cut: () => {
      isCut = true;
      cutAll();
    },
    join: () => {
      isCut = false;
    },
    holdBack: () => {
      heldBack ??= [];
    },
    letGo: () => {
      const passes = heldBack ?? [];
      heldBack = undefined;
      for (const pass of passes) pass();
    },
    heard: () => Buffer.concat(heard),
    async close() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}
