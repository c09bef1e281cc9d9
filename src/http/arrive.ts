import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../kit/errors.ts';
import { isUuid, uuidV4 } from '../kit/ids.ts';
import { HSTS_SECONDS } from '../kit/limits.ts';
import { plainAddress } from '../kit/network.ts';
import { type Client, clientOf } from './client-address.ts';
import type { EdgeOptions, EdgeState } from './edge.types.ts';
import { checkExpectation } from './expect.ts';
import { checkFraming } from './framing.ts';
import type { AnyPortalRoute } from './portal-route.types.ts';
import type { ApiRoute, OpenRoute } from './route.types.ts';
import { readTraceparent } from './traceparent.ts';

/** The value of `api-supported-versions`, the newest first. */
export const SUPPORTED_VERSIONS = '3.1/3.0/2.0';

/** Addresses below these belong to the API: a caller must be known before they say anything, even 404. */
export const API_PREFIX = /^\/(online|psp|api|events|webhooks)(\/|\?|$)/i;

/** For this host and all below it (RFC 6797, section 6.1). */
const TRANSPORT_SECURITY = `max-age=${HSTS_SECONDS}; includeSubDomains`;

declare module 'fastify' {
  interface FastifyRequest {
    edge: EdgeState | null;
  }
}

/** The first step of every request: who sent it, its ids, and the headers that every answer has. */
export type Arrive = (
  request: FastifyRequest,
  reply: FastifyReply,
  route: ApiRoute | OpenRoute | AnyPortalRoute | undefined,
) => EdgeState;

/** Makes the first step of every request. */
export function arrival({ proxies, needsTls }: Pick<EdgeOptions, 'proxies' | 'needsTls'>): Arrive {
  return (request, reply, route) => {
    const api = route !== undefined && 'scope' in route ? route : undefined;
    const state: EdgeState = {
      sessionId: sessionIdOf(request.headers['session-id']),
      ...findClient(request.raw, proxies),
      trace: readTraceparent(request.headers['traceparent']),
      route: route?.path ?? 'unknown',
      api,
      caller: undefined,
      isAdmitted: false,
      isSigningIn: false,
      input: undefined,
      explain: undefined,
      answer: undefined,
    };
    request.edge = state;
    reply.header('session-id', state.sessionId).header('x-content-type-options', 'nosniff');
    // Not to whoever spoke clear text to the proxy (RFC 6797, section 7.2).
    if (needsTls() && state.client.isSecure !== false) {
      reply.header('strict-transport-security', TRANSPORT_SECURITY);
    }
    if (api !== undefined || API_PREFIX.test(request.url)) {
      reply
        .header('api-supported-versions', SUPPORTED_VERSIONS)
        .header('cache-control', 'no-store')
        .header('vary', 'Accept, Authorization');
    }
    return state;
  };
}

/** The caller's own session id where it is a UUID, else a new one. It is in the answer, in every log line and problem. */
export function sessionIdOf(sent: unknown): string {
  return typeof sent === 'string' && isUuid(sent) ? sent : uuidV4();
}

/** Refuses what could be read in two ways, or by two readers differently (RFC 9112, sections 3.2 and 11.2). */
export function refuseBadFraming(request: FastifyRequest): void {
  const refusal = checkFraming(request.raw) ?? checkExpectation(request) ?? request.edge?.clientFault;
  if (refusal !== undefined) throw refusal;
}

/** A fault is kept and not thrown: the request has to get its ids first. */
function findClient(
  request: IncomingMessage,
  proxies: EdgeOptions['proxies'],
): Pick<EdgeState, 'client' | 'clientFault'> {
  try {
    return { client: clientOf(request, proxies), clientFault: undefined };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const client: Client = {
      address: plainAddress(request.socket.remoteAddress ?? ''),
      isSecure: undefined,
      isProxied: true,
    };
    return { client, clientFault: error };
  }
}

/** Where the caller is: for limits, lock-outs and the audit trail. */
export function addressOf(request: FastifyRequest): string {
  return request.edge?.client.address ?? plainAddress(request.ip);
}
