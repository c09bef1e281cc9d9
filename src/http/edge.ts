import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import type { Caller } from '../kit/caller.ts';
import { notFound } from '../kit/errors.ts';
import { type Admission, createAdmission } from './admission.ts';
import { API_PREFIX, type Arrive, arrival, refuseBadFraming } from './arrive.ts';
import { isLocal } from './client-address.ts';
import { closeConnectionsOnStop } from './closing.ts';
import type { EdgeOptions, EdgeState } from './edge.types.ts';
import { inviteBody, takeOverExpectations } from './expect.ts';
import { createSignatureStep, refuseEncodedSeparator, type SignatureStep, UsedNonce } from './hmac-step.ts';
import { noteCall } from './note-call.ts';
import { addPortalRoute } from './portal-edge.ts';
import type { AnyPortalRoute } from './portal-route.types.ts';
import { systemError } from './problem.ts';
import { type Receive, receiver } from './reception.ts';
import type { ApiRoute, EdgeRequest, OpenRequest, OpenRoute, Signature } from './route.types.ts';
import { withoutIds } from './schemas.ts';
import { sendOpen } from './send-open.ts';
import { type MethodsAt, methodNotAllowed, sendProblem } from './send-problem.ts';
import { whenKnown } from './when-known.ts';

/** Addresses below this one are signed, also those that lead nowhere. */
const SIGNED_PREFIX = /^\/api\/payments(\/|\?|$)/i;

/**
 * Puts the edge before the routes: every request passes the same steps in the same order, and every refusal leaves as
 * problem details. Fastify's own parsing and validation are not used: they would judge a body before its sender.
 */
export function registerEdge(app: FastifyInstance, options: EdgeOptions): EdgeRegistry {
  const admission = createAdmission(options);
  const arrive = arrival(options);
  const signatures = createSignatureStep(options, admission);
  const paths = findMyWay({ caseSensitive: false, maxParamLength: 4096 });
  const methods = new Map<string, string[]>();

  takeOverExpectations(app.server);
  closeConnectionsOnStop(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setValidatorCompiler(() => () => true);
  app.decorateRequest('edge', null);
  app.decorateRequest('visitor', null);
  const methodsAt: MethodsAt = ({ url }) =>
    paths.find('GET', url.split('?', 1)[0] ?? '/')?.store as string[] | undefined;
  app.setErrorHandler((error, request, reply) =>
    sendProblem({ error, request, reply }, { options, admission, methodsAt, arrive }),
  );
  app.addHook('onResponse', (request, reply, done) => {
    observe(request, reply, options);
    admission.noteRefused(request, reply.statusCode);
    done();
  });

  const remember = (method: string, path: string): void => {
    const known = methods.get(path) ?? [];
    if (known.length === 0) {
      methods.set(path, known);
      paths.on('GET', path, () => undefined, known);
    }
    known.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
  };

  addUnrouted(app, { admission, signatures, methodsAt, arrive });

  return {
    addApiRoute: (route) => {
      remember(route.method, route.path);
      addApiRoute(app, route, { admission, signatures, arrive, receive: receiver(route, options) });
    },
    addOpenRoute: (route) => {
      remember(route.method, route.path);
      addOpenRoute(app, route, { admission, arrive });
    },
    addPortalRoute: (route) => {
      remember(route.method, route.path);
      addPortalRoute(app, route, { options, admission, arrive });
    },
  };
}

export interface EdgeRegistry {
  addApiRoute(route: ApiRoute): void;
  addOpenRoute(route: OpenRoute): void;
  addPortalRoute(route: AnyPortalRoute): void;
}

interface Identification {
  readonly arrive: Arrive;
  readonly admission: Admission;
  readonly signatures: SignatureStep;
}

interface UnroutedParts extends Identification {
  readonly methodsAt: MethodsAt;
}

/** Answers what no route takes: 405 where the address has other methods, else 404, and before that 401 in the API. */
function addUnrouted(app: FastifyInstance, { admission, signatures, methodsAt, arrive }: UnroutedParts): void {
  const refuseAddress = (request: FastifyRequest): never => {
    const allowed = methodsAt(request);
    throw allowed === undefined ? notFound() : methodNotAllowed(allowed);
  };
  const meet = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const state = arrive(request, reply, undefined);
    const isSigned = SIGNED_PREFIX.test(request.url);
    refuseBadFraming(request);
    if (isSigned) refuseEncodedSeparator(request);
    if (!API_PREFIX.test(request.url)) refuseAddress(request);
    const caller = await admission.authenticate(request);
    state.caller = caller;
    if (isSigned) {
      await signatures.requireHeader(request, caller);
      inviteBody(request, reply);
      return;
    }
    admission.countRequest(caller, request, reply);
    refuseAddress(request);
  };
  // In a hook and not in the handler: before that, Fastify would judge the body of somebody who is not known yet.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) settle(() => meet(request, reply), done);
    else done();
  });
  // Only requests to signed addresses come as far as this, because their signature covers the body.
  app.setNotFoundHandler(async (request, reply) => {
    const caller = callerOf(request);
    await signatures.verify(request, caller);
    admission.countRequest(caller, request, reply);
    refuseAddress(request);
  });
}

