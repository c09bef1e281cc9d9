import type { Server as HttpServer } from 'node:http';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../config.ts';
import { schemaChecker } from '../http/body/validate.ts';
import { openApiDocument } from '../http/document/openapi.ts';
import { problemPages } from '../http/document/problem-pages.ts';
import { referenceRoutes } from '../http/document/reference.ts';
import { createDownloads } from '../http/downloads.ts';
import { isLoopbackAddress } from '../http/edge/client-address.ts';
import { registerEdge } from '../http/edge/edge.ts';
import type { EdgeOptions, EdgeRoutes, RouteGiven, SignatureOptions } from '../http/edge/edge.types.ts';
import { ownHosts } from '../http/edge/own-hosts.ts';
import { createRateLimit } from '../http/edge/rate-limit.ts';
import { targetReader } from '../http/edge/target.ts';
import { createUnderWay, type UnderWay } from '../http/edge/under-way.ts';
import { answerBadAddress, answerClientError, answerConnect, answerTooMany } from '../http/listening/client-error.ts';
import { createMetricsServer, metricsRoute } from '../http/listening/metrics-server.ts';
import { giveUpOverdue, overdueError } from '../http/listening/overdue.ts';
import { boundPipelines } from '../http/listening/pipelines.ts';
import { boundSockets, surviveLostConnections } from '../http/listening/sockets.ts';
import { type CertificatePair, secureServerOptions } from '../http/listening/tls.ts';
import { homeRoutes } from '../http/pages/home.ts';
import type { OpenRoute } from '../http/route.types.ts';
import { networksTell } from '../kit/addresses/networks.ts';
import {
  BODY_BYTES,
  HANDLER_TIMEOUT_MS,
  HEADER_BYTES,
  HEADERS_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  STALLED_SOCKET_MS,
  URL_CHARACTERS,
} from '../kit/limits.ts';
import type { NoteRefused } from '../kit/refused-caller.ts';
import type { CallSink } from '../kit/work/finished-call.ts';
import type { Traffic } from '../kit/work/traffic.ts';
import { findCaller } from '../merchants/access-tokens/find-caller.ts';
import { findHmacSecret } from '../merchants/hmac-keys/find-hmac-secret.ts';
import type { AccessTokenKey, HmacKeyName } from '../merchants/merchants.types.ts';
import { payeeExists } from '../merchants/payees/which-payee.ts';
import { accessFault } from '../portal-users/access.rules.ts';
import { mayCall } from '../portal-users/api-access.rules.ts';
import { notingVisits } from '../portal-users/note-visit.flow.ts';
import { findSessionEnd, findSignedIn, noteSessionUse } from '../portal-users/sessions/find-signed-in.ts';
import type { Metrics } from './metrics/metrics.ts';
import { API_TAGS, listRoutes, type RouteList } from './routes.ts';
import type { Service } from './service.ts';
import { timeLimitsOf } from './time-limits.ts';

/**
 * How often connections are looked at for the time-outs of headers and requests: Node's own 30 s would let a slow sender
 * live three times as long.
 */
const CONNECTION_CHECK_MS = 2_000;
/** Longer than the idle time-out of the usual proxies (60 s), so that a proxy never writes to a socket we just closed. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Requests on one connection before it is closed, so that load spreads over instances that joined later. */
const REQUESTS_PER_SOCKET = 1_000;
/** Connections that one network may have open: more than any pool of a merchant's, or the browsers behind one address. */
const SOCKETS_PER_NETWORK = 512;
/** Requests of one connection that may wait for each other: browsers and proxies send one at a time, some clients a few. */
const PIPELINED_REQUESTS = 32;
/**
 * Requests that one credential, or one network of callers who are not known, may have under way: what a busy payee has
 * while its acquirer takes seconds to answer.
 */
const REQUESTS_UNDER_WAY = 1_000;

/** Milliseconds that an answer has to begin its way, once a request took as long as it may. */
const ANSWERING_MS = 5_000;

/** What a server is made of. */
export interface ServerOptions {
  readonly config: Config;
  readonly service: Service;
  readonly metrics: Metrics;
  readonly log: FastifyBaseLogger;
  readonly tellRequest: EdgeOptions['tellRequest'];
  readonly tellFailure: EdgeOptions['tellFailure'];
  readonly version: string;
  /** Without a trailing slash; a function, because a free port is known only once listening. */
  readonly baseUrl: () => string;
  readonly isReady: () => Promise<boolean>;
  /** Takes note of an access token's first use of the day; returns at once. */
  readonly noteTokenUse: (token: AccessTokenKey) => void;
  /** The same of an HMAC key. */
  readonly noteKeyUse: (key: HmacKeyName) => void;
  /** Takes who was refused, for the audit trail. */
  readonly noteRefused: NoteRefused;
  /** Where this process speaks TLS itself. */
  readonly certificate: CertificatePair | undefined;
  /** Is told of each request that begins and ends. */
  readonly traffic: Traffic;
  /** Takes the calls of programs for the payees' logs; undefined: there is none. */
  readonly calls: CallSink | undefined;
}

