import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TestBank } from './test-bank.ts';
import { TestDirectory } from './test-directory.ts';

/** How a test directory server runs. PEM texts, not paths. */
export interface TestThreeDSOptions {
  /** Of the directory server; 0 takes a free one. */
  readonly port: number;
  /** Of the bank's pages, which browsers open; 0 takes a free one. They are in the clear, on this machine alone. */
  readonly bankPort?: number;
  /** Without it the directory server is in the clear. `clientCa` signs its clients' certificates, and the results server's. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly clientCa: string };
  /** Milliseconds that the one bank which waits lets pass before it gives a challenge up. */
  readonly giveUpMs?: number;
}

/** A test directory server with its bank. */
export interface RunningTestThreeDS {
  readonly port: number;
  readonly bankPort: number;
  readonly directory: TestDirectory;
  close(): Promise<void>;
}

/** Bytes of any message. */
const MESSAGE_BYTES = 65_536;
const GIVE_UP_MS = 5_000;

/** Starts a test directory server and its bank on this machine. They need no database, and forget all at their end. */
export async function startTestThreeDS(options: TestThreeDSOptions): Promise<RunningTestThreeDS> {
  const { tls, giveUpMs = GIVE_UP_MS } = options;
  const address = { bank: '' };
  const directory = new TestDirectory(() => address.bank);
  const bank = new TestBank(directory, { tls, giveUpMs });
  const takeMessage = serving(async (request, body, response) => {
    const reply = directory.take(request.url ?? '', body);
    if (reply.does === 'Close') return void request.socket.destroy();
    if (reply.does === 'Send')
      answer(response, reply.status, { type: 'application/json; charset=utf-8', body: JSON.stringify(reply.body) });
  });
  const takeBrowser = serving(async (request, body, response) => {
    const page = await bank.show(request.method ?? '', request.url ?? '', new URLSearchParams(body));
    answer(response, page.status, { type: 'text/html; charset=utf-8', body: page.html });
  });
  const bankServer = createServer(takeBrowser);
  const directoryServer =
    tls === undefined
      ? createServer(takeMessage)
      : createHttps(
          {
            cert: tls.cert,
            key: tls.key,
            ca: tls.clientCa,
            requestCert: true,
            rejectUnauthorized: true,
            minVersion: 'TLSv1.2',
          },
          takeMessage,
        );
  directoryServer.on('tlsClientError', () => undefined);
  const bankPort = await listen(bankServer, options.bankPort ?? 0);
  address.bank = `http://127.0.0.1:${bankPort}`;
  const port = await listen(directoryServer, options.port);
  return {
    port,
    bankPort,
    directory,
    close: async () => {
      bank.close();
      await Promise.all([bankServer, directoryServer].map(closed));
    },
  };
}

type Take = (request: IncomingMessage, body: string, response: ServerResponse) => Promise<void>;

function serving(take: Take) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    void (async () => {
      let body = '';
      for await (const part of request as AsyncIterable<Buffer>) {
        body += part.toString('utf8');
        if (body.length > MESSAGE_BYTES) return void request.destroy();
      }
      await take(request, body, response);
    })().catch(() => request.destroy());
  };
}

function answer(response: ServerResponse, status: number, { type, body }: { type: string; body: string }): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function closed(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
