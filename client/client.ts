import { addressOf, type Parameters } from './address.ts';
import type { ClientOptions, KontorClient, Offering, RequestOptions } from './client.types.ts';
import { authorization } from './credentials.ts';
import type { Operations } from './kontor.generated.ts';
import { KontorNoSuchOperation } from './problems.ts';
import { USUAL_RETRIES } from './repeating.ts';
import { type Asked, type Sending, send } from './send.ts';

/** What the types are of. */
const VERSION = '3.1';
/** Milliseconds for one try of a request: longer than a directory server and two acquirers may take to answer, one after the other. */
const TIMEOUT_MS = 180_000;

/**
 * A client of the service. It works in Node and in browsers, and keeps nothing but the access token that it fetched.
 *
 *     const kontor = createClient({ baseUrl, credentials: { accessToken }, hmac });
 */
export function createClient<Endpoints = Operations>(options: ClientOptions): KontorClient<Endpoints> {
  const { fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS } = options;
  const baseUrl = options.baseUrl.replace(/\/$/, '');
  // Called as a plain function: that of a browser refuses any other `this`.
  const plainFetch: typeof fetch = (...request) => fetch(...request);
  const sending: Sending = {
    ...options,
    version: options.version ?? VERSION,
    fetch: plainFetch,
    timeoutMs,
    retries: { ...USUAL_RETRIES, ...options.retries },
    authorization: authorization(options.credentials, { baseUrl, fetch: plainFetch, timeoutMs }),
  };
  const request = (asked: Asked) => send(sending, asked);
  const follow = async (resource: Offering, rel: string, body?: unknown, given: RequestOptions = {}) => {
    const { method, href } = offered(resource, rel);
    return request({ ...given, method, url: within(baseUrl, href), body });
  };
  const client = {
    call: async (endpoint: string, given: CallParts = {}) => {
      const { method, address } = addressOf(endpoint, given);
      return request({ ...given, method, url: new URL(baseUrl + address) });
    },
    get: async (id: string, given: RequestOptions = {}) =>
      request({ ...given, method: 'GET', url: within(baseUrl, id) }),
    follow,
    followAs: follow,
    linkTo: (resource: Offering, rel: string) => offered(resource, rel).href,
    offers: ({ operations }: Offering, rel: string) => operations.some((operation) => operation.rel === rel),
  };
  // What goes in and what comes out is known by the endpoint's name and the resource's type alone.
  return client as unknown as KontorClient<Endpoints>;
}

type CallParts = RequestOptions & Parameters & { readonly body?: unknown };

/** An id or a link as an address of the service: credentials go nowhere else. */
function within(baseUrl: string, id: string): URL {
  const url = new URL(id.startsWith('/') ? `${baseUrl}${id}` : id);
  if (url.origin === new URL(baseUrl).origin) return url;
  throw new TypeError(
    `A link leads to ${url.origin}, but baseUrl is ${baseUrl}. Give the client the address that the service names itself.`,
  );
}

function offered({ operations }: Offering, rel: string): Offering['operations'][number] {
  const operation = operations.find((one) => one.rel === rel);
  if (operation !== undefined) return operation;
  throw new KontorNoSuchOperation(
    rel,
    operations.map((one) => one.rel),
  );
}
