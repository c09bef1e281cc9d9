import { types } from 'pg';
import { assert } from '../kit/assert.ts';

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

const UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/**
 * A timestamptz as ISO 8601 in UTC with three digits of milliseconds: what the wire shows. Finer digits are cut off;
 * `kontor_now()` makes none.
 *
 * @throws AssertionFailure where the session does not speak UTC, and for infinity and years beyond 9999, which we never store
 */
export function parseTimestamp(text: string): string {
  const parts = UTC.exec(text);
  assert(parts !== null, 'a timestamp from the database is in UTC and has a year of four digits');
  return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').slice(0, 3).padEnd(3, '0')}Z`;
}

/** Arrays of every type are written alike. */
function arrayOf(parse: (text: string) => unknown): (text: string) => unknown {
  const parseTexts: (text: string) => (string | null)[] = types.getTypeParser(TEXT_ARRAY);
  return (text) => parseTexts(text).map((element) => (element === null ? null : parse(element)));
}

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [INT8, parseBigint],
  [TIMESTAMP_WITH_ZONE, parseTimestamp],
  // A date has no zone; the driver's Date would put one in.
  [DATE, (text) => text],
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
 * A value as the driver takes it. Lists are written here: the driver would escape each of their elements twice, which is a
 * tenth of the time of a payment, whose rows travel as lists.
 */
export function writeValue(value: unknown): unknown {
  return Array.isArray(value) && value.every(isPlain) ? arrayLiteral(value) : value;
}

type Plain = string | number | boolean | null;

function isPlain(element: unknown): element is Plain {
  return element === null || typeof element === 'string' || typeof element === 'number' || typeof element === 'boolean';
}

/** PostgreSQL, "Arrays": elements in braces, texts in quotes. */
function arrayLiteral(elements: readonly Plain[]): string {
  const [first] = elements;
  // Half of the columns of a batch say the same in each row: one payee, one currency, one instant.
  if (first !== undefined && elements.every((element) => element === first)) {
    const literal = elementLiteral(first);
    return `{${`${literal},`.repeat(elements.length - 1)}${literal}}`;
  }
  return `{${elements.map(elementLiteral).join(',')}}`;
}

function elementLiteral(element: Plain): string {
  if (element === null) return 'NULL';
  return typeof element === 'string' ? quoted(element) : String(element);
}

const SPECIAL = /["\\]/;
// JSON writes these in a way of its own; everything else that it escapes, an array's text escapes alike.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPED_BY_JSON_ALONE = /[\u0000-\u001f\ud800-\udfff]/;

function quoted(text: string): string {
  if (!SPECIAL.test(text)) return `"${text}"`;
  if (!ESCAPED_BY_JSON_ALONE.test(text)) return JSON.stringify(text);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
