import { equalDigests, sha256 } from '../../kit/secret.ts';
import { toProblem } from '../document/problem.ts';
import { bearerToken, invalidToken, missingToken } from '../edge/bearer.ts';
import type { OpenRequest, OpenRoute } from '../route.types.ts';

export interface MetricsRouteOptions {
  readonly text: () => Promise<string>;
  readonly contentType: string;
  /** Opens the metrics to whoever sends it as bearer, from anywhere. */
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
