import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Trouble } from '../../kit/work/trouble.ts';
import type { ThreeDSServer } from '../acquirers/acquirers.types.ts';

/** Bytes of a result (EMV 3-D Secure 2.2.0, 64 KiB). */
const RESULT_BYTES = 65_536;
/** Milliseconds within which a request must be there: what we answer with has to follow within two seconds. */
const REQUEST_MS = 5_000;
/**
 * Milliseconds for which a connection stays open between results: longer than programs usually keep theirs (60 s), so that none writes to one
 * that we just closed. Its result would be lost, and its payer not authenticated.
 */
const KEEP_ALIVE_MS = 65_000;
/** Connections at once of clients that have shown their certificate, and how many there are when those are closed on which nothing is asked. */
const TRUSTED_CONNECTIONS = 256;
const MANY_CONNECTIONS = 192;

/** Where results are taken. */
export interface ResultsServer {
  readonly port: number;
  /** Shows and asks for other certificates from now on; connections that are open stay. */
  renew(tls: ThreeDSServer['tls']): void;
  close(): Promise<void>;
}

/** What results are taken with. */
export interface ResultsOptions {
  readonly server: Pick<ThreeDSServer, 'resultsUrl' | 'resultsPort' | 'tls'>;
  /** Where it listens. */
  readonly host: string;
  /** Bounds the connections of each network. */
  readonly boundConnections: (server: Server) => void;
  /** The answer to a text that was posted. Never rejects. */
  readonly answer: (text: string) => Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Listens for the results of challenges, on a port of its own: with TLS none but clients whose certificate is signed by who
 * must have are spoken to, and nothing else is answered there. Connections are counted by network until the client has shown its
 * certificate: a number for all would let a stranger keep the directory servers out.
 *
 * @throws Trouble where the port is taken
 */
export async function startResultsServer({
  server,
  host,
  boundConnections,
  answer,
}: ResultsOptions): Promise<ResultsServer> {
  const path = new URL(server.resultsUrl).pathname;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void take(request, path, answer).then(
      ({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
        response.end(body);
      },
      () => response.destroy(),
    );
  };
  const limits = {
    requestTimeout: REQUEST_MS,
    headersTimeout: REQUEST_MS,
    maxHeaderSize: 16_384,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const { tls } = server;
  const listening: Server =
    tls === 'none'
      ? createHttp(limits, listener)
      : createHttps(
          {
            ...limits,
            ...tls,
            requestCert: true,
            rejectUnauthorized: true,
            minVersion: 'TLSv1.2',
            handshakeTimeout: REQUEST_MS,
          },
          listener,
        );
  boundConnections(listening);
  boundTrusted(listening);
  // A client that is refused is no error of ours.
  listening.on('tlsClientError', () => undefined);
  listening.on('clientError', (_error, socket) => socket.destroy());
  listening.listen(server.resultsPort, tls === 'none' ? '127.0.0.1' : host);
  try {
    await once(listening, 'listening');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Trouble(`The port ${server.resultsPort} for results of 3-D Secure cannot be used (${code}).`);
  }
  return {
    port: (listening.address() as AddressInfo).port,
    renew: (other) => {
      if (other !== 'none' && 'setSecureContext' in listening) {
        (listening as HttpsServer).setSecureContext({ ...other, minVersion: 'TLSv1.2' });
      }
    },
    close: async () => {
      const closed = once(listening, 'close');
      listening.close();
      listening.closeAllConnections();
      await closed;
    },
  };
}

/** Bounds the connections behind their handshake: idle ones make room, and what goes beyond is closed. */
function boundTrusted(server: Server): void {
  let open = 0;
  server.on('secureConnection', (socket: Socket) => {
    if (open >= TRUSTED_CONNECTIONS) {
      socket.destroy();
      return;
    }
    if (open >= MANY_CONNECTIONS) server.closeIdleConnections();
    open++;
    socket.once('close', () => open--);
  });
}

async function take(
  request: IncomingMessage,
  path: string,
  answer: ResultsOptions['answer'],
): Promise<{ status: number; body: string }> {
  if (request.url !== path) return { status: 404, body: '' };
  if (request.method !== 'POST') return { status: 405, body: '' };
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > RESULT_BYTES) return { status: 413, body: '' };
    parts.push(part);
  }
  return { status: 200, body: JSON.stringify(await answer(Buffer.concat(parts).toString('utf8'))) };
}
