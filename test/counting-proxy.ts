import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Client } from 'pg';

/** What a connection sent to PostgreSQL without waiting for an answer in between: one way there and back. */
export interface Flight {
  /** Statements by the names that they are prepared under; commands by their text. */
  readonly statements: readonly string[];
  /** Bytes there, and back. */
  readonly sent: number;
  readonly received: number;
  /** Whether its connection is one for jobs, whose planner is free (`src/db/server/pool.ts`). */
  readonly isBackground: boolean;
}

/** Stands between the service and its PostgreSQL, and counts what passes. */
export interface CountingProxy {
  /** The same database, by way of the proxy. */
  readonly url: string;
  /** The flights that ended since this was asked last, of all connections. */
  take(): Flight[];
  close(): Promise<void>;
}

interface OpenFlight {
  statements: string[];
  sent: number;
  received: number;
  isBackground: boolean;
  /** Syncs and simple queries that no ReadyForQuery has answered yet. */
  unanswered: number;
}

/** Of the start of a connection: length and protocol, no type. */
const START_HEADER_BYTES = 4;
/** Of each other message: type and length (PostgreSQL's documentation, "Message Formats"). */
const HEADER_BYTES = 5;

/** Starts a proxy on loopback, for connections without TLS. */
export async function countingProxy(databaseUrl: string): Promise<CountingProxy> {
  const { host, port: number, user, password, database } = new Client({ connectionString: databaseUrl });
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${number}` } : { host, port: number, noDelay: true };
  const flights: Flight[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target);
    client.setNoDelay(true);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    count(client, upstream, (flight) => flights.push(flight));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://${encodeURIComponent(user ?? '')}:${encodeURIComponent(`${password}`)}@127.0.0.1:${port}/${database}`,
    take: () => flights.splice(0),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a session begins with, and what it says of connections for requests alone. */
const [SET_UP, INDEX_PLANS] = ['set-up-session', 'enable_seqscan'];

function count(client: Socket, upstream: Socket, end: (flight: Flight) => void): void {
  let isBackground = false;
  const nextFlight = (): OpenFlight => ({ statements: [], sent: 0, received: 0, isBackground, unanswered: 0 });
  let open = nextFlight();
  const ofClient = reader(START_HEADER_BYTES, (type, message) => {
    if (type === 'B') open.statements.push(nameIn(message));
    if (type === 'B' && nameIn(message) === SET_UP) {
      isBackground = !message.includes(INDEX_PLANS);
      open.isBackground = isBackground;
    }
    if (type === 'Q') open.statements.push(textAt(message, 0));
    if (type === 'S' || type === 'Q') open.unanswered++;
  });
  const ofServer = reader(HEADER_BYTES, (type) => {
    if (type !== 'Z' || --open.unanswered > 0) return;
    end(open);
    open = nextFlight();
  });
  client.on('data', (chunk) => {
    open.sent += chunk.length;
    ofClient(chunk);
    upstream.write(chunk);
  });
  upstream.on('data', (chunk) => {
    open.received += chunk.length;
    ofServer(chunk);
    client.write(chunk);
  });
}

/** Calls back for each message that is whole, whatever pieces it comes in. */
function reader(firstHeader: number, take: (type: string, message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let header = firstHeader;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < header) return;
      const length = header - START_HEADER_BYTES + rest.readUInt32BE(header - START_HEADER_BYTES);
      if (rest.length < length) return;
      if (header === HEADER_BYTES) take(String.fromCharCode(rest.readUInt8()), rest.subarray(HEADER_BYTES, length));
      rest = rest.subarray(length);
      header = HEADER_BYTES;
    }
  };
}

/** The prepared statement that a Bind names, behind the portal. */
function nameIn(bind: Buffer): string {
  return textAt(bind, bind.indexOf(0) + 1);
}

function textAt(message: Buffer, from: number): string {
  return message.toString('utf8', from, message.indexOf(0, from));
}
