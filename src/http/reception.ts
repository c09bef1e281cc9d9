import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Caller } from '../kit/caller.ts';
import { inputError, notFound, Refusal } from '../kit/errors.ts';
import { maskCardNumbersIn } from '../kit/find-card-numbers.ts';
import { OPERATOR, type PayeeId, parsePayeeId } from '../kit/ids.ts';
import { USER_AGENT_CHARACTERS } from '../kit/limits.ts';
import type { Trace } from '../kit/trace.ts';
import { addressOf } from './arrive.ts';
import { refuseTokenInBody } from './bearer.ts';
import { declaredBody, isAbsent } from './declared.ts';
import type { EdgeOptions } from './edge.types.ts';
import { parseExpand } from './expand.ts';
import { parseForwarded } from './forwarded.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { chooseVersion } from './negotiate.ts';
import { parseJson } from './parse-json.ts';
import type { ApiRoute, ApiVersion, EdgeRequest, Signature } from './route.types.ts';
import { withoutIds } from './schemas.ts';
import { type Check, refuseProblems } from './validate.ts';

/** Turns a request whose body has been read into one that the handler can trust, or refuses it. */
export type Receive = (input: Received, reply: FastifyReply) => EdgeRequest | Promise<EdgeRequest>;

/** A request from a known caller with its body as it came. */
export interface Received {
  readonly request: FastifyRequest;
  readonly caller: Caller;
  readonly sessionId: string;
  readonly trace: Trace | undefined;
  readonly signature: Signature | undefined;
}

/**
 * The steps after the body was read, in this order: whose object it is (404), how the answer is wanted and the
 * body written (406, 415), what they say (400). An unknown object is 404 whatever the body, so a request that is about to
 * be refused for its form asks first whether its object exists.
 */
export function receiver(route: ApiRoute, options: EdgeOptions): Receive {
  const check = (schema: TSchema): Check => options.compile(withoutIds(schema));
  const checks: Checks = {
    params: check(route.shape.params),
    query: check(route.shape.query),
    body: route.shape.body && declaredBody(options.compile, route.shape.body),
  };
  return (input, reply) => {
    const payeeId = payeeOf(input.caller, input.request.params as Record<string, string>);
    const receive = () => {
      try {
        return read(input, { route, checks, payeeId, options }, reply);
      } catch (error) {
        return concealUnknown(error, input.request, route, payeeId);
      }
    };
    // A merchant's own payee exists; one that an operator names need not.
    if (input.caller.payeeId !== OPERATOR) return receive();
    return options.payeeExists(payeeId).then((exists) => {
      if (!exists) throw notFound();
      return receive();
    });
  };
}

/** Answers 404 instead of a complaint about the form where the object of the request does not exist. */
export async function concealUnknown(
  error: unknown,
  request: FastifyRequest,
  route: ApiRoute,
  payeeId: PayeeId,
): Promise<never> {
  if (error instanceof Refusal && route.exists !== undefined) {
    if (!(await route.exists({ params: request.params as never, payeeId }))) throw notFound();
  }
  throw error;
}

/** The payee in the path must be the caller's; an operator acts for the one that the path names. */
export function payeeOf(caller: Caller, params: Readonly<Record<string, string>>): PayeeId {
  const named = params['payeeId'];
  if (named === undefined) return caller.payeeId;
  const payeeId = parsePayeeId(named);
  if (payeeId === undefined || payeeId === OPERATOR) throw notFound();
  if (caller.payeeId !== payeeId && caller.payeeId !== OPERATOR) throw notFound();
  return payeeId;
}

interface Checks {
  readonly params: Check;
  readonly query: Check;
  /** Takes a body as its schema declares it. */
  readonly body: ((sent: unknown) => unknown) | undefined;
}

interface Reading {
  readonly route: ApiRoute;
  readonly checks: Checks;
  readonly payeeId: PayeeId;
  readonly options: EdgeOptions;
}

