import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { forbidden, notFound } from '../kit/errors.ts';
import { OPERATOR, type PayeeId, parsePayeeId } from '../kit/ids.ts';
import { type AccessFault, credentialOf, type SignedInUser } from '../kit/portal-user.ts';
import type { Admission } from './admission.ts';
import { type Arrive, addressOf, refuseBadFraming } from './arrive.ts';
import { declaredBody } from './declared.ts';
import type { EdgeOptions, EdgeState } from './edge.types.ts';
import { inviteBody } from './expect.ts';
import { parseJson } from './parse-json.ts';
import type { AnyPortalRoute, Download, PortalRequest, StrangerRequest } from './portal-route.types.ts';
import { checkCsrfToken, checkOrigin, csrfTokenOf, notSignedIn, readCookie, setCookie } from './portal-session.ts';
import { bodyOf, cleanUserAgent, versionOf } from './reception.ts';
import { withoutIds } from './schemas.ts';
import { type Check, refuseProblems } from './validate.ts';

/** What the portal's edge shares with the API's. */
export interface PortalEdgeParts {
  readonly options: EdgeOptions;
  readonly admission: Admission;
  readonly arrive: Arrive;
}

/** Who sent a request, as its cookie says. */
interface Visitor {
  readonly cookie: string;
  readonly user: SignedInUser;
}

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null;
  }
}

/**
 * Adds a route of the portal. Its steps are the API's, with a cookie in place of the access token: framing (400), who it
 * is (401), how often they ask (429), whether the change comes from our own page and they may do it (403), whose object it
 * is (404), media types and form (406, 415, 400).
 */
export function addPortalRoute(app: FastifyInstance, route: AnyPortalRoute, parts: PortalEdgeParts): void {
  const { options, arrive } = parts;
  const receive = receiver(route, options);
  app.route({
    method: route.method,
    url: route.path,
    ...(route.shape.answer && { schema: { response: { 200: withoutIds(route.shape.answer) } } }),
    onRequest: async (request, reply) => {
      const state = arrive(request, reply, route);
      refuseBadFraming(request);
      reply.header('cache-control', 'no-store').header('vary', 'Cookie');
      if (!route.isOpen) await admit({ request, reply, state }, route, parts);
      else {
        parts.admission.meetStranger(request, 'sign-in');
        checkOrigin(request, options.baseUrl());
      }
      state.isAdmitted = true;
      inviteBody(request, reply);
    },
    handler: async (request, reply) => {
      const received = (await receive(request, reply)) as PortalRequest;
      if (route.shape.answer !== undefined) return route.handle(received as never);
      const make = () => route.handle(received as never) as Promise<unknown> as Promise<Download>;
      return options.portal.downloads.send(reply, received.payeeId, make);
    },
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly state: EdgeState;
}

async function admit(exchange: Exchange, route: AnyPortalRoute, parts: PortalEdgeParts): Promise<void> {
  const { request, reply, state } = exchange;
  const { options, admission } = parts;
  const visitor = await findVisitor(request, options);
  const { user, cookie } = visitor;
  const caller = { payeeId: user.payeeId, credential: credentialOf(user), scopes: NO_SCOPES };
  request.visitor = visitor;
  state.caller = caller;
  admission.countRequest(caller, request, reply);
  checkOrigin(request, options.baseUrl());
  checkCsrfToken(request, cookie);
  const fault = options.portal.accessFault(route.operationId, user);
  if (fault !== undefined) throw forbidden(fault, FAULTS[fault]);
}

const NO_SCOPES: ReadonlySet<never> = new Set();

const FAULTS: Readonly<Record<AccessFault, string>> = {
  role: 'Your role does not allow this.',
  'second-factor': 'Set up your second factor first.',
  reauthentication: 'Give your password again: this needs one that was given a moment ago.',
};

async function findVisitor(request: FastifyRequest, { portal }: EdgeOptions): Promise<Visitor> {
  const cookie = readCookie(request.headers.cookie, portal.isSecure());
  const user = cookie === undefined ? undefined : await portal.findUser(cookie);
  if (cookie === undefined) throw notSignedIn(undefined);
  if (user === undefined) throw notSignedIn(await portal.findSessionEnd(cookie));
  return { cookie, user };
}

type Receive = (request: FastifyRequest, reply: FastifyReply) => Promise<PortalRequest | StrangerRequest>;

/** Turns a request whose body has been read into one that the handler can trust, or refuses it. */
function receiver({ shape }: AnyPortalRoute, options: EdgeOptions): Receive {
  const check = (schema: TObject): Check => options.compile(withoutIds(schema));
  const checkParams = check(shape.params);
  const checkQuery = check(shape.query);
  const takeBody = shape.body && declaredBody(options.compile, shape.body);
  return async (request, reply) => {
    const { visitor } = request;
    const payeeId = visitor === null ? undefined : await payeeOf(visitor.user, request, options);
    versionOf(request);
    if (shape.answer !== undefined) reply.header('content-type', 'application/json; charset=utf-8');
    refuseProblems(checkParams(request.params));
    refuseProblems(checkQuery(request.query));
    const body = takeBody?.(parseJson(bodyOf(request)));
    return {
      params: request.params,
      query: request.query,
      body,
      ...(visitor !== null && {
        payeeId,
        user: visitor.user,
        caller: { credential: credentialOf(visitor.user) },
        csrfToken: csrfTokenOf(visitor.cookie),
      }),
      ...cookieSteps(reply, options.portal.isSecure()),
      sessionId: request.edge?.sessionId,
      trace: request.edge?.trace,
      remoteAddress: addressOf(request),
      userAgent: cleanUserAgent(request.headers['user-agent'], options),
    } as PortalRequest | StrangerRequest;
  };
}

function cookieSteps(reply: FastifyReply, isSecure: boolean): Pick<PortalRequest, 'startSession' | 'endSession'> {
  return {
    startSession: (cookie) => void reply.header('set-cookie', setCookie(isSecure, cookie)),
    endSession: () => void reply.header('set-cookie', setCookie(isSecure, undefined)),
  };
}

/** The payee in the path must be the user's; an operator names any that there is, and the operators themselves. */
async function payeeOf(user: SignedInUser, request: FastifyRequest, options: EdgeOptions): Promise<PayeeId> {
  const named = (request.params as Readonly<Record<string, string>>)['payeeId'];
  if (named === undefined) return user.payeeId;
  const payeeId = parsePayeeId(named);
  if (payeeId === undefined) throw notFound();
  if (payeeId === user.payeeId) return payeeId;
  if (user.payeeId !== OPERATOR || !(await options.payeeExists(payeeId))) throw notFound();
  return payeeId;
}
