import { createHmac } from 'node:crypto';
import { withoutQuery } from '../../kit/addresses/address.ts';
import { LEAST_NONCE_CHARACTERS, NONCE_CHARACTERS } from '../../kit/limits.ts';

/** Characters of the key id in an `Hmac` header: ours have 19, and the table takes no more than this. */
const HMAC_USER_CHARACTERS = 64;

/** What an `Hmac` header says: which key signed, the nonce, and the digest. */
export interface HmacHeader {
  /** The key's id. */
  readonly user: string;
  readonly nonce: string;
  /** 64 bytes. */
  readonly digest: Buffer;
}

/** What a signature is made over, in the order of its lines. */
export interface SignedParts {
  /** In upper case. */
  readonly method: string;
  /** Without host and query. */
  readonly path: string;
  readonly user: string;
  readonly nonce: string;
  /** The exact text of the `Transmission-Time` header, or empty. */
  readonly transmissionTime: string;
  /** The bytes as they are sent, or none. */
  readonly body: Buffer;
}

const SCHEME = 'HmacSHA512 ';
/** 64 bytes in Base64. */
const DIGEST_CHARACTERS = 88;
const LONGEST_HEADER = SCHEME.length + HMAC_USER_CHARACTERS + 1 + NONCE_CHARACTERS + 1 + DIGEST_CHARACTERS;
const VISIBLE = /^[!-~]+$/;
/** In canonical form (RFC 4648, section 3.5: the last digit has no stray bits), so that a digest has one spelling. */
const DIGEST = /^[A-Za-z0-9+/]+[AQgw]==$/;

/**
 * Reads an `Hmac` header, `HmacSHA512 <user>:<nonce>:<digest>`: one blank, then visible characters. Undefined where it has another
 * form. A nonce may have colons: a user and a digest never do.
 */
export function parseHmacHeader(text: string): HmacHeader | undefined {
  if (text.length > LONGEST_HEADER || !text.startsWith(SCHEME)) return undefined;
  const parts = text.slice(SCHEME.length);
  const [userEnd, nonceEnd] = [parts.indexOf(':'), parts.length - DIGEST_CHARACTERS - 1];
  if (userEnd < 1 || userEnd > HMAC_USER_CHARACTERS || parts[nonceEnd] !== ':') return undefined;
  const nonce = parts.slice(userEnd + 1, nonceEnd);
  if (nonce.length < LEAST_NONCE_CHARACTERS || nonce.length > NONCE_CHARACTERS) return undefined;
  const digest = parts.slice(nonceEnd + 1);
  if (!VISIBLE.test(parts.slice(0, nonceEnd)) || !DIGEST.test(digest)) return undefined;
  return { user: parts.slice(0, userEnd), nonce, digest: Buffer.from(digest, 'base64') };
}

/** The `Hmac` header of a request. */
export function hmacHeader(secret: string, parts: SignedParts): string {
  return `HmacSHA512 ${parts.user}:${parts.nonce}:${signatureDigest(secret, parts).toString('base64')}`;
}

/**
 * HMAC-SHA-512 over six lines: method, path, user, nonce, transmission time, body. A line feed ends each of them, the last
 * one too. The key is the secret's UTF-8 bytes.
 */
export function signatureDigest(secret: string, parts: SignedParts): Buffer {
  return createHmac('sha512', secret).update(linesBeforeBody(parts)).update(parts.body).update('\n').digest();
}

/** The first five lines of what is signed. */
export function linesBeforeBody({ method, path, user, nonce, transmissionTime }: SignedParts): string {
  return `${method}\n${path}\n${user}\n${nonce}\n${transmissionTime}\n`;
}

/**
 * The forms of a path that a client may sign: as on the wire, and percent-decoded where that differs.
 *
 * A decoded path that still has a percent sign, or has control characters, is none of them. So a signature fits one path
 * only: else `/a%2541`, signed as it is, would fit `/a%252541` decoded, and a line feed in a path would move what is
 * signed from one line to the next.
 *
 * @param url the request target as Node gives it: each character is one byte of the wire
 */
export function signedPaths(url: string): readonly string[] {
  const wire = pathOnTheWire(url);
  const decoded = decode(wire);
  return decoded === undefined || decoded === wire ? [wire] : [wire, decoded];
}

/** The path of a request target without its query, as text. */
export function pathOnTheWire(url: string): string {
  const path = withoutQuery(url);
  return BEYOND_ASCII.test(path) ? Buffer.from(path, 'latin1').toString() : path;
}

const BEYOND_ASCII = /[\u0080-\u00ff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const AMBIGUOUS = /[%\u0000-\u001f\u007f]/;

function decode(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    const decoded = decodeURIComponent(path);
    return AMBIGUOUS.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
