import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import type { Caller } from '../kit/caller.ts';
import { notFound, Refusal } from '../kit/errors.ts';
import { type Admission, createAdmission, refuseBadFraming, sessionIdOf } from './admission.ts';
import { closeConnectionsOnStop } from './closing.ts';
import type { EdgeOptions } from './edge.types.ts';
import { inviteBody, takeOverExpectations } from './expect.ts';
import { EdgeRefusal, systemError, toProblem } from './problem.ts';
import { concealUnknown, payeeOf, type Receive, receiver } from './reception.ts';
import type { ApiRoute, EdgeRequest, OpenRoute } from './route.types.ts';
import { withoutIds } from './schemas.ts';

/** The value of `api-supported-versions`, the newest first. */
export const SUPPORTED_VERSIONS = '3.1/3.0/2.0';

/** What the edge knows of a request while it is under way. */
interface EdgeState {
  readonly sessionId: string;
  /** The route's template. */
  readonly route: string;
  readonly api: ApiRoute | undefined;
  caller: Caller | undefined;
  input: EdgeRequest | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    edge: EdgeState | null;
  }
}

/** Addresses below these belong to the API: a caller must be known before they say anything, even 404. */
const API_PREFIX = /^\/(online|psp|api)(\/|\?|$)/i;

/**
 * Puts the edge before the routes: every request passes the same steps in the same order, and every refusal leaves as
 * problem details. Fastify's own parsing and validation are not used: they would judge a body before its sender.
 */
export function registerEdge(app: FastifyInstance, options: EdgeOptions): EdgeRegistry {
  const admission = createAdmission(options);
  const paths = findMyWay({ caseSensitive: false, maxParamLength: 4096 });
  const methods = new Map<string, string[]>();

  takeOverExpectations(app.server);
  closeConnectionsOnStop(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setValidatorCompiler(() => () => true);
  app.decorateRequest('edge', null);
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, options));
  app.addHook('onResponse', (request, reply, done) => {
    observe(request, reply, options);
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

  // In a hook and not in the handler: before that, Fastify would judge the body of somebody who is not known yet.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) settle(() => refuseUnrouted(request, reply), done);
    else done();
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });

  async function refuseUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const state = begin(request, reply, undefined);
    refuseBadFraming(request);
    if (API_PREFIX.test(request.url)) {
      state.caller = await admission.authenticate(request);
      admission.countRequest(state.caller, request, reply);
    }
    const allowed = paths.find('GET', request.url.split('?', 1)[0] ?? '/')?.store as string[] | undefined;
    if (allowed === undefined) throw notFound();
    throw new EdgeRefusal('methodnotallowed', 'This address does not have that method; see Allow.', {
      headers: { allow: allowed.join(', ') },
    });
  }

  return {
    addApiRoute: (route) => {
      remember(route.method, route.path);
      addApiRoute(app, route, { admission, receive: receiver(route, options) });
    },
    addOpenRoute: (route) => {
      remember(route.method, route.path);
      addOpenRoute(app, route);
    },
  };
}

export interface EdgeRegistry {
  addApiRoute(route: ApiRoute): void;
  addOpenRoute(route: OpenRoute): void;
}

function begin(request: FastifyRequest, reply: FastifyReply, route: ApiRoute | OpenRoute | undefined): EdgeState {
  const api = route !== undefined && 'shape' in route ? route : undefined;
  const state: EdgeState = {
    sessionId: sessionIdOf(request),
    route: route?.path ?? 'unknown',
    api,
    caller: undefined,
    input: undefined,
  };
  request.edge = state;
  reply.header('session-id', state.sessionId).header('x-content-type-options', 'nosniff');
  if (api !== undefined || API_PREFIX.test(request.url)) {
    reply
      .header('api-supported-versions', SUPPORTED_VERSIONS)
      .header('cache-control', 'no-store')
      .header('vary', 'Accept, Authorization');
  }
  return state;
}

interface ApiParts {
  readonly admission: Admission;
  readonly receive: Receive;
}

