import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../kit/caller.ts';
import { forbidden, Refusal } from '../kit/errors.ts';
import { OPERATOR } from '../kit/ids.ts';
import { networkOf } from '../kit/network.ts';
import { addressOf } from './arrive.ts';
import { bearerToken, invalidToken, missingScope, missingToken } from './bearer.ts';
import { isLoopbackAddress } from './client-address.ts';
import type { EdgeOptions } from './edge.types.ts';
import { EdgeRefusal } from './problem.ts';
import type { RateDecision } from './rate-limit.ts';
import type { ApiRoute } from './route.types.ts';

/**
 * The steps that a request to the API passes before its body is read, in this order: framing (400), who it is
 * (401, or 429 after too many failures), how often they ask (429), whether they may (403). Each refuses by throwing.
 */
export interface Admission {
  /** Finds out who calls. Synchronous where the answer is cached: most requests wait for nothing. */
  authenticate(request: FastifyRequest): Caller | Promise<Caller>;
  /** Throws the refusal of a wrong credential and counts it, or 429 where there were too many. */
  refuseCaller(request: FastifyRequest, refusal: Refusal): never;
  countRequest(caller: Caller, request: FastifyRequest, reply: FastifyReply): void;
  checkScope(caller: Caller, route: ApiRoute): void;
}

/** Makes the steps of admission from look-ups and limits. */
export function createAdmission({
  findCaller,
  portal,
  requests,
  failures,
  exemptLoopback,
  now,
}: EdgeOptions): Admission {
  const exempt = (request: FastifyRequest): boolean => exemptLoopback && isLoopbackAddress(addressOf(request));

  const refuseCaller = (request: FastifyRequest, refusal: Refusal): never => {
    if (exempt(request)) throw refusal;
    const decision = failures.take(networkOf(addressOf(request)), now());
    throw decision.allowed ? refusal : tooMany(decision);
  };

  return {
    refuseCaller,

    authenticate(request) {
      const { authorization } = request.headers;
      if (authorization === undefined) return refuseCaller(request, missingToken());
      const token = bearerToken(authorization);
      if (token === undefined) return refuseCaller(request, invalidToken());
      const found = findCaller(token);
      if (found instanceof Promise) {
        return found.then((caller) => caller ?? refuseCaller(request, invalidToken()));
      }
      return found ?? refuseCaller(request, invalidToken());
    },

    countRequest(caller, request, reply) {
      if (exempt(request)) return;
      const decision = requests.take(caller.credential, now());
      if (decision.policy === undefined) return;
      if (!decision.allowed) throw tooMany(decision);
      reply.header('ratelimit-policy', decision.policy).header('ratelimit', decision.state);
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

function tooMany(decision: RateDecision): Refusal {
  return new EdgeRefusal('toomanyrequests', 'The limit of requests is reached; wait before the next one.', {
    headers: { 'ratelimit-policy': decision.policy ?? '', ratelimit: decision.state ?? '' },
    retryAfterSeconds: decision.retryAfterSeconds,
  });
}
