import type { Actor } from '../../kit/caller.ts';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { CARD_NUMBER_CHARACTERS, containsCardNumber, maskCardNumbersIn } from '../../kit/cards/find-card-numbers.ts';
import { forbidden, inputError, notFound, Refusal } from '../../kit/errors.ts';
import { OPERATOR, type PayeeId, parsePayeeId } from '../../kit/ids.ts';
import { IDEMPOTENCY_KEY_CHARACTERS, USER_AGENT_CHARACTERS } from '../../kit/limits.ts';
import { credentialOf } from '../../kit/portal-user.ts';
import { actorOf } from '../actor.ts';
import { declaredBody, isAbsent } from '../body/declared.ts';
import { parseMediaType } from '../body/media-type.ts';
import { askedVersion, DEFAULT_VERSION } from '../body/negotiate.ts';
import { parseJson, withoutByteOrderMark } from '../body/parse-json.ts';
import { type Liberties, NO_LIBERTIES, understand } from '../body/understand.ts';
import { refuseProblems } from '../body/validate.ts';
import { withoutIds } from '../document/schemas.ts';
import type { PortalRequest } from '../portal-route.types.ts';
import type { ApiRoute, ApiVersion, EdgeRequest, RouteShape } from '../route.types.ts';
import { callerOf } from './admission.ts';
import { refuseTokenInBody } from './bearer.ts';
import { isLocal } from './client-address.ts';
import type { ApiKind, Checks, EdgeOptions, EdgeState, PortalKind, Run } from './edge.types.ts';
import { parseForwarded } from './forwarded.ts';
import { csrfTokenOf, setCookie } from './portal-session.ts';

/** Names in one `$expand`. */
const EXPAND_NAMES = 10;
/** Characters of one of those names: about twice the longest that exists. */
const EXPAND_NAME_CHARACTERS = 40;

/**
 * Makes the checks of a route once, when the service starts. That of its query changes the query, where a word may be
 * written otherwise than its schema says.
 */
export function checksOf(
  { params, query, body }: Pick<RouteShape, 'params' | 'query' | 'body'>,
  compile: EdgeOptions['compile'],
  liberties: Liberties = NO_LIBERTIES,
): Checks {
  const checkQuery = compile(withoutIds(query));
  return {
    params: compile(withoutIds(params)),
    query: (sent) => checkQuery(understand(query, sent, liberties)),
    body: body && declaredBody(compile, body, liberties),
  };
}

/** Makes the step that finds whose objects a request is about (404). One that an operator names need not exist. */
export function findingPayee({
  payeeExists,
  portal,
}: Pick<EdgeOptions, 'payeeExists' | 'portal'>): Run<ApiKind | 'portal'> {
  return (edge) => {
    const payeeId = payeeOf(edge);
    edge.payeeId = payeeId;
    if (payeeId === callerOf(edge).payeeId) return undefined;
    return payeeExists(payeeId).then((exists) => {
      if (!exists) throw notFound();
      return edge.visitor === undefined ? undefined : portal.noteVisit({ payeeId, actor: visitorOf(edge) });
    });
  };
}

/** The user of the portal who sends a request, for the audit trail. */
function visitorOf(edge: EdgeState): Actor {
  return actorOf({ ...edge, caller: callerOf(edge), remoteAddress: edge.client.address });
}

/** The payee in the path must be the caller's; an operator acts for the one that the path names, in the portal for all. */
export function payeeOf(edge: EdgeState): PayeeId {
  const own = callerOf(edge).payeeId;
  const named = paramsOf(edge)['payeeId'];
  if (named === undefined || (named === own && own !== OPERATOR)) return own;
  const payeeId = parsePayeeId(named);
  if (payeeId === undefined || (payeeId !== own && own !== OPERATOR)) throw notFound();
  if (payeeId === OPERATOR && edge.served.kind !== 'portal') throw notFound();
  return payeeId;
}

