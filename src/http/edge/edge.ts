import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import { withoutQuery } from '../../kit/addresses/address.ts';
import { URL_CHARACTERS } from '../../kit/limits.ts';
import { libertiesAt } from '../body/understand.ts';
import { answerWriter } from '../body/write-answer.ts';
import { systemError } from '../document/problem.ts';
import { createSignatureStep } from '../signing/hmac-step.ts';
import { createAdmission } from './admission.ts';
import { type Arrive, arrival } from './arrive.ts';
import type {
  ApiAddresses,
  Checks,
  EdgeOptions,
  EdgeRoutes,
  EdgeState,
  Kind,
  NowhereKind,
  Served,
} from './edge.types.ts';
import { takeOverExpectations } from './expect.ts';
import { tellingLongBodies, turnsOfLongBodies } from './long-bodies.ts';
import { noteCall } from './note-call.ts';
import { checksOf } from './reception.ts';
import { standInForFunction } from './router-functions.ts';
import { type MethodsAt, sendProblem } from './send-problem.ts';
import { listSteps, type Way, walk, waysOf } from './steps.ts';

/**
 * Puts the edge before the routes: every request passes the steps of its kind (`steps.ts`), and every refusal leaves as
 * problem details. Fastify's own parsing and validation are not used: they would judge a body before its sender.
 */
export function registerEdge(app: FastifyInstance, options: EdgeOptions, routes: EdgeRoutes): void {
  standInForFunction();
  const served = serveAll(routes, options);
  const methodsAt = methodsOf(served);
  const admission = createAdmission(options);
  const signatures = createSignatureStep(options, admission);
  const steps = listSteps({ options, admission, signatures, methodsAt });
  const arrive = arrival(options);
  const nowhere = nowhereOf(routes.addresses);
  const enter = (request: FastifyRequest, reply: FastifyReply) => arrive(request, reply, nowhere(request.url));

  takeOverExpectations(app.server);
  // As GET: no body is read, whatever Content-Type says.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  app.removeAllContentTypeParsers();
  // Fastify remembers the parser of a type that is named, and looks for that of any other anew each time.
  app.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.setValidatorCompiler(() => () => true);
  app.decorateRequest('edge', null);
  app.setErrorHandler((error, request, reply) => {
    const edge = request.edge ?? enter(request, reply);
    return sendProblem(edge, error, { options, admission, methodsAt });
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { edge } = request;
    observe(request, reply, options);
    if (edge !== null) overwriteBody(edge);
    if (edge !== null) admission.noteRefused(edge, reply.statusCode);
    done();
  });
  const ways = waysOf(steps);
  // In a hook and not in the handler: before that, Fastify would judge the body of a caller who is not known yet.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const edge = enter(request, reply);
    await walk(ways[edge.served.kind].before, edge);
  });
  const finish = finishing();
  app.setNotFoundHandler((request, reply) => finish(request, reply, ways[edgeOf(request).served.kind]));
  for (const one of served) addRoute(app, one, { way: ways[one.kind], arrive, finish });
}

/** Adds a route to Fastify, which finds it by its address and reads its body. */
function addRoute(
  app: FastifyInstance,
  served: Served<RoutedKind>,
  { way, arrive, finish }: { way: Way; arrive: Arrive; finish: Finish },
): void {
  const { route } = served;
  app.route({
    method: route.method,
    url: route.path,
    ...(served.bodyBytes !== undefined && { bodyLimit: served.bodyBytes }),
    onRequest: (request, reply) => walk(way.before, arrive(request, reply, served)),
    handler: (request, reply) => finish(request, reply, way),
  });
}

type Finish = (request: FastifyRequest, reply: FastifyReply, way: Way) => void;

/** The steps after the body is there. An error goes to where all go; an answer has been sent by the last step. */
function finishing(): Finish {
  const isLong = tellingLongBodies();
  const takeTurn = turnsOfLongBodies();
  return (request, reply, { after }) => {
    const edge = edgeOf(request);
    const refuse = (error: unknown) => void reply.send(error instanceof Error ? error : systemError(error));
    const go = () => walk(after, edge).catch(refuse);
    if (isLong(edge)) takeTurn(edge, go).catch(refuse);
    else void go();
  };
}

