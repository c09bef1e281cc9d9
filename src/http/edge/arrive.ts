import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainAddress } from '../../kit/addresses/network.ts';
import { containsCardNumber } from '../../kit/cards/find-card-numbers.ts';
import { Refusal } from '../../kit/errors.ts';
import { isUuid, newSpanId, uuidV4 } from '../../kit/ids.ts';
import type { Trace } from '../../kit/work/trace.ts';
import { type Client, clientOf } from './client-address.ts';
import type { EdgeOptions, EdgeState, Run, Served } from './edge.types.ts';
import { checkExpectation } from './expect.ts';
import { checkFraming } from './framing.ts';

/** Seconds for which browsers speak TLS only to a host that has said so once: two years, as their own lists ask for. */
const HSTS_SECONDS = 2 * 365 * 24 * 60 * 60;

/** The value of `api-supported-versions`, the newest first. */
export const SUPPORTED_VERSIONS = '3.1/3.0/2.0';

/** The word for a proxy that the settings do not name. */
const UNTRUSTED_PROXY =
  'A request came with X-Forwarded-For from an address that KONTOR_TRUSTED_PROXIES does not name, so the header was ' +
  'ignored. If this is your proxy, add its address: all its callers share one rate limit until then.';

/** For this host and all below it (RFC 6797, section 6.1). */
const TRANSPORT_SECURITY = `max-age=${HSTS_SECONDS}; includeSubDomains`;

declare module 'fastify' {
  interface FastifyRequest {
    edge: EdgeState | null;
  }
}

/** Takes a request in: who sent it, and its ids. */
export type Arrive = (request: FastifyRequest, reply: FastifyReply, served: Served) => EdgeState;

/** Makes what takes requests in, before their first step. */
export function arrival({ proxies, log }: Pick<EdgeOptions, 'proxies' | 'log'>): Arrive {
  // Once: any caller can send the header.
  let hasWarned = false;
  return (request, reply, served) => {
    const { client, clientFault } = findClient(request.raw, proxies);
    if (!hasWarned && !client.isProxied && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      log.warn({ address: client.address }, UNTRUSTED_PROXY);
    }
    const state: EdgeState = {
      request,
      reply,
      served,
      sessionId: sessionIdOf(request.headers['session-id']),
      client,
      clientFault,
      trace: readTraceparent(request.headers['traceparent']),
      version: undefined,
      caller: undefined,
      countedFor: undefined,
      visitor: undefined,
      signature: undefined,
      isAdmitted: false,
      isSigningIn: false,
      payeeId: undefined,
      filePlace: undefined,
      input: undefined,
      explain: undefined,
      answer: undefined,
    };
    request.edge = state;
    return state;
  };
}

/** Makes the step that sets the headers that every answer has. */
export function beginning({ needsTls }: Pick<EdgeOptions, 'needsTls'>): Run {
  return ({ reply, sessionId, client }) => {
    reply.header('session-id', sessionId).header('x-content-type-options', 'nosniff');
    // Not to a client that spoke clear text to the proxy (RFC 6797, section 7.2).
    if (needsTls() && client.isSecure !== false) reply.header('strict-transport-security', TRANSPORT_SECURITY);
  };
}

/** Sets the headers of every answer of the API. */
export function beginApi({ reply }: EdgeState): void {
  reply
    .header('api-supported-versions', SUPPORTED_VERSIONS)
    .header('cache-control', 'no-store')
    .header('vary', 'Accept, Authorization');
}

/** Sets the headers of every answer of the portal. */
export function beginPortal({ reply }: EdgeState): void {
  reply.header('cache-control', 'no-store').header('vary', 'Cookie');
}

/**
 * The caller's own session id where it is a UUID, and no card number in the form of one, else a new one. It is in the answer, in
 * every log line and problem, and kept with what the request does.
 */
export function sessionIdOf(sent: unknown): string {
  return typeof sent === 'string' && isUuid(sent) && !containsCardNumber(sent) ? sent : uuidV4();
}

/**
 * Makes the step that refuses what could be read in two ways, or by two readers differently (RFC 9112, sections 3.2 and 11.2),
 * and what a sandbox does not answer to.
 */
export function refusingBadFraming({ checkHost }: Pick<EdgeOptions, 'checkHost'>): Run {
  return ({ request, clientFault }) => {
    const { host } = request.headers;
    const refusal = checkFraming(request.raw) ?? checkExpectation(request) ?? clientFault ?? checkHost?.(host);
    if (refusal !== undefined) throw refusal;
  };
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

/** Version, trace id, parent id, flags. What a later version adds comes behind them, after a further hyphen. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/**
 * Takes a trace over from a `traceparent` header (W3C Trace Context, section 3.2). One that is absent or malformed is no
 * trace, and never a reason to refuse a request. A header of a later version is read as far as we know it (section 4.3).
 * A header that came twice is joined by the parser, and so malformed.
 *
 * `tracestate` is not taken over: it is text of other systems, which has no business at an issuer.
 */
export function readTraceparent(header: string | readonly string[] | undefined): Trace | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', parentId = '', flags = '', more] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || version === 'ff') return undefined;
  if (version === '00' && more !== undefined) return undefined;
  if (isZero(traceId) || isZero(parentId)) return undefined;
  return { traceId, spanId: newSpanId(), isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** An id of zeros is none. */
function isZero(hex: string): boolean {
  return /^0+$/.test(hex);
}
