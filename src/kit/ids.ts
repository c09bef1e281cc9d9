import { randomBytes } from 'node:crypto';

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

/** A random id of our part of a trace: 16 hexadecimal digits (W3C Trace Context, section 3.2.2.4). */
export function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

/** Where the two digits of each byte of a UUID stand in its 36 characters. */
export const UUID_PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const UUID_BYTES = UUID_PLACES.length;
/** Random bytes of an id of version 7, and two more where its millisecond is new. */
const [RANDOM_BYTES, COUNTER_BYTES] = [8, 2];
/** They are drawn for many ids: each draw costs as much as ten. */
const DRAWN_BYTES = 256 * UUID_BYTES;
/** Ids of one millisecond count on from a random number in half of what 12 bits hold. */
const [COUNTER_STARTS_BELOW, LARGEST_COUNTER] = [0x800, 0xfff];
/** Of version 7, those of the time and of what is random. */
const [TIME_PLACES, RANDOM_PLACES] = [UUID_PLACES.slice(0, 6), UUID_PLACES.slice(8)];
const [VERSION_BYTE, VARIANT_BYTE, VERSION_PLACE, COUNTER_PLACE] = [6, 8, 14, 15];
const DIGITS = Buffer.from('0123456789abcdef');

/** The latest id: one of the same millisecond writes over its end. */
const text = Buffer.alloc(36, '-');
text.write('7', VERSION_PLACE);
let latestMs = -1;
let counter = 0;
/** Of version 4, each is written over the one before. */
const randomText = Buffer.alloc(36, '-');
let bytes = Buffer.alloc(0);
let used = 0;

/** Sees to it that there are so many random bytes behind those that were used. */
function draw(count: number): void {
  if (bytes.length - used >= count) return;
  bytes = randomBytes(DRAWN_BYTES);
  used = 0;
}

/**
 * A random UUID, version 4 (RFC 9562, section 5.4): for what must not be guessed or ordered. Node's own is put together of
 * many texts, which each reader of it pays for.
 */
export function uuidV4(): string {
  draw(UUID_BYTES);
  const [version, variant] = [used + VERSION_BYTE, used + VARIANT_BYTE];
  bytes[version] = 0x40 | ((bytes[version] as number) & 0x0f);
  bytes[variant] = 0x80 | ((bytes[variant] as number) & 0x3f);
  for (const place of UUID_PLACES) writeByte(randomText, place, bytes[used++] as number);
  return randomText.toString('latin1');
}

/**
 * A UUID of version 7 (RFC 9562, section 5.7): 48 bits of Unix time in milliseconds, then a counter of 12 bits, then random
 * bits. Rows made together lie together in an index, and 2 048 that this process makes in one millisecond, one after the other,
 * are in that order (section 6.2, method 1).
 *
 * @param unixMs milliseconds since 1970, below 2^48
 */
export function uuidV7(unixMs: number): string {
  draw(RANDOM_BYTES + COUNTER_BYTES);
  if (unixMs === latestMs && counter < LARGEST_COUNTER) counter += 1;
  else beginMillisecond(unixMs);
  text[COUNTER_PLACE] = DIGITS[counter >> 8] as number;
  writeByte(text, COUNTER_PLACE + 1, counter & 0xff);
  bytes[used] = 0x80 | ((bytes[used] as number) & 0x3f);
  for (const place of RANDOM_PLACES) writeByte(text, place, bytes[used++] as number);
  return text.toString('latin1');
}

function beginMillisecond(unixMs: number): void {
  counter = bytes.readUInt16BE(used) % COUNTER_STARTS_BELOW;
  used += COUNTER_BYTES;
  latestMs = unixMs;
  let left = unixMs;
  for (const place of TIME_PLACES.toReversed()) {
    writeByte(text, place, left % 0x100);
    left = Math.floor(left / 0x100);
  }
}

/** By index: `readUInt8` checks its bounds each time, for two thirds of the time of an id. */
function writeByte(into: Buffer, place: number, byte: number): void {
  into[place] = DIGITS[byte >> 4] as number;
  into[place + 1] = DIGITS[byte & 0x0f] as number;
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