function edgeOf({ edge }: FastifyRequest): EdgeState {
  if (edge === null) throw systemError(new Error('the edge did not see this request'));
  return edge;
}

type RoutedKind = Exclude<Kind, NowhereKind>;

/** All routes, each with its kind and its checks. */
function serveAll({ apiRoutes, openRoutes, portalRoutes }: EdgeRoutes, { compile }: EdgeOptions): Served<RoutedKind>[] {
  return [
    ...openRoutes.map((route) => serve('open', route, NO_CHECKS)),
    ...apiRoutes.map((route) =>
      serve(route.signed ? 'signed' : 'api', route, checksOf(route.shape, compile, libertiesAt(route.path))),
    ),
    ...portalRoutes.map((route) => serve(route.isOpen ? 'sign-in' : 'portal', route, checksOf(route.shape, compile))),
  ];
}

const NO_CHECKS: Checks = { params: () => [], query: () => [], body: undefined };

function serve<K extends RoutedKind>(kind: K, route: Served<K>['route'], checks: Checks): Served<K> {
  const answer = 'shape' in route ? route.shape.answer : undefined;
  return {
    kind,
    route,
    path: route.path,
    api: 'scope' in route ? route : undefined,
    checks,
    bodyBytes: bodyBytesOf(route),
    write: answer && answerWriter(answer),
  };
}

function bodyBytesOf(route: Served<RoutedKind>['route']): number | undefined {
  if ('fileBytes' in route) return route.fileBytes;
  return 'bodyBytes' in route ? route.bodyBytes : undefined;
}

/** What takes a request that no route takes, by its address. */
function nowhereOf({ prefixes, signed }: ApiAddresses): (url: string) => Served<NowhereKind> {
  const below = (paths: readonly string[]) => new RegExp(`^(${paths.join('|')})(/|\\?|$)`, 'i');
  const [isApi, isSigned] = [below(prefixes), below([signed])];
  const lost = (kind: NowhereKind): Served<NowhereKind> => {
    return {
      kind,
      route: undefined,
      path: 'unknown',
      api: undefined,
      checks: NO_CHECKS,
      bodyBytes: undefined,
      write: undefined,
    };
  };
  const [api, signedOne, other] = [lost('api-nowhere'), lost('signed-nowhere'), lost('nowhere')];
  return (url) => {
    if (!isApi.test(url)) return other;
    return isSigned.test(url) ? signedOne : api;
  };
}

/** Finds the methods of an address. */
function methodsOf(served: readonly Served<RoutedKind>[]): MethodsAt {
  const paths = findMyWay({ maxParamLength: URL_CHARACTERS });
  const methods = new Map<string, string[]>();
  for (const { route, path } of served) {
    const known = methods.get(path) ?? [];
    if (known.length === 0) {
      methods.set(path, known);
      paths.on('GET', path, () => undefined, known);
    }
    known.push(...(route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
  }
  return ({ url }) => paths.find('GET', withoutQuery(url))?.store as string[] | undefined;
}

/**
 * A body may have card data in it (PCI DSS 4.0.1, 3.3.1): once it was read, its bytes go. The log of calls reads the bytes of one that was not.
 */
function overwriteBody({ request, input, filePlace }: EdgeState): void {
  // A file is read on after its sender has gone away: its place overwrites it.
  if (filePlace !== undefined) return;
  if (input !== undefined) (request.body as Buffer | undefined)?.fill(0);
}

function observe(
  request: FastifyRequest,
  reply: FastifyReply,
  { observe: count, calls, tellRequest }: EdgeOptions,
): void {
  const { edge, method } = request;
  const { statusCode: status, elapsedTime: milliseconds } = reply;
  const route = edge?.served.path ?? 'unknown';
  if (edge !== null && calls !== undefined) noteCall(edge, calls);
  count({ method, route, status, seconds: milliseconds / 1000 });
  tellRequest({
    method,
    route,
    status,
    milliseconds,
    sessionId: edge?.sessionId,
    trace: edge?.trace,
    caller: edge?.caller,
    address: edge?.client.address,
  });
}