/**
 * A step that refuses a request for its form, and asks first whether its object exists: what is unknown is 404 whatever
 * the body.
 */
export function concealing<K extends ApiKind>(run: (edge: EdgeState<K>) => void): Run<K> {
  return (edge) => {
    try {
      run(edge);
      return undefined;
    } catch (error) {
      return concealUnknown(error, edge);
    }
  };
}

/** Answers 404 instead of a complaint about the form where the object of the request does not exist. */
export async function concealUnknown(error: unknown, edge: EdgeState): Promise<never> {
  const exists = edge.served.api?.exists;
  // What Fastify complains about comes before the payee of the object is known.
  const payeeId = edge.payeeId ?? payeeOf(edge);
  if (error instanceof Refusal && exists !== undefined) {
    if (!(await exists({ params: edge.request.params as never, payeeId }))) throw notFound();
  }
  throw error;
}

/** Finds how the answer is wanted and whether the body is written in a way that we read (406, 415). */
export function chooseApiType(edge: EdgeState): void {
  edge.version = versionOf(edge.request);
  edge.reply.header('content-type', contentType(edge.version ?? DEFAULT_VERSION));
}

/** The same in the portal, whose answers have no version; a table to download says itself what it is. */
export function choosePortalType({ request, reply, served }: EdgeState<PortalKind>): void {
  if (served.route.fileBytes === undefined) versionOf(request);
  else refuseOtherFile(request);
  if (served.route.shape.answer !== undefined) reply.header('content-type', 'application/json; charset=utf-8');
}

/** A file comes as what it is: a form of another site's page cannot send this type. */
function refuseOtherFile({ headers }: EdgeState['request']): void {
  const type = parseMediaType(headers['content-type'] ?? '');
  if (type?.name === 'text/csv' && headers['content-encoding'] === undefined) return;
  throw new Refusal('unsupportedmediatype', 'The body must be a file of type text/csv, and not compressed.');
}

/** Makes the step that turns a request to the API into one that its handler can trust, or refuses it (400). */
export function readingApi(options: EdgeOptions): (edge: EdgeState<ApiKind>) => void {
  return (edge) => {
    const { request, reply, served } = edge;
    const { route, checks } = served;
    refuseProblems(checks.params(request.params));
    const sent = request.query as Record<string, string | string[]>;
    const { $expand } = sent;
    const query = $expand === undefined ? sent : withoutExpand(sent);
    refuseProblems(checks.query(query));
    const payerAddress = payerAddressOf(edge, options);
    const expand = parseExpand($expand, route.expandable ?? [], route.mostExpanded);
    const idempotencyKey = route.takesIdempotencyKey && parseIdempotencyKey(keyOf(edge), options.cardPrefixes());
    const body = checks.body && readBody(edge, route, checks.body);
    refuseAsked(edge, body, options);
    edge.input = {
      params: request.params,
      query,
      body,
      payeeId: edge.payeeId,
      caller: edge.caller,
      signature: edge.signature,
      idempotencyKey,
      version: edge.version,
      noteVersion: (version: ApiVersion) => void reply.header('content-type', contentType(version)),
      noteCreated: (href: string) => void reply.header('location', href),
      noteWaiting: () => void reply.code(202),
      noteReplay: () => void reply.header('idempotency-replayed', 'true'),
      weighed: undefined,
      expand,
      sessionId: edge.sessionId,
      trace: edge.trace,
      payerAddress,
      remoteAddress: edge.client.address,
      userAgent: cleanUserAgent(request.headers['user-agent'], options),
    } as EdgeRequest;
  };
}

function withoutExpand({ $expand: _expand, ...others }: Readonly<Record<string, unknown>>): unknown {
  return others;
}

