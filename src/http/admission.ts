import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../kit/caller.ts';
import { forbidden, Refusal } from '../kit/errors.ts';
import { OPERATOR } from '../kit/ids.ts';
import { networkOf } from '../kit/network.ts';
import type { Proof } from '../kit/refused-caller.ts';
import { addressOf } from './arrive.ts';
import { bearerToken, invalidToken, missingScope, missingToken } from './bearer.ts';
import { isLoopbackAddress } from './client-address.ts';
import type { EdgeOptions } from './edge.types.ts';
import { EdgeRefusal } from './problem.ts';
import type { RateDecision } from './rate-limit.ts';
import type { ApiRoute, StrangerLimit } from './route.types.ts';

/**
 * The steps that a request to the API passes before its body is read, in this order: framing (400), who it is
 * (401, or 429 after too many failures), how often they ask (429), whether they may (403). Each refuses by throwing.
 */
export interface Admission {
  /** Finds out who calls. Synchronous where the answer is cached: most requests wait for nothing. */
  authenticate(request: FastifyRequest): Caller | Promise<Caller>;
  /** Notes and counts a wrong credential, and throws its refusal, or 429 where there were too many. */
  refuseCaller(request: FastifyRequest, refusal: Refusal, proof: Proof): never;
  countRequest(caller: Caller, request: FastifyRequest, reply: FastifyReply): void;
  checkScope(caller: Caller, route: ApiRoute): void;
  /** Counts a request that needs no credential, before its body is read. */
  meetStranger(request: FastifyRequest, limit: StrangerLimit): void;
  /** Counts what a stranger who wants to become known was refused. */
  noteRefused(request: FastifyRequest, status: number): void;
}

/** Makes the steps of admission from look-ups and limits. */
export function createAdmission({
  findCaller,
  portal,
  requests,
  failures,
  pages,
  signIns,
  exemptLoopback,
  now,
  noteRefused,
}: EdgeOptions): Admission {
  const exempt = (request: FastifyRequest): boolean => exemptLoopback && isLoopbackAddress(addressOf(request));

  const refuseCaller: Admission['refuseCaller'] = (request, refusal, proof) => {
    const { edge } = request;
    if (edge !== null) noteRefused({ address: edge.client.address, sessionId: edge.sessionId, proof });
    if (exempt(request)) throw refusal;
    const decision = failures.take(networkOf(addressOf(request)), now());
    throw decision.allowed ? refusal : tooMany(decision);
  };

  return {
    refuseCaller,

    authenticate(request) {
      const { authorization } = request.headers;
      if (authorization === undefined) return refuseCaller(request, missingToken(), { kind: 'nothing' });
      const accessToken = bearerToken(authorization);
      const refuse = () => refuseCaller(request, invalidToken(), { kind: 'access-token', accessToken });
      if (accessToken === undefined) return refuse();
      const found = findCaller(accessToken);
      if (found instanceof Promise) return found.then((caller) => caller ?? refuse());
      return found ?? refuse();
    },

    countRequest(caller, request, reply) {
      if (exempt(request)) return;
      const decision = requests.take(caller.credential, now());
      if (decision.policy === undefined) return;
      if (!decision.allowed) throw tooMany(decision);
      reply.header('ratelimit-policy', decision.policy).header('ratelimit', decision.state);
    },

    meetStranger(request, limit) {
      if (limit === 'sign-in' && request.edge !== null) request.edge.isSigningIn = true;
      if (exempt(request)) return;
      const network = networkOf(addressOf(request));
      if (limit === 'sign-in') refuseSpent(failures.look(network, now()));
      refuseSpent((limit === 'page' ? pages : signIns).take(network, now()));
    },

    noteRefused(request, status) {
      const isRefused = status >= 400 && status < 500 && status !== 429;
      if (!isRefused || request.edge?.isSigningIn !== true || exempt(request)) return;
      failures.take(networkOf(addressOf(request)), now());
    },

    checkScope(caller, route) {
      const { scope, otherScopes = [] } = route;
      if (![scope, ...otherScopes].some((one) => caller.scopes.has(one))) throw missingScope(scope);
      if (caller.person !== undefined && !portal.mayCall(route.operationId, caller.person)) {
        throw forbidden('role', 'Your role does not allow this.');
      }
      if (caller.payeeId === OPERATOR && !route.path.includes('/:payeeId')) {
        throw new Refusal('forbidden', "An operator's credential works only where the address names a payee.");
      }
    },
  };
}

function refuseSpent(decision: RateDecision): void {
  if (!decision.allowed) throw tooMany(decision);
}

function tooMany(decision: RateDecision): Refusal {
  return new EdgeRefusal('toomanyrequests', 'The limit of requests is reached; wait before the next one.', {
    headers: { 'ratelimit-policy': decision.policy ?? '', ratelimit: decision.state ?? '' },
    retryAfterSeconds: decision.retryAfterSeconds,
  });
}
