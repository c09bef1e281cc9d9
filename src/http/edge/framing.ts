import { inputError, Refusal } from '../../kit/errors.ts';
import { URL_CHARACTERS } from '../../kit/limits.ts';
import { tokenInQuery } from './bearer.ts';

/** Header lines of a request. */
const HEADER_COUNT = 100;

/** A request as it came over the wire; Node's `IncomingMessage` is one. */
export interface RawRequest {
  readonly method?: string | undefined;
  /** The request target: path and query. */
  readonly url?: string | undefined;
  readonly httpVersion: string;
  /** Name, value, name, value …, in the order and spelling of the wire: Node's parsed headers hide repeated ones. */
  readonly rawHeaders: readonly string[];
}

/**
 * Finds what two readers of the same request could understand differently, or what must not be there at all (RFC 9112, sections 3.2 and 11.2). Node's parser has refused the rest, such as two lengths, before.
 *
 * It runs on every request: it goes through the headers once and allocates nothing unless it refuses.
 *
 * @returns the first fault; the connection must be closed after it, because what follows on it cannot be trusted
 */
export function checkFraming(request: RawRequest): Refusal | undefined {
  const { method, url = '', httpVersion, rawHeaders } = request;
  const isOld = httpVersion === '1.0' && HEALTH.test(url);
  if (httpVersion !== '1.1' && !isOld) return unknownVersion();
  if (url.length > URL_CHARACTERS) {
    return new Refusal('uritoolong', `The request target has more than ${URL_CHARACTERS} characters.`);
  }
  if (url.charCodeAt(0) !== SLASH) return inputError('request target', 'must be a path, or an address at this host');
  if (url.includes(ENCODED_NUL)) return inputError('request target', 'must not hold NUL, written as %00');
  if (url.includes('#')) return inputError('request target', 'must not have a fragment');
  if (hasTokenInQuery(url)) return tokenInQuery();
  if (rawHeaders.length > 2 * HEADER_COUNT) {
    return inputError('headers', `must not be more than ${HEADER_COUNT}`);
  }
  return checkHeaders(rawHeaders, { mustBeEmpty: method !== undefined && WITHOUT_BODY.has(method), needsHost: !isOld });
}

/** Methods whose body would mean nothing, so that a reader may take it for the next request (RFC 9110, sections 9.3.1 and 9.3.5). */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);
const SLASH = 0x2f;
/** Load balancers ask after health in HTTP/1.0, without a host. What they are told is no secret. */
const HEALTH = /^\/health\//;
/** The database takes no text with it, and programs in C would read the text before it. */
const ENCODED_NUL = '%00';
const TOKEN_PARAMETER = /[?&]access_token(?:[=&]|$)/;
const HOST = 'Host';
const CONTENT_LENGTH = 'Content-Length';
const TRANSFER_ENCODING = 'Transfer-Encoding';

/** Headers that may be there once at most. With two, one reader takes the first and another one the last. */
const SINGLE_HEADERS = [
  HOST,
  'Authorization',
  'Hmac',
  'Content-Type',
  'Idempotency-Key',
  'Content-Encoding',
  CONTENT_LENGTH,
  TRANSFER_ENCODING,
];

function checkHeaders(
  rawHeaders: readonly string[],
  { mustBeEmpty, needsHost }: { readonly mustBeEmpty: boolean; readonly needsHost: boolean },
): Refusal | undefined {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = singleHeader(rawHeaders[index] ?? '');
    if (name === undefined) continue;
    const bit = 1 << SINGLE_HEADERS.indexOf(name);
    if ((seen & bit) !== 0) return inputError(name, 'must not be there twice');
    seen |= bit;
    if (name === TRANSFER_ENCODING && !isChunked(rawHeaders[index + 1])) return unknownCoding();
    if (mustBeEmpty && announcesBody(name, rawHeaders[index + 1])) {
      return inputError(name, 'must not announce a body: this method has none');
    }
  }
  return needsHost && (seen & 1) === 0 ? inputError(HOST, 'is required') : undefined;
}

function isChunked(coding: string | undefined): boolean {
  return coding?.trim().toLowerCase() === 'chunked';
}

/** RFC 9110, section 15.6.6. A version has no member of a body or a header that a problem could name. */
function unknownVersion(): Refusal {
  return new Refusal('httpversionnotsupported', 'This service speaks HTTP/1.1.');
}

/** A body would be taken for what it is packed into (RFC 9112, section 6.1). */
function unknownCoding(): Refusal {
  return new Refusal('notimplemented', 'The only transfer coding that is understood is chunked.');
}

function announcesBody(name: string, value: string | undefined): boolean {
  return name === TRANSFER_ENCODING || (name === CONTENT_LENGTH && Number(value) !== 0);
}

/** The name in the spelling of `SINGLE_HEADERS`, or undefined where the header may be repeated. */
function singleHeader(sent: string): string | undefined {
  for (const name of SINGLE_HEADERS) {
    if (name.length === sent.length && equalsIgnoringCase(name, sent)) return name;
  }
  return undefined;
}

/** For texts of equal length in the characters of header names: setting one bit makes their letters lower case. */
function equalsIgnoringCase(a: string, b: string): boolean {
  for (let index = 0; index < a.length; index++) {
    if ((a.charCodeAt(index) | 0x20) !== (b.charCodeAt(index) | 0x20)) return false;
  }
  return true;
}

function hasTokenInQuery(url: string): boolean {
  const query = url.indexOf('?');
  return query !== -1 && url.includes('access_token', query) && TOKEN_PARAMETER.test(url.slice(query));
}
