import type { ClientOptions, RequestOptions } from './client.types.ts';
import type { Authorization } from './credentials.ts';
import { signRequest } from './hmac.ts';
import { KontorOutcomeUnknown, KontorProblem, KontorUnreachable, problemOf } from './problems.ts';
import {
  delayBefore,
  isKeyed,
  isRepeatable,
  mayRepeat,
  pause,
  type Retries,
  repeatedBody,
  wasNeverSent,
} from './repeating.ts';

/** What a client sends with. */
export interface Sending extends Pick<ClientOptions, 'hmac' | 'headers'> {
  readonly version: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly retries: Retries;
  readonly authorization: Authorization;
}

/** A request as it is asked for. */
export interface Asked extends RequestOptions {
  readonly method: string;
  readonly url: URL;
  readonly body?: unknown;
}

/**
 * Sends a request, again where that is safe and can help, and gives the answer's body.
 *
 * @throws KontorProblem, KontorUnreachable, KontorOutcomeUnknown; the reason of the caller's signal
 */
export async function send(sending: Sending, asked: Asked): Promise<unknown> {
  const { method, url, signal } = asked;
  const path = url.pathname;
  const idempotencyKey = asked.idempotencyKey ?? (method === 'POST' && isKeyed(path) ? randomId() : undefined);
  const request = { ...asked, idempotencyKey };
  const [text, repeatedText] = [toJson(asked.body), toJson(repeatedBody(asked.body))];
  const isSafe = isRepeatable({ method, path, body: asked.body, idempotencyKey });
  let hasRenewed = false;
  let credential: string | undefined;
  for (let tries = 1; ; tries++) {
    try {
      credential = await sending.authorization.header();
      return await once(sending, { ...request, text: tries === 1 ? text : repeatedText, credential });
    } catch (error) {
      signal?.throwIfAborted();
      if (!hasRenewed && isRefused(error) && credential !== undefined && sending.authorization.renew(credential)) {
        hasRenewed = true;
        continue;
      }
      const delayMs = mayRepeat(error, isSafe) ? delayBefore(tries, error, sending.retries) : undefined;
      if (delayMs === undefined) throw asError(error, request);
      await pause(delayMs, signal);
    }
  }
}

interface Request extends Omit<Asked, 'body'> {
  /** The body as JSON; undefined where there is none. */
  readonly text: string | undefined;
  /** The value of `Authorization`. */
  readonly credential: string | undefined;
}

/** Whether the service did not take the access token, or a signature: nothing was done. */
function isRefused(error: unknown): boolean {
  return error instanceof KontorProblem && error.status === 401;
}

async function once(sending: Sending, request: Request): Promise<unknown> {
  const { method, text: sent, signal } = request;
  const url = withExpand(request);
  const headers = await headersOf(sending, request);
  const timeOut = AbortSignal.timeout(sending.timeoutMs);
  const response = await sending.fetch(url, {
    method,
    headers,
    ...(sent !== undefined && { body: sent }),
    signal: signal === undefined ? timeOut : AbortSignal.any([signal, timeOut]),
    redirect: 'error',
  });
  const text = await response.text();
  if (!response.ok) throw problemOf(response, parsed(text));
  const answer = isJson(response) ? parsed(text) : undefined;
  if (answer !== undefined) return answer;
  throw new TypeError('The answer is no JSON object: something between here and the service has answered.');
}

function withExpand({ url, expand = [] }: Request): URL {
  if (expand.length === 0) return url;
  const expanded = new URL(url);
  expanded.search += `${expanded.search === '' ? '' : '&'}$expand=${expand.map(encodeURIComponent).join(',')}`;
  return expanded;
}

async function headersOf(sending: Sending, request: Request): Promise<Headers> {
  const { method, url, text, credential } = request;
  const { hmac } = sending;
  const mediaType = `application/json; version=${sending.version}`;
  const headers = new Headers({ accept: `${mediaType}, application/problem+json` });
  const own = { ...sending.headers?.(), ...request.headers };
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  if (credential !== undefined) headers.set('authorization', credential);
  if (text !== undefined) headers.set('content-type', mediaType);
  if (request.idempotencyKey !== undefined) headers.set('idempotency-key', request.idempotencyKey);
  if (hmac !== undefined && url.pathname.startsWith('/api/payments/')) {
    const transmissionTime = headers.get('transmission-time') ?? undefined;
    const signed = { method, path: url.pathname, nonce: randomId(), transmissionTime, body: text };
    headers.set('hmac', await signRequest(hmac, signed));
  }
  return headers;
}

/** JSON, in which no number has lost digits; undefined for no body. */
function toJson(body: unknown): string | undefined {
  if (body === undefined) return undefined;
  return JSON.stringify(body, (name, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new RangeError(`${name} is too large for a number: give it as a text or a bigint.`);
    }
    return value;
  });
}

/** Whether an answer says that it is JSON. A proxy answers with pages of HTML, or with nothing. */
function isJson(response: Response): boolean {
  return /^application\/json\s*(;|$)/i.test(response.headers.get('content-type') ?? '');
}

/** The object that a text is as JSON; undefined where it is anything else. */
function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What is thrown for a request that got no answer of the service. */
function asError(error: unknown, { method, url, idempotencyKey }: Omit<Asked, 'body'>): unknown {
  if (error instanceof KontorProblem || error instanceof KontorUnreachable) return error;
  const what = `${method} ${url.pathname} got no answer from ${url.origin}`;
  if (method === 'GET' || wasNeverSent(error)) return new KontorUnreachable(`${what}.`, { cause: error });
  const message = `${what}: it may or may not have been carried out.`;
  return new KontorOutcomeUnknown(message, { cause: error, idempotencyKey });
}

/** A text that cannot be guessed and is never made twice. `randomUUID` is missing on pages without TLS. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
