import { randomBytes, randomUUID } from 'node:crypto';

declare const brand: unique symbol;
/** A string or number that has been checked once and says so in its type. */
export type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** A merchant: the tenant. UUID version 7. */
export type PayeeId = Branded<string, 'PayeeId'>;

/** The payee that stands for the operator of the installation. It owns the operator's credentials and no payments. */
export const OPERATOR = '00000000-0000-0000-0000-000000000000' as PayeeId;
/** Below every id: where a walk over a table begins. */
export const LEAST_UUID = '00000000-0000-0000-0000-000000000000';
/** Above every id: where a walk ends, or one that has the newest in front begins. */
export const GREATEST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

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

/** Ids of one millisecond count on from a random number in half of what 12 bits hold. */
const [COUNTER_STARTS_BELOW, LARGEST_COUNTER] = [0x800, 0xfff];

/** A random UUID, version 4 (RFC 9562, section 5.4): for what must not be guessed or ordered. */
export function uuidV4(): string {
  return randomUUID();
}

/** The millisecond and the counter of the latest id of version 7. */
let latestMs = -1;
let counter = 0;

/**
 * A UUID of version 7 (RFC 9562, section 5.7): 48 bits of Unix time in milliseconds, a counter of 12 bits, and the variant and
 * 62 random bits of one of version 4. Rows made together lie together in an index. 2 048 ids that this process makes in one
 * millisecond are in the order in which they were made (section 6.2, method 1).
 *
 * @param unixMs milliseconds since 1970, below 2^48
 */
export function uuidV7(unixMs: number): string {
  const random = randomUUID();
  if (unixMs === latestMs && counter < LARGEST_COUNTER) counter += 1;
  else counter = Number.parseInt(random.slice(15, 18), 16) % COUNTER_STARTS_BELOW;
  latestMs = unixMs;
  const time = unixMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${random.slice(19)}`;
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