/** A server with the routes that it serves, which tests and the OpenAPI document read. */
export interface Server extends RouteList {
  readonly app: FastifyInstance;
  /** Where the metrics have a port of their own. It ends with `app`. */
  readonly metricsServer: HttpServer | undefined;
}

/** Puts the slices behind the edge. The server does not listen yet. */
export async function buildServer(options: ServerOptions): Promise<Server> {
  const { config, log, certificate, baseUrl } = options;
  const { changeMs: changeLimitMs } = timeLimitsOf(options.service.acquirers);
  const given: RouteGiven = {
    findUser: signedInUsers(options),
    signatures: signatureOptions(options),
    baseUrl,
    isExempt: (address) => config.mode === 'sandbox' && isLoopbackAddress(address),
    isShared: (address) => isShared(config, address),
    isReady: options.isReady,
    noteRefused: options.noteRefused,
  };
  const routes = listRoutes(options.service.slices, given);
  const openRoutes = [...routes.openRoutes, ...ownRoutes(options, routes)];
  // A request without Host is answered by the edge, as a problem like every other.
  const serverOptions = {
    maxHeaderSize: HEADER_BYTES,
    requireHostHeader: false,
    connectionsCheckingInterval: CONNECTION_CHECK_MS,
  };
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // The edge writes its own line for each request: a logger for each would be made for nothing.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: Math.max(STALLED_SOCKET_MS, changeLimitMs + ANSWERING_MS),
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxRequestsPerSocket: REQUESTS_PER_SOCKET,
    routerOptions: { maxParamLength: URL_CHARACTERS },
    rewriteUrl: targetReader({ paths: pathsOf({ ...routes, openRoutes }), signed: routes.addresses.signed, baseUrl }),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, baseUrl()),
    frameworkErrors: (error, request, reply) => answerBadAddress(error, request.raw, reply.raw, baseUrl()),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    ...(certificate === undefined
      ? { http: serverOptions }
      : { https: { ...secureServerOptions(certificate), ...serverOptions } }),
  }) as unknown as FastifyInstance;
  const underWay = createUnderWay({
    ofNetwork: strangersQuota(config, REQUESTS_UNDER_WAY),
    ofCredential: REQUESTS_UNDER_WAY,
  });
  giveUpOverdue(app, {
    limitMs: HANDLER_TIMEOUT_MS,
    changeLimitMs,
    error: overdueError,
    traffic: options.traffic,
    left: ({ edge }) => edge && underWay.leave(edge),
  });
  boundPipelines(app.server, {
    most: PIPELINED_REQUESTS,
    refuse: (request, response) => answerTooMany(request, response, baseUrl()),
    tell: (address) => log.warn({ address }, 'A connection had too many requests under way; it was closed.'),
  });
  boundSockets(app.server, {
    most: SOCKETS_PER_NETWORK,
    isExempt: (address) => isShared(config, address) || isLoopbackAddress(address),
    tell: (network) => log.warn({ network }, 'A network has as many connections as it may, and wanted more.'),
  });
  const tellLost = (err: Error) => log.error({ err }, 'A connection could not be taken; the service goes on.');
  surviveLostConnections(app.server, tellLost);
  app.server.headersTimeout = HEADERS_TIMEOUT_MS;
  app.server.on('connect', (_request, socket) => answerConnect(socket, baseUrl()));
  // Node would drop what goes beyond its own number of headers in silence; the edge counts and refuses instead.
  app.server.maxHeadersCount = 0;

  const downloads = createDownloads(options.traffic.quiet);
  app.addHook('preClose', (done) => {
    downloads.closeAll();
    done();
  });
  registerEdge(app, edgeOptions(options, given, { downloads, underWay }), { ...routes, openRoutes });
  const metricsServer = addMetricsServer(app, options);
  if (metricsServer !== undefined) surviveLostConnections(metricsServer, tellLost);
  return { ...routes, app, metricsServer, openRoutes };
}

function pathsOf({ apiRoutes, openRoutes, portalRoutes }: EdgeRoutes): string[] {
  return [...apiRoutes, ...openRoutes, ...portalRoutes].map(({ path }) => path);
}

