import type { ApiRoute } from '../../../src/http/route.types.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import type { SigningCredentials } from '../service.ts';
import { bytesOf, type Sent, signatureFor } from './bytes.ts';
import { sampleOf } from './routes-samples.ts';
import { exchange, type RawAnswer } from './sockets.ts';

/** A request as data, for a test to spoil. */
export interface RouteRequest extends Sent {
  /** Null leaves the header out. */
  readonly accessToken: string | null;
  /** What it is signed with as it is sent, whatever a test spoils in it before; undefined where it needs no signature. */
  readonly hmac?: SigningCredentials | undefined;
  readonly body: string | undefined;
}

/** Stands in every input that is refused; no answer may hold it. */
export const MARKER = 'marqueur';
/** Sent with every request, so that answers differ in their dates alone. */
export const SESSION_ID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

/** A request to a route that it takes, about the object of this name. */
export function goodRequest(
  route: ApiRoute,
  about: {
    readonly payeeId: PayeeId;
    readonly name: string;
    readonly accessToken: string;
    readonly hmac?: SigningCredentials;
  },
): RouteRequest {
  const sample = sampleOf(route);
  const { body } = sample;
  return {
    method: route.method,
    path: `${fillPath(route.path, { payeeId: about.payeeId, ...sample.params(about.name) })}${queryOf(sample.query?.(about.name))}`,
    accessToken: about.accessToken,
    hmac: route.signed ? about.hmac : undefined,
    headers: {
      'session-id': SESSION_ID,
      ...sample.headers?.(about.name),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

function queryOf(query: Readonly<Record<string, string>> | undefined): string {
  return query === undefined ? '' : `?${new URLSearchParams(query)}`;
}

/** @throws Error where a parameter of the path has no value */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${path} needs ${name}. Add it to the params of its sample.`);
    return encodeURIComponent(value);
  });
}

/** The same request with further headers; an empty text takes one away. */
export function withHeaders(request: RouteRequest, headers: Readonly<Record<string, string>>): RouteRequest {
  const all = Object.entries({ ...request.headers, ...headers }).filter(([, value]) => value !== '');
  return { ...request, headers: Object.fromEntries(all) };
}

/** The same request with another body. */
export function withBody(request: RouteRequest, body: unknown): RouteRequest {
  return { ...request, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** The same request with parameters added to its query. */
export function withQuery(request: RouteRequest, query: string): RouteRequest {
  return { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}${query}` };
}

/** The bytes of a request, with Host, Authorization, Hmac and Content-Length beside its own headers. */
export function shownBytes(request: RouteRequest): Buffer {
  const { accessToken, hmac, headers, body } = request;
  return bytesOf({
    ...request,
    headers: {
      Host: 'localhost',
      ...(accessToken !== null && { Authorization: `Bearer ${accessToken}` }),
      ...(hmac !== undefined && { Hmac: signatureFor(hmac, request) }),
      ...headers,
      ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    },
  });
}

/** Sends a request, byte for byte as it is. */
export function sendRequest(baseUrl: string, request: RouteRequest): Promise<RawAnswer> {
  return exchange(baseUrl, shownBytes(request));
}

/** `npm run test:fuzz` gives each route all. */
const SHARES = process.env['TEST_ROUTES'] === 'all' ? 1 : 6;

/**
 * Of faults that a step of the edge refuses for all routes alike, those that this route gets: a sixth, others the other ones. The
 * step has a test of its own, and every fault comes to dozens of routes.
 */
export function shareOf<Item>({ operationId }: Pick<ApiRoute, 'operationId'>, faults: readonly Item[]): Item[] {
  const place = Buffer.from(operationId).reduce((sum, letter) => sum + letter, 0);
  return faults.filter((_, index) => index % SHARES === place % SHARES);
}

/** Sends requests one after the other, so that a fault names the one that it came from. */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  send: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await send(item));
  return results;
}
