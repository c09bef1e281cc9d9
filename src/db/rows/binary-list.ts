import { assert } from '../../kit/assert.ts';
import { daysBetween, unixMsOf } from '../../kit/instants.ts';

/** What a value of a column is here, by its type in PostgreSQL. JSON travels as text. */
export interface Values {
  readonly bigint: number;
  readonly boolean: boolean;
  /** Or as PostgreSQL writes it: `\x` and hexadecimal digits. */
  readonly bytea: Buffer | string;
  readonly date: string;
  readonly float8: number;
  readonly integer: number;
  readonly jsonb: string;
  readonly smallint: number;
  readonly text: string;
  readonly timestamptz: string;
  readonly uuid: string;
}

export type ValueType = keyof Values;

/** Writes a value from a place on, for which there is room, and gives its bytes. */
type Write<Value> = (value: Value, at: number) => number;

/** Each type's number (`pg_type.oid`), and what its receive function reads (`src/backend/utils/adt` of PostgreSQL). */
const TYPES: { readonly [Type in ValueType]: readonly [oid: number, write: Write<Values[Type]>] } = {
  bigint: [20, writeBigint],
  boolean: [16, (value, at) => writeByte(value ? 1 : 0, at)],
  bytea: [17, (value, at) => (typeof value === 'string' ? writeHex(value, at) : writeBytes(value, at))],
  date: [1082, (day, at) => writeInteger(daysBetween(START_DAY, day), at)],
  float8: [701, writeFloat],
  integer: [23, writeInteger],
  jsonb: [3802, (text, at) => writeByte(JSONB_VERSION, at) + writeText(text, at + 1)],
  smallint: [21, writeSmallint],
  text: [25, writeText],
  timestamptz: [1184, writeInstant],
  uuid: [2950, writeUuid],
};

/** From where PostgreSQL counts microseconds and days. */
const START_DAY = '2000-01-01';
const START_MS = unixMsOf(START_DAY);
const JSONB_VERSION = 1;
const UUID_CHARACTERS = 36;
const UUID_BYTES = 16;

/** Of a list: how many dimensions, whether there are nulls, the type, how many elements, and the place of the first. */
const [NULLS, ELEMENT_TYPE, ELEMENTS, LOWER_BOUND, HEADER_BYTES] = [4, 8, 12, 16, 20];
const [EMPTY_HEADER_BYTES, LENGTH_BYTES, NULL_LENGTH] = [12, 4, -1];
/** Bytes that a value has that is no text or bytea, at most; and a character. */
const [FIXED_BYTES, CHARACTER_BYTES] = [16, 3];

/** Where a list is put together before its bytes are copied, all of them one after the other. */
const USUAL_BYTES = 64 * 1024;
let bytes: Buffer = Buffer.allocUnsafeSlow(USUAL_BYTES);
let view = viewOf(bytes);

/**
 * One column of rows as a list in PostgreSQL's binary form (`array_recv`). As text, most of the time went into looking for
 * what has to be escaped and into putting many texts together, and PostgreSQL had to take them apart again.
 *
 * @param read gives a row's value; null or undefined is NULL
 * @throws AssertionFailure where a value is none of its type
 */
export function writeList<Type extends ValueType, Row>(
  type: Type,
  rows: readonly Row[],
  read: (row: Row) => Values[Type] | null | undefined,
): Buffer {
  const [oid, write] = TYPES[type];
  let end = HEADER_BYTES;
  let hasNulls = 0;
  for (const row of rows) {
    const value = read(row) ?? null;
    makeRoom(end + LENGTH_BYTES + FIXED_BYTES);
    const size = value === null ? 0 : write(value, end + LENGTH_BYTES);
    view.setInt32(end, value === null ? NULL_LENGTH : size);
    if (value === null) hasNulls = 1;
    end += LENGTH_BYTES + size;
  }
  view.setInt32(0, rows.length === 0 ? 0 : 1);
  view.setInt32(NULLS, hasNulls);
  view.setInt32(ELEMENT_TYPE, oid);
  view.setInt32(ELEMENTS, rows.length);
  view.setInt32(LOWER_BOUND, 1);
  const list = Buffer.allocUnsafe(rows.length === 0 ? EMPTY_HEADER_BYTES : end);
  bytes.copy(list, 0, 0, list.length);
  if (bytes.length > USUAL_BYTES) takeOver(Buffer.allocUnsafeSlow(USUAL_BYTES));
  return list;
}

function makeRoom(end: number): void {
  if (end <= bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(2 * end);
  bytes.copy(larger);
  takeOver(larger);
}

function takeOver(other: Buffer): void {
  bytes = other;
  view = viewOf(other);
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

function writeByte(value: number, at: number): number {
  view.setUint8(at, value);
  return 1;
}

function writeSmallint(value: number, at: number): number {
  assert((value << 16) >> 16 === value, 'a smallint has 16 bits');
  view.setInt16(at, value);
  return 2;
}

function writeInteger(value: number, at: number): number {
  assert((value | 0) === value, 'an integer has 32 bits');
  view.setInt32(at, value);
  return 4;
}

function writeBigint(value: number, at: number): number {
  assert(Number.isSafeInteger(value), 'a bigint is a safe integer');
  view.setInt32(at, Math.floor(value / 2 ** 32));
  view.setUint32(at + 4, value >>> 0);
  return 8;
}

/** In microseconds: more than a number can count from the year 2285 on. */
function writeInstant(instant: string, at: number): number {
  const ms = unixMsOf(instant) - START_MS;
  assert(Number.isSafeInteger(ms), 'an instant is one of ISO 8601');
  view.setBigInt64(at, BigInt(ms) * 1000n);
  return 8;
}

function writeFloat(value: number, at: number): number {
  view.setFloat64(at, value);
  return 8;
}

function writeText(text: string, at: number): number {
  makeRoom(at + CHARACTER_BYTES * text.length);
  return bytes.write(text, at);
}

function writeBytes(value: Buffer, at: number): number {
  makeRoom(at + value.length);
  return value.copy(bytes, at);
}

function writeHex(text: string, at: number): number {
  const digits = text.length - 2;
  makeRoom(at + digits);
  const size = text.startsWith('\\x') ? bytes.write(text.slice(2), at, 'hex') : 0;
  assert(2 * size === digits, 'a bytea is \\x and two digits for each byte');
  return size;
}

function writeUuid(text: string, at: number): number {
  assert(text.length === UUID_CHARACTERS, 'a UUID has 36 characters');
  const size = bytes.write(text.replaceAll('-', ''), at, 'hex');
  assert(size === UUID_BYTES, 'a UUID is hexadecimal');
  return size;
}
