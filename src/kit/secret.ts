import { createHmac, hash, type KeyObject, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * A value that must not be printed: a card number, a key, an access token. Every accidental way out (JSON, string
 * conversion, console, logger) shows `[redacted]`; `reveal()` is the only deliberate one, easy to find in a review.
 */
export class Secret<T extends string | Buffer = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }

  toJSON(): string {
    return REDACTED;
  }

  toString(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** The digest of a file, as a page tells its browser what to find there (W3C Subresource Integrity, 3.2). */
export function integrityOf(content: Uint8Array): string {
  return `sha384-${hash('sha384', content, 'base64')}`;
}

/** SHA-256 of a text. For values with at least 128 random bits only (OWASP ASVS 5, 11.5.1): anything guessable needs a keyed digest. */
export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** HMAC-SHA-1: of nothing but one-time passwords, where apps know no other (RFC 6238, section 1.2). */
export function hmacSha1(key: Buffer, message: Buffer): Buffer {
  return createHmac('sha1', key).update(message).digest();
}

/** HMAC-SHA-256 of a text: a digest that only who has the key can compute. */
export function keyedDigest(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

/** So many bytes from the system's secure source. */
export function randomKey(bytes: number): Secret<Buffer> {
  return new Secret(randomBytes(bytes));
}

/** Compares in constant time. Different lengths are different, and found so at once: lengths are no secret here. */
export function equalDigests(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes as a base-62 number of fixed width: 32 bytes are 43 characters. */
export function base62(bytes: Buffer, width: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (text.length < width) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/** 256 bits from the system's secure source, as 43 characters of `A-Za-z0-9`. */
export function randomSecret(): string {
  return base62(randomBytes(32), 43);
}

const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** A new secret of 256 bits for the signatures of Standard Webhooks: a prefix, and its bytes in Base64. */
export function newWebhookSecret(): Secret {
  return new Secret(`${WEBHOOK_SECRET_PREFIX}${randomBytes(32).toString('base64')}`);
}

/** The signature of a text under such a secret, HMAC-SHA-256 in Base64. */
export function signWithWebhookSecret(secret: Secret, text: string): string {
  const key = Buffer.from(secret.reveal().slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
  return keyedDigest(key, text).toString('base64');
}

/** So many decimal digits from the system's secure source, each as likely as the other. */
export function randomDigits(count: number): string {
  let digits = '';
  while (digits.length < count) digits += randomInt(10);
  return digits;
}