/** The same for a request to the portal. */
export function readingPortal(options: EdgeOptions): (edge: EdgeState<PortalKind>) => void {
  return (edge) => {
    const { request, served, visitor } = edge;
    const { checks } = served;
    refuseProblems(checks.params(request.params));
    refuseProblems(checks.query(request.query));
    edge.input = {
      params: request.params,
      query: request.query,
      body: checks.body?.(parseJson(withoutByteOrderMark(bodyOf(edge)))),
      file: served.route.fileBytes === undefined ? NO_FILE : fileOf(edge),
      ...(visitor !== undefined && {
        payeeId: edge.payeeId,
        user: visitor.user,
        caller: { credential: credentialOf(visitor.user) },
        csrfToken: csrfTokenOf(visitor.cookie),
      }),
      ...cookieSteps(edge, options.portal.isSecure()),
      sessionId: edge.sessionId,
      trace: edge.trace,
      remoteAddress: edge.client.address,
      userAgent: cleanUserAgent(request.headers['user-agent'], options),
    } as PortalRequest;
  };
}

/** Hands an open request to its handler as it came, with what a person is shown if it is refused. */
export function readOpen(edge: EdgeState<'open'>): void {
  const { request, served, client, sessionId } = edge;
  const input = {
    params: paramsOf(edge),
    query: request.query as Record<string, string | string[]>,
    headers: request.headers,
    body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
    remoteAddress: client.address,
    isLocal: !client.isProxied && isLocal(request.raw),
    sessionId,
  };
  edge.input = input;
  edge.explain = (status) => served.route.explain?.(input, status);
}

function paramsOf({ request }: EdgeState): Readonly<Record<string, string>> {
  return request.params as Readonly<Record<string, string>>;
}

function cookieSteps({ reply }: EdgeState, isSecure: boolean): Pick<PortalRequest, 'startSession' | 'endSession'> {
  return {
    startSession: (cookie) => void reply.header('set-cookie', setCookie(isSecure, cookie)),
    endSession: () => void reply.header('set-cookie', setCookie(isSecure, undefined)),
  };
}

/** The payer, as the merchant's own part of `Forwarded` names them. */
function payerAddressOf({ request, client }: EdgeState, { proxies, cardPrefixes }: EdgeOptions): string | undefined {
  const isAdded = (address: string) => client.isProxied && (address === client.address || proxies.has(address));
  return parseForwarded(request.headers.forwarded, { isAdded, prefixes: cardPrefixes() });
}

/** Refuses a portal user what the body asks for, where the right to it is not theirs. */
function refuseAsked(edge: EdgeState<ApiKind>, body: unknown, { portal }: EdgeOptions): void {
  const { operationId, asks } = edge.served.route;
  const { person } = callerOf(edge);
  if (asks === undefined || person === undefined) return;
  if (!portal.mayCall(operationId, person, asks(body as never))) {
    throw forbidden('role', 'Your role does not allow this.');
  }
}

/** The body as its schema declares it, and nothing else of what was sent. */
function readBody(edge: EdgeState, { spellings }: ApiRoute, take: (sent: unknown) => unknown): unknown {
  const sent = respell(parseJson(withoutByteOrderMark(bodyOf(edge))), spellings);
  refuseTokenInBody(sent);
  return take(sent);
}

/**
 * A body with its members in our spelling.
 *
 * @throws Refusal `inputerror` where a member is there in both
 */
function respell(body: unknown, spellings: Readonly<Record<string, string>> = {}): unknown {
  for (const [theirs, ours] of Object.entries(spellings)) respellAt(body, theirs.split('.'), { theirs, ours });
  return body;
}

/** Renames a member at the end of a way through a body; of an array in each of its items. */
function respellAt(
  value: unknown,
  [step = '', ...further]: readonly string[],
  spelling: { readonly theirs: string; readonly ours: string },
): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) respellAt(item, [step, ...further], spelling);
    return;
  }
  const members = value as Record<string, unknown>;
  if (further.length > 0) {
    respellAt(members[step], further, spelling);
    return;
  }
  const { theirs, ours } = spelling;
  if (isAbsent(members[step])) return;
  if (!isAbsent(members[ours])) throw inputError(theirs, `must not be there beside ${ours}`);
  members[ours] = members[step];
  delete members[step];
}

