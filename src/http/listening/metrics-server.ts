import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { withoutQuery } from '../../kit/addresses/address.ts';
import { uuidV4 } from '../../kit/ids.ts';
import { HEADER_BYTES, HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '../../kit/limits.ts';
import { equalDigests, sha256 } from '../../kit/secret.ts';
import { toProblem } from '../document/problem.ts';
import { bearerToken, invalidToken, missingToken } from '../edge/bearer.ts';
import { isLocal } from '../edge/client-address.ts';
import type { OpenRequest, OpenRoute } from '../route.types.ts';
import { boundSockets } from './sockets.ts';
import { type CertificatePair, secureServerOptions } from './tls.ts';

/** Connections to the port of the metrics from one network: each is of a program that watches. */
const METRICS_SOCKETS = 50;

/**
 * A server for the metrics alone, on a port that the network can keep to those who watch. It speaks TLS where the service
 * does, and asks for the same token.
 */
export function createMetricsServer(route: OpenRoute, certificate: CertificatePair | undefined): Server {
  const options = {
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    answerMetrics(route, request, response).catch(() => response.destroy());
  };
  const server =
    certificate === undefined
      ? createServer(options, answer)
      : createSecureServer({ ...secureServerOptions(certificate), ...options }, answer);
  boundSockets(server, { most: METRICS_SOCKETS, isExempt: () => false, tell: () => undefined });
  return server;
}

async function answerMetrics(route: OpenRoute, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers, socket } = request;
  if ((method !== 'GET' && method !== 'HEAD') || withoutQuery(url) !== route.path) {
    response.writeHead(404, { connection: 'close' }).end();
    return;
  }
  const {
    status,
    headers: answered,
    body,
  } = await route.handle({
    params: {},
    query: {},
    headers,
    body: Buffer.alloc(0),
    remoteAddress: socket.remoteAddress ?? '',
    isLocal: isLocal(request),
    sessionId: uuidV4(),
  });
  response.writeHead(status, answered).end(method === 'HEAD' ? undefined : body);
}

interface MetricsRouteOptions {
  readonly text: () => Promise<string>;
  readonly contentType: string;
  /** Opens the metrics to a caller that sends it as bearer, from anywhere. */
  readonly token: string | undefined;
  /** Whether a request needs no token. */
  readonly isOpenTo: (request: Pick<OpenRequest, 'isLocal'>) => boolean;
  readonly baseUrl: () => string;
}

/** `/metrics` in Prometheus' text format. It tells a competitor how much is sold, so production shows it to few. */
export function metricsRoute(options: MetricsRouteOptions): OpenRoute {
  const { text, contentType, token, isOpenTo, baseUrl } = options;
  return {
    method: 'GET',
    path: '/metrics',
    handle: async ({ headers, isLocal, sessionId }) => {
      const sent = bearerToken(headers['authorization'] as string | undefined);
      if (!isOpenTo({ isLocal }) && !isSame(sent, token)) {
        return toProblem(sent === undefined ? missingToken() : invalidToken(), baseUrl(), sessionId);
      }
      return { status: 200, headers: { 'content-type': contentType, 'cache-control': 'no-store' }, body: await text() };
    },
  };
}

function isSame(sent: string | undefined, wanted: string | undefined): boolean {
  return sent !== undefined && wanted !== undefined && equalDigests(sha256(sent), sha256(wanted));
}
