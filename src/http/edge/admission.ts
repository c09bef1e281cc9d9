import { networkOf } from '../../kit/addresses/network.ts';
import { type Caller, nameOfActor } from '../../kit/caller.ts';
import { forbidden, Refusal } from '../../kit/errors.ts';
import { OPERATOR } from '../../kit/ids.ts';
import type { Proof } from '../../kit/refused-caller.ts';
import { EdgeRefusal, systemError } from '../document/problem.ts';
import type { ApiRoute, StrangerLimit } from '../route.types.ts';
import { bearerToken, invalidToken, missingScope, missingToken } from './bearer.ts';
import { isLoopbackAddress } from './client-address.ts';
import type { EdgeOptions, EdgeState } from './edge.types.ts';
import type { RateDecision } from './rate-limit.ts';

/** Who calls, how often they ask, and whether they may. Each step refuses by throwing. */
export interface Admission {
  /** Finds out who calls by access token. Synchronous where the answer is cached: most requests wait for nothing. */
  authenticate(edge: EdgeState): void | Promise<void>;
  /** Notes and counts a wrong credential, and throws its refusal, or 429 where there were too many. */
  refuseCaller(edge: EdgeState, refusal: Refusal, proof: Proof): never;
  countRequest(edge: EdgeState): void;
  checkScope(edge: EdgeState, route: ApiRoute): void;
  /** Counts a request that needs no credential, before its body is read. */
  meetStranger(edge: EdgeState, limit: StrangerLimit): void;
  /** Counts what a stranger who wants to become known was refused. */
  noteRefused(edge: EdgeState, status: number): void;
}

/** Makes the steps of admission from look-ups and limits. */
export function createAdmission({
  findCaller,
  portal,
  requests,
  failures,
  pages,
  signIns,
  underWay,
  exemptLoopback,
  now,
  noteRefused,
}: EdgeOptions): Admission {
  const exempt = ({ client }: EdgeState): boolean => exemptLoopback && isLoopbackAddress(client.address);

  const refuseCaller: Admission['refuseCaller'] = (edge, refusal, proof) => {
    const { client, sessionId } = edge;
    noteRefused({ address: client.address, sessionId, proof });
    if (exempt(edge)) throw refusal;
    const decision = failures.take(networkOf(client.address), now());
    throw decision.allowed ? refusal : tooMany(decision);
  };

  return {
    refuseCaller,
    authenticate(edge) {
      const { authorization } = edge.request.headers;
      if (authorization === undefined) return refuseCaller(edge, missingToken(), { kind: 'nothing' });
      const accessToken = bearerToken(authorization);
      const know = (caller: Caller | undefined): void => {
        if (caller === undefined) refuseCaller(edge, invalidToken(), { kind: 'access-token', accessToken });
        edge.caller = caller;
      };
      if (accessToken === undefined) return know(undefined);
      const found = findCaller(accessToken);
      return found instanceof Promise ? found.then(know) : know(found);
    },
    countRequest(edge) {
      const credential = nameOfActor(callerOf(edge).credential);
      underWay.identify(edge, credential);
      if (exempt(edge)) return;
      const decision = requests.take(credential, now());
      if (decision.policy === undefined) return;
      if (!decision.allowed) throw tooMany(decision);
      edge.reply.header('ratelimit-policy', decision.policy).header('ratelimit', decision.state);
    },
    meetStranger(edge, limit) {
      if (limit === 'sign-in') edge.isSigningIn = true;
      if (exempt(edge)) return;
      const network = networkOf(edge.client.address);
      if (limit === 'sign-in') refuseSpent(failures.look(network, now()));
      refuseSpent((limit === 'page' ? pages : signIns).take(network, now()));
    },
    noteRefused(edge, status) {
      const isRefused = status >= 400 && status < 500 && status !== 429;
      if (!isRefused || !edge.isSigningIn || exempt(edge)) return;
      failures.take(networkOf(edge.client.address), now());
    },
    checkScope(edge, route) {
      const caller = callerOf(edge);
      refuseStopped(caller, route);
      const { scope, otherScopes } = route;
      const isGranted = caller.scopes.has(scope) || otherScopes?.some((one) => caller.scopes.has(one));
      if (!isGranted) throw missingScope(scope);
      if (caller.person !== undefined && !portal.mayCall(route.operationId, caller.person)) {
        throw forbidden('role', 'Your role does not allow this.');
      }
      if (caller.payeeId === OPERATOR && !route.path.includes('/:payeeId')) {
        throw new Refusal('forbidden', "An operator's credential works only where the address names a payee.");
      }
    },
  };
}

/** Who calls, for the steps after the one that finds them. */
export function callerOf({ caller }: EdgeState): Caller {
  if (caller === undefined) throw systemError(new Error('a step was reached without a caller'));
  return caller;
}

/** Of a payee that is stopped nothing is taken, or only what brings to its end what was begun. */
function refuseStopped({ stopped }: Caller, { method, followsUp }: ApiRoute): void {
  if (stopped === undefined) return;
  if (stopped !== 'FollowUpsOnly') {
    throw forbidden('payee', 'The operator has stopped this payee: nothing is done for it. Ask the operator.');
  }
  if (method === 'GET' || followsUp) return;
  throw forbidden(
    'payee',
    'The operator has stopped this payee: it can read, capture, cancel and give back, and nothing else. Ask the operator.',
  );
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