function addApiRoute(app: FastifyInstance, route: ApiRoute, { admission, receive }: ApiParts): void {
  const admit = (state: EdgeState, caller: Caller, request: FastifyRequest, reply: FastifyReply): void => {
    state.caller = caller;
    admission.countRequest(caller, request, reply);
    admission.checkScope(caller, route);
    inviteBody(request, reply);
  };
  app.route({
    method: route.method,
    url: route.path,
    schema: { response: { 200: withoutIds(route.shape.answer) } },
    onRequest: (request, reply, done) => {
      const state = begin(request, reply, route);
      settle(() => {
        refuseBadFraming(request);
        const caller = admission.authenticate(request);
        if (caller instanceof Promise) return caller.then((known) => admit(state, known, request, reply));
        return admit(state, caller, request, reply);
      }, done);
    },
    preValidation: (request, reply, done) => {
      const state = stateOf(request);
      settle(() => {
        const { caller, sessionId } = state;
        if (caller === undefined) throw systemError(new Error('a route was reached by nobody'));
        const input = receive({ request, caller, sessionId }, reply);
        if (input instanceof Promise) {
          return input.then((read) => {
            state.input = read;
          });
        }
        state.input = input;
        return undefined;
      }, done);
    },
    handler: (request) => route.handle(stateOf(request).input as EdgeRequest),
  });
}

/** Runs a step that may be synchronous, and tells Fastify in the same tick where it is. */
function settle(step: () => undefined | void | Promise<void>, done: (error?: Error) => void): void {
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

function addOpenRoute(app: FastifyInstance, route: OpenRoute): void {
  app.route({
    method: route.method,
    url: route.path,
    onRequest: (request, reply, done) => {
      begin(request, reply, route);
      settle(() => {
        refuseBadFraming(request);
        inviteBody(request, reply);
      }, done);
    },
    handler: async (request, reply) => {
      const answer = await route.handle({
        params: request.params as Record<string, string>,
        headers: request.headers,
        body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
        remoteAddress: request.ip,
        sessionId: stateOf(request).sessionId,
      });
      reply.code(answer.status).headers(answer.headers).serializer(String);
      if (Buffer.isBuffer(answer.body)) reply.serializer((body: Buffer) => body as unknown as string);
      return reply.send(answer.body);
    },
  });
}

async function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: EdgeOptions,
): Promise<void> {
  const refusal = await refusalOf(error, request);
  const { sessionId } = request.edge ?? begin(request, reply, undefined);
  const problem = toProblem(refusal, options.baseUrl(), sessionId);
  if (problem.status >= 500) options.log.error({ sessionId, err: refusal.cause ?? refusal }, refusal.code);
  if (problem.status === 400 && request.edge?.caller === undefined) reply.header('connection', 'close');
  reply.code(problem.status).headers(problem.headers).serializer(String).send(problem.body);
}

/** Fastify's own complaints about a body come before our step could hide that its object does not exist. */
async function refusalOf(error: unknown, request: FastifyRequest): Promise<Refusal> {
  if (error instanceof Refusal) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const refusal = typeof code === 'string' ? FASTIFY_REFUSALS[code]?.() : undefined;
  if (refusal === undefined) return systemError(error);
  const { api, caller } = request.edge ?? {};
  if (api === undefined || caller === undefined) return refusal;
  try {
    return await concealUnknown(refusal, request, api, payeeOf(caller, request.params as Record<string, string>));
  } catch (concealed) {
    return concealed instanceof Refusal ? concealed : systemError(concealed);
  }
}

const FASTIFY_REFUSALS: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Refusal('unsupportedmediatype', 'The Content-Type is malformed.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal('payloadtoolarge', 'The body is larger than 64 KiB.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Refusal('inputerror', 'The request breaks the rules of its input; see problems.', {
      problems: [{ name: 'Content-Length', description: 'must be the number of bytes in the body' }],
    }),
  FST_ERR_BAD_URL: () =>
    new Refusal('inputerror', 'The request breaks the rules of its input; see problems.', {
      problems: [{ name: 'path', description: 'must be well percent-encoded' }],
    }),
};

function observe(request: FastifyRequest, reply: FastifyReply, { observe: count, log }: EdgeOptions): void {
  const { sessionId, route = 'unknown', caller } = request.edge ?? {};
  const milliseconds = reply.elapsedTime;
  count({ method: request.method, route, status: reply.statusCode, seconds: milliseconds / 1000 });
  log.info(
    {
      sessionId,
      method: request.method,
      route,
      status: reply.statusCode,
      milliseconds: Math.round(milliseconds * 100) / 100,
      ...(caller && { payeeId: caller.payeeId, credential: caller.credential }),
    },
    'request',
  );
}
