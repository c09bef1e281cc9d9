import { randomBytes, randomUUID } from 'node:crypto';

declare const brand: unique symbol;
/** A string or number that has been checked once and says so in its type. */
export type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** A merchant: the tenant. UUID version 7. */
export type PayeeId = Branded<string, 'PayeeId'>;

/** The payee that stands for the operator of the installation. It owns the operator's credentials and no payments. */
export const OPERATOR = '00000000-0000-0000-0000-000000000000' as PayeeId;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Any UUID in its 36-character form, whatever its version or case. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}

/** The text as a payee id in lower case, or undefined where it is none. */
export function parsePayeeId(text: string): PayeeId | undefined {
  return isUuid(text) ? (text.toLowerCase() as PayeeId) : undefined;
}

/** A random UUID, version 4 (RFC 9562, section 5.4): for what must not be guessed or ordered. */
export function uuidV4(): string {
  return randomUUID();
}

/** A random id of our part of a trace: 16 hexadecimal digits (W3C Trace Context, section 3.2.2.4). */
export function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

/** A UUID has 16 bytes; random ones are drawn for many ids at a time, because each draw costs as much as ten ids. */
const UUID_BYTES = 16;
const IDS_AT_A_TIME = 256;
/** Where the two digits of each byte stand in the 36 characters. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const DIGITS = Buffer.from('0123456789abcdef');

const text = Buffer.alloc(36, '-');
let bytes = Buffer.alloc(0);
let used = 0;

/**
 * A UUID of version 7 (RFC 9562, section 5.7): 48 bits of Unix time in milliseconds, then random bits. Rows made
 * together lie together in an index.
 *
 * @param unixMs milliseconds since 1970, below 2^48
 */
export function uuidV7(unixMs: number): string {
  if (used === bytes.length) {
    bytes = randomBytes(IDS_AT_A_TIME * UUID_BYTES);
    used = 0;
  }
  bytes.writeUIntBE(unixMs, used, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(used + 6) & 0x0f), used + 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(used + 8) & 0x3f), used + 8);
  for (const place of PLACES) {
    const byte = bytes.readUInt8(used);
    text[place] = DIGITS.readUInt8(byte >> 4);
    text[place + 1] = DIGITS.readUInt8(byte & 0x0f);
    used += 1;
  }
  return text.toString('latin1');
}

/** A UUID as 32 hexadecimal digits, the form it has inside access tokens and client ids. */
export function compactUuid(uuid: string): string {
  return uuid.replaceAll('-', '');
}

/** The UUID that `compactUuid` shortened, or undefined where the text is none. */
export function expandUuid(compact: string): string | undefined {
  if (!/^[0-9a-f]{32}$/.test(compact)) return undefined;
  return `${compact.slice(0, 8)}-${compact.slice(8, 12)}-${compact.slice(12, 16)}-${compact.slice(16, 20)}-${compact.slice(20)}`;
}