function keyOf({ request }: EdgeState): string | undefined {
  const key = request.headers['idempotency-key'];
  return key === undefined ? undefined : String(key);
}

/** The version that a request names, once its media types are found to be ours. */
function versionOf(request: EdgeState['request']): ApiVersion | undefined {
  const { 'content-type': type, 'content-encoding': encoding, accept } = request.headers;
  const body = request.body as Buffer | undefined;
  const hasBody = body !== undefined && body.length > 0;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('unsupportedmediatype', 'The body must not be compressed: send it without Content-Encoding.');
  }
  return askedVersion({ contentType: type, accept, hasBody });
}

function contentType(version: ApiVersion): string {
  return `application/json; charset=utf-8; version=${version}`;
}

const NO_FILE = Buffer.alloc(0);

function fileOf({ request }: EdgeState): Buffer {
  const file = request.body as Buffer | undefined;
  if (file === undefined || file.length === 0) throw inputError('file', 'is empty');
  return file;
}

/** The bytes of a body that must be there. */
function bodyOf({ request }: EdgeState): Buffer {
  const body = request.body as Buffer | undefined;
  if (body === undefined || body.length === 0) throw inputError('body', 'is required: a JSON object');
  return body;
}

/** What is kept of a User-Agent. Control characters could forge log lines (CWE-117); a card number must not be kept in the clear. */
function cleanUserAgent(text: string | undefined, { cardPrefixes }: EdgeOptions): string | undefined {
  if (text === undefined) return undefined;
  // Cut first: a header may have 16 KB. A card number that the end would cut in two is still seen as a whole.
  const most = text.slice(0, USER_AGENT_CHARACTERS + CARD_NUMBER_CHARACTERS);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  const printable = most.replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
  return maskCardNumbersIn(printable, cardPrefixes()).slice(0, USER_AGENT_CHARACTERS);
}

const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * Checks the form of an `Idempotency-Key`: 1 to 64 visible ASCII characters, of any meaning. It is
 * stored as it is, so a card number is none.
 *
 * @throws Refusal `inputerror`
 */
export function parseIdempotencyKey(header: string | undefined, prefixes: CardPrefixes = []): string | undefined {
  if (header === undefined) return undefined;
  if (header.length > IDEMPOTENCY_KEY_CHARACTERS || !VISIBLE.test(header)) {
    throw inputError('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters`);
  }
  if (containsCardNumber(header, prefixes)) throw inputError('Idempotency-Key', 'must not hold a card number');
  return header;
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * The sub-resources that `$expand` asks for: names parted by commas, in any case; the parameter may be repeated. Any
 * request may carry it, so a name that the route does not know is ignored. Of a name with slashes, which some clients
 * send for what lies deeper, the part before the first one counts.
 *
 * @param sent the value of the query parameter, or its values
 * @param expandable the names that the route knows, in any case
 * @param most names, known or not
 * @returns names in lower case
 * @throws Refusal `inputerror` for more names than that, or one of more than forty characters
 */
export function parseExpand(
  sent: string | readonly string[] | undefined,
  expandable: readonly string[],
  most: number = EXPAND_NAMES,
): ReadonlySet<string> {
  if (sent === undefined) return NOTHING;
  const names = [sent]
    .flat()
    .flatMap((list) => list.split(','))
    .map((name) => (name.split('/', 1)[0] ?? '').trim().toLowerCase())
    .filter((name) => name !== '');
  if (names.length > most) throw inputError('$expand', `must not have more than ${most} names`);
  if (names.some(({ length }) => length > EXPAND_NAME_CHARACTERS)) {
    throw inputError('$expand', `must not have a name of more than ${EXPAND_NAME_CHARACTERS} characters`);
  }
  return new Set(expandable.map((name) => name.toLowerCase()).filter((name) => names.includes(name)));
}