function read(received: Received, reading: Reading, reply: FastifyReply): EdgeRequest {
  const { request, caller, sessionId, trace, signature } = received;
  const { route, checks, payeeId, options } = reading;
  reply.header('content-type', contentType(versionOf(request)));
  refuseProblems(checks.params(request.params));
  const { $expand, ...query } = request.query as Record<string, string | string[]>;
  refuseProblems(checks.query(query));
  const payerAddress = payerAddressOf(request, options);
  const expand = parseExpand($expand, route.expandable ?? []);
  const idempotencyKey = route.takesIdempotencyKey && parseIdempotencyKey(keyOf(request), options.cardPrefixes());
  const body = checks.body && readBody(request, route, checks.body);
  return {
    params: request.params,
    query,
    body,
    payeeId,
    caller,
    signature,
    idempotencyKey,
    noteCreated: (href: string) => void reply.header('location', href),
    noteWaiting: () => void reply.code(202),
    noteReplay: () => void reply.header('idempotency-replayed', 'true'),
    expand,
    sessionId,
    trace,
    payerAddress,
    remoteAddress: addressOf(request),
    userAgent: cleanUserAgent(request.headers['user-agent'], options),
  } as EdgeRequest;
}

/** The payer, as the merchant's own part of `Forwarded` names them. */
function payerAddressOf({ headers, edge }: FastifyRequest, { proxies, cardPrefixes }: EdgeOptions): string | undefined {
  const { client } = edge ?? {};
  const isAdded = (address: string) =>
    client?.isProxied === true && (address === client.address || proxies.has(address));
  return parseForwarded(headers.forwarded, { isAdded, prefixes: cardPrefixes() });
}

/** The body as its schema declares it, and nothing else of what was sent. */
function readBody(request: FastifyRequest, { spellings }: ApiRoute, take: (sent: unknown) => unknown): unknown {
  const sent = respell(parseJson(bodyOf(request)), spellings);
  refuseTokenInBody(sent);
  return take(sent);
}

/**
 * A body with its members in our spelling.
 *
 * @throws Refusal `inputerror` where a member is there in both
 */
function respell(body: unknown, spellings: Readonly<Record<string, string>> = {}): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const members = body as Record<string, unknown>;
  for (const [theirs, ours] of Object.entries(spellings)) {
    if (isAbsent(members[theirs])) continue;
    if (!isAbsent(members[ours])) throw inputError(theirs, `must not be there beside ${ours}`);
    members[ours] = members[theirs];
    delete members[theirs];
  }
  return members;
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  return key === undefined ? undefined : String(key);
}

/** The version that a request asks for, once its media types are found to be ours. */
export function versionOf(request: FastifyRequest): ApiVersion {
  const { 'content-type': type, 'content-encoding': encoding, accept } = request.headers;
  const body = request.body as Buffer | undefined;
  const hasBody = body !== undefined && body.length > 0;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('unsupportedmediatype', 'The body must not be compressed: send it without Content-Encoding.');
  }
  return chooseVersion({ contentType: type, accept, hasBody });
}

const CONTENT_TYPES = new Map<ApiVersion, string>();

function contentType(version: ApiVersion): string {
  let type = CONTENT_TYPES.get(version);
  if (type === undefined) {
    type = `application/json; charset=utf-8; version=${version}`;
    CONTENT_TYPES.set(version, type);
  }
  return type;
}

/** The bytes of a body that must be there. */
export function bodyOf(request: FastifyRequest): Buffer {
  const body = request.body as Buffer | undefined;
  if (body === undefined || body.length === 0) throw inputError('body', 'is required: a JSON object');
  return body;
}

/** What is kept of a User-Agent. Control characters could forge log lines (CWE-117); a card number must not be kept in the clear. */
export function cleanUserAgent(text: string | undefined, { cardPrefixes }: EdgeOptions): string | undefined {
  if (text === undefined) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  const printable = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
  return maskCardNumbersIn(printable, cardPrefixes()).slice(0, USER_AGENT_CHARACTERS);
}