interface ApiParts extends Identification {
  readonly receive: Receive;
}

/** What a route of the API needs to know of one request under way. */
interface Exchange {
  readonly state: EdgeState;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function addApiRoute(app: FastifyInstance, route: ApiRoute, parts: ApiParts): void {
  const { admission, signatures, arrive, receive } = parts;
  const admit = ({ state, request, reply }: Exchange, caller: Caller): void => {
    admission.countRequest(caller, request, reply);
    admission.checkScope(caller, route);
    state.isAdmitted = true;
  };
  const welcome = (exchange: Exchange, caller: Caller): void | Promise<void> => {
    const { state, request, reply } = exchange;
    state.caller = caller;
    // Whether a signed request is admitted is decided by its signature first, and that needs the body.
    const later = route.signed ? signatures.requireHeader(request, caller) : admit(exchange, caller);
    return whenKnown(later, () => inviteBody(request, reply));
  };
  const take = ({ state, request, reply }: Exchange, signature: Signature | undefined): void | Promise<void> => {
    const { sessionId, trace, isAdmitted } = state;
    if (!isAdmitted) throw systemError(new Error('a route was reached without admission'));
    const received = { request, caller: callerOf(request), sessionId, trace, signature };
    return whenKnown(receive(received, reply), (input) => {
      state.input = input;
    });
  };
  const takeSigned = (exchange: Exchange): void | Promise<void> => {
    const caller = callerOf(exchange.request);
    return whenKnown(signatures.verify(exchange.request, caller), (signature) => {
      admit(exchange, caller);
      return take(exchange, signature);
    });
  };
  app.route({
    method: route.method,
    url: route.path,
    schema: { response: { 200: withoutIds(route.shape.answer) } },
    onRequest: (request, reply, done) => {
      const state = arrive(request, reply, route);
      settle(() => {
        refuseBadFraming(request);
        if (route.signed) refuseEncodedSeparator(request);
        return whenKnown(admission.authenticate(request), (caller) => welcome({ state, request, reply }, caller));
      }, done);
    },
    preValidation: (request, reply, done) => {
      const exchange = { state: stateOf(request), request, reply };
      settle(() => (route.signed ? takeSigned(exchange) : take(exchange, undefined)), done);
    },
    handler: async (request) => {
      const state = stateOf(request);
      try {
        const answer = await route.handle(state.input as EdgeRequest);
        state.answer = answer;
        return answer;
      } catch (error) {
        if (error instanceof UsedNonce) return signatures.refuseUsedNonce(request, callerOf(request));
        throw error;
      }
    },
  });
}

/** Runs a step that may be synchronous, and tells Fastify in the same tick where it is. */
function settle(step: () => void | Promise<void>, done: (error?: Error) => void): void {
  try {
    const later = step();
    if (later === undefined) done();
    else later.then(() => done(), done);
  } catch (error) {
    done(error as Error);
  }
}

function stateOf(request: FastifyRequest): EdgeState {
  if (request.edge === null) throw systemError(new Error('the edge did not see this request'));
  return request.edge;
}

function callerOf(request: FastifyRequest): Caller {
  const { caller } = stateOf(request);
  if (caller === undefined) throw systemError(new Error('a route was reached by nobody'));
  return caller;
}

function addOpenRoute(
  app: FastifyInstance,
  route: OpenRoute,
  { admission, arrive }: Pick<Identification, 'admission' | 'arrive'>,
): void {
  app.route({
    method: route.method,
    url: route.path,
    onRequest: (request, reply, done) => {
      const state = arrive(request, reply, route);
      settle(() => {
        refuseBadFraming(request);
        if (route.limit !== undefined) admission.meetStranger(request, route.limit);
        state.isAdmitted = true;
        inviteBody(request, reply);
      }, done);
    },
    handler: async (request, reply) => {
      const state = stateOf(request);
      const received: OpenRequest = {
        params: request.params as Record<string, string>,
        query: request.query as Record<string, string | string[]>,
        headers: request.headers,
        body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
        remoteAddress: state.client.address,
        isLocal: !state.client.isProxied && isLocal(request.raw),
        sessionId: state.sessionId,
      };
      state.explain = (status) => route.explain?.(received, status);
      return sendOpen(request, reply, await route.handle(received));
    },
  });
}

function observe(request: FastifyRequest, reply: FastifyReply, { observe: count, calls, log }: EdgeOptions): void {
  const { sessionId, trace, route = 'unknown', caller, client } = request.edge ?? {};
  const milliseconds = reply.elapsedTime;
  if (calls !== undefined) noteCall(request, reply, calls);
  count({ method: request.method, route, status: reply.statusCode, seconds: milliseconds / 1000 });
  log.info(
    {
      // Members that are undefined are left out of the line.
      sessionId,
      traceId: trace?.traceId,
      spanId: trace?.spanId,
      method: request.method,
      route,
      status: reply.statusCode,
      milliseconds: Math.round(milliseconds * 100) / 100,
      payeeId: caller?.payeeId,
      credential: caller?.credential,
      address: client?.address,
    },
    'request',
  );
}