/** Whether an address is a proxy's, behind which all callers are. */
function isShared(config: Config, address: string): boolean {
  return !networksTell(config) || config.trustedProxies.has(address);
}

function addMetricsServer(app: FastifyInstance, options: ServerOptions): HttpServer | undefined {
  if (options.config.metricsPort === undefined) return undefined;
  const server = createMetricsServer(metricsRouteOf(options), options.certificate);
  app.addHook('onClose', (_app, done) => {
    server.close();
    server.closeAllConnections();
    done();
  });
  return server;
}

/** The documents and pages of the service itself, and its metrics. */
function ownRoutes(options: ServerOptions, routes: RouteList): OpenRoute[] {
  const { config, baseUrl, version } = options;
  let document: string | undefined;
  const openApi = () => {
    document ??= JSON.stringify(openApiDocument({ version, baseUrl: baseUrl(), tagWords: API_TAGS, ...routes }));
    return document;
  };
  return [
    ...homeRoutes({ version, baseUrl, isSandbox: config.mode === 'sandbox' }),
    ...problemPages(baseUrl),
    ...referenceRoutes(openApi),
    ...(config.metricsPort === undefined ? [metricsRouteOf(options)] : []),
  ];
}

function metricsRouteOf({ config, metrics, baseUrl }: ServerOptions): OpenRoute {
  return metricsRoute({
    text: metrics.text,
    contentType: metrics.contentType,
    token: config.metricsToken,
    isOpenTo: ({ isLocal }) => config.mode === 'sandbox' || isLocal,
    baseUrl,
  });
}

function signedInUsers({ service }: ServerOptions): RouteGiven['findUser'] {
  const { background } = service.database;
  return findSignedIn(service, (session) => background.transact((transaction) => noteSessionUse(transaction, session)));
}

function signatureOptions({ config, service, noteKeyUse }: ServerOptions): SignatureOptions {
  return {
    findSecret: findHmacSecret(service, { now: monotonicMs, noteUse: noteKeyUse }),
    now: Date.now,
    explain: config.mode === 'sandbox',
  };
}

/** What the edge has beside. */
interface EdgeParts {
  readonly downloads: EdgeOptions['portal']['downloads'];
  readonly underWay: UnderWay;
}

const monotonicMs = (): number => performance.now();

function edgeOptions(
  options: ServerOptions,
  { findUser, signatures }: RouteGiven,
  { downloads, underWay }: EdgeParts,
): EdgeOptions {
  const { config, service, metrics, log, baseUrl, noteTokenUse } = options;
  const { requestsPerMinute, failuresPerMinute } = config;
  return {
    baseUrl,
    findCaller: findCaller(service, { now: monotonicMs, noteUse: noteTokenUse }),
    payeeExists: (payeeId) => payeeExists({ run: service.database.read }, payeeId),
    signatures,
    portal: {
      findUser,
      findSessionEnd: findSessionEnd(service),
      accessFault,
      mayCall,
      noteVisit: notingVisits({ transact: service.database.transact, now: Date.now }),
      downloads,
      isSecure: () => config.mode === 'production' || baseUrl().startsWith('https:'),
    },
    requests: createRateLimit({ name: 'requests', quota: requestsPerMinute, windowSeconds: 60 }),
    pages: createRateLimit({ name: 'pages', quota: strangersQuota(config, config.pagesPerMinute), windowSeconds: 60 }),
    signIns: createRateLimit({
      name: 'sign-ins',
      quota: strangersQuota(config, config.signInsPerMinute),
      windowSeconds: 60,
    }),
    underWay,
    failures: createRateLimit({ name: 'failures', quota: failuresPerMinute, windowSeconds: 60 }),
    proxies: config.trustedProxies,
    checkHost: config.mode === 'sandbox' ? ownHosts(config.allowedHosts) : undefined,
    needsTls: () => config.mode === 'production' && baseUrl().startsWith('https:'),
    exemptLoopback: config.mode === 'sandbox',
    cardPrefixes: service.cardPrefixes,
    compile: schemaChecker(service.cardPrefixes),
    now: monotonicMs,
    calls: options.calls,
    noteRefused: options.noteRefused,
    observe: metrics.observe,
    tellRequest: options.tellRequest,
    tellFailure: options.tellFailure,
    log,
  };
}

/** Where all strangers seem to come from one proxy, what one network may do says nothing about any of them. */
function strangersQuota(config: Config, quota: number): number {
  return networksTell(config) ? quota : 0;
}
