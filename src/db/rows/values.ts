import { types } from 'pg';
import { assert } from '../../kit/assert.ts';

/** PostgreSQL's numbers of the types that we read in our own way (`pg_type.oid`). */
const INT8 = 20;
const DATE = 1082;
const TIMESTAMP_WITH_ZONE = 1184;
const TEXT_ARRAY: number = 1009;
const INT8_ARRAY = 1016;
const TIMESTAMP_WITH_ZONE_ARRAY = 1185;

/**
 * A bigint as a number. Amounts and sequences stay below 2^53, which constraints hold; beyond it a number would
 * silently change its value.
 *
 * @throws AssertionFailure beyond the safe integers
 */
export function parseBigint(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), 'a bigint from the database is a safe integer');
  return value;
}

const UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
/** Where the date ends, the seconds end, and the zone begins, counted from the end. */
const [DATE_END, SECONDS_END, ZONE] = [10, 19, -3];

/**
 * A timestamptz as ISO 8601 in UTC with three digits of milliseconds: what the wire shows. Finer digits are cut off;
 * `kontor_now()` makes none.
 *
 * @throws AssertionFailure where the session does not speak UTC, and for infinity and years beyond 9999, which we never store
 */
export function parseTimestamp(text: string): string {
  assert(UTC.test(text), 'a timestamp from the database is in UTC and has a year of four digits');
  const digits = text.slice(SECONDS_END + 1, ZONE);
  const milliseconds = digits.length === 3 ? digits : digits.slice(0, 3).padEnd(3, '0');
  return `${text.slice(0, DATE_END)}T${text.slice(DATE_END + 1, SECONDS_END)}.${milliseconds}Z`;
}

/** Arrays of every type are written alike. */
const parseArray: (text: string) => (string | null)[] = types.getTypeParser(TEXT_ARRAY);

function arrayOf(parse: (text: string) => unknown): (text: string) => unknown {
  return (text) => parseArray(text).map((element) => (element === null ? null : parse(element)));
}

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [INT8, parseBigint],
  [TIMESTAMP_WITH_ZONE, parseTimestamp],
  // A date has no zone; the driver's Date would put one in.
  [DATE, (text) => text],
  [TEXT_ARRAY, parseArray],
  [INT8_ARRAY, arrayOf(parseBigint)],
  [TIMESTAMP_WITH_ZONE_ARRAY, arrayOf(parseTimestamp)],
]);

/**
 * How column values become JavaScript values, for the driver's option `types`: bigint a safe integer, timestamptz an
 * ISO string in UTC, date, numeric, uuid and text a string, bytea a Buffer, jsonb what it holds.
 */
export const VALUE_TYPES = {
  getTypeParser(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
    return PARSERS.get(type) ?? types.getTypeParser(type, format);
  },
};

/**
 * A value as PostgreSQL reads it: null, bytes, or text. A list becomes an array, any other object JSON; rows travel as lists in
 * binary (`binary-list.ts`).
 */
export function writeValue(value: unknown): string | Buffer | null {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return arrayLiteral(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** PostgreSQL, "Arrays": elements in braces, texts in quotes. */
function arrayLiteral(elements: readonly unknown[]): string {
  return `{${elements.map(elementLiteral).join(',')}}`;
}

function elementLiteral(element: unknown): string {
  if (typeof element === 'string') return quoted(element);
  if (element === null || element === undefined) return 'NULL';
  if (Buffer.isBuffer(element)) return `"\\\\x${element.toString('hex')}"`;
  if (Array.isArray(element)) return arrayLiteral(element);
  return typeof element === 'object' ? quoted(JSON.stringify(element)) : String(element);
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
