import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { addTo } from '../../../src/kit/group-by.ts';
import { type Form, formsOfCardNumber, formsOfGuessable, formsOfText } from './forms.ts';

/** Something that must not be found, and what it is called in a report: where it was sent, never the value. */
export interface Sought {
  readonly name: string;
  readonly value: string;
  /** What people choose or have, as a password or a name, can be guessed: a digest of it without a key gives it away too. */
  readonly kind: 'card number' | 'guessable' | 'secret';
}

/** Finds what is sought in bytes of any kind. */
export interface Scanner {
  /** What was found, one line for each thing and form. */
  scan(bytes: Buffer): string[];
}

/** Bytes at the end of a needle by which it is recognised. The beginnings are alike: cards of one bank start alike. */
const TAIL_BYTES = 4;
/** Of the filter that is asked at each byte: most needles' tails are alone in it, and it fits into a processor's cache. */
const FILTER_BITS = 23;
/** Digits that a card number may have (ISO/IEC 7812-1), in the test ranges and everywhere. */
const LENGTHS_OF_NUMBERS = [12, 13, 14, 15, 16, 17, 18, 19];
/** Blanks, dashes and the like between the digits of a number, as people and programs write them. */
const SEPARATED = /\d(?:(?:[\s\-_.,/:|+*]|\xc2\xa0|\xe2\x80[\x90-\x95]|%20|%2d|&nbsp;|\\t){0,3}\d){12,}/gi;

/** Bytes that a run of SEPARATED may have beside digits, and how many digits it has at least: what has fewer is not looked at. */
const BETWEEN = new Set(
  Buffer.from(' \t\n\v\f\r-_.,/:|+*%&;\\nbsptdD\xa0\xc2\xe2\x80\x90\x91\x92\x93\x94\x95', 'latin1'),
);
const FEWEST_DIGITS = 13;
/** Files of a database have many pages of zeros, in which nothing is. */
const ZEROS = Buffer.alloc(8192);

/** Makes a scanner for all forms of all that is sought: it goes through the bytes once, however many forms there are. */
export function scannerFor(sought: readonly Sought[]): Scanner {
  const forms = indexOf(sought);
  const numbers = new Map(sought.filter(({ kind }) => kind === 'card number').map(({ value, name }) => [value, name]));
  return { scan: (bytes) => [...new Set([...findForms(bytes, forms), ...findSeparated(bytes, numbers)])] };
}

/**
 * All forms, by their bytes as Latin-1 text. Thousands of them may have one tail, as digits have in UTF-16 or as escapes: so one
 * is looked up whole, for each length that forms with this tail have. There are some hundred thousand, so each is told by
 * one number, and what it is called is put together when it was found.
 */
interface Index {
  readonly found: ReadonlyMap<string, number>;
  /** Forms whose bytes another one has, too. */
  readonly others: ReadonlyMap<string, readonly number[]>;
  readonly describe: (one: number) => string;
  readonly lengths: ReadonlyMap<number, readonly number[]>;
  readonly filter: Uint8Array;
}

function indexOf(sought: readonly Sought[]): Index {
  const found = new Map<string, number>();
  const others = new Map<string, number[]>();
  const lengths = new Map<number, number[]>();
  const filter = new Uint8Array(2 ** (FILTER_BITS - 3));
  const names = new Map<string, number>();
  const told: string[] = [];
  sought.forEach((one, index) => {
    for (const { name, bytes } of formsOf(one)) {
      const nameIndex = names.get(name) ?? told.push(name) - 1;
      names.set(name, nameIndex);
      const key = bytes.toString('latin1');
      const id = index * MOST_NAMES + nameIndex;
      if (found.has(key)) addTo(others, key, id);
      else found.set(key, id);
      const tail = bytes.readInt32BE(bytes.length - TAIL_BYTES);
      if (!lengths.get(tail)?.includes(bytes.length)) addTo(lengths, tail, bytes.length);
      const before = bytes.length < 2 * TAIL_BYTES ? undefined : bytes.readInt32BE(bytes.length - 2 * TAIL_BYTES);
      const bit = bitOf(tail, before);
      filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
    }
  });
  const describe = (id: number) => {
    const one = sought[Math.floor(id / MOST_NAMES)];
    return `${one?.kind} (${one?.name}) as ${told[id % MOST_NAMES]}`;
  };
  return { found, others, describe, lengths, filter };
}

/** More than there are names of forms. */
const MOST_NAMES = 1024;

/** All forms in which something is sought. */
function formsOf({ kind, value }: Pick<Sought, 'kind' | 'value'>): Form[] {
  if (kind === 'card number') return formsOfCardNumber(value);
  return kind === 'guessable' ? formsOfGuessable(value) : formsOfText(value);
}

/** Where the filter has a tail: with the four bytes before it, unless the needle is too short. In texts four alone are not rare. */
function bitOf(tail: number, before = 0): number {
  return Math.imul(tail ^ Math.imul(before, 0x85ebca6b), 0x9e3779b1) >>> (32 - FILTER_BITS);
}

function findForms(bytes: Buffer, { found, others, describe, lengths, filter }: Index): string[] {
  const lines: string[] = [];
  const has = (bit: number) => (((filter[bit >>> 3] as number) >>> (bit & 7)) & 1) === 1;
  let before = 0;
  let tail = 0;
  for (let end = 0; end < bytes.length; ) {
    if (tail === 0 && end % ZEROS.length === 0 && isZeros(bytes, end)) {
      end += ZEROS.length;
      before = 0;
      continue;
    }
    before = (before << 8) | (tail >>> 24);
    tail = (tail << 8) | (bytes[end++] as number);
    if (!has(bitOf(tail, before)) && !has(bitOf(tail))) continue;
    for (const length of lengths.get(tail) ?? NONE) {
      if (end < length) continue;
      const key = bytes.toString('latin1', end - length, end);
      const id = found.get(key);
      if (id !== undefined) lines.push(...[id, ...(others.get(key) ?? NONE)].map(describe));
    }
  }
  return lines;
}

const NONE: readonly number[] = [];

function isZeros(bytes: Buffer, at: number): boolean {
  return at + ZEROS.length <= bytes.length && bytes.compare(ZEROS, 0, ZEROS.length, at, at + ZEROS.length) === 0;
}

/** Numbers, by their digits, in digits with separators between them. */
function findSeparated(bytes: Buffer, numbers: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const part of digitsAndBetween(bytes)) {
    for (const [run] of part.matchAll(SEPARATED)) {
      const digits = run.replace(/%20|%2d|\D/gi, '');
      for (let start = 0; start < digits.length; start++) {
        for (const length of LENGTHS_OF_NUMBERS) {
          const name = numbers.get(digits.slice(start, start + length));
          if (name !== undefined) found.push(`card number (${name}) in groups of digits`);
        }
      }
    }
  }
  return found;
}

/** Parts that have enough digits, and nothing else but what may stand between them: a thousandth of all, mostly. */
function digitsAndBetween(bytes: Buffer): string[] {
  const parts: string[] = [];
  let start = 0;
  let digits = 0;
  for (let at = 0; at < bytes.length; at++) {
    const kind = KINDS[bytes[at] as number] as number;
    if (kind === DIGIT) digits++;
    if (kind !== 0) continue;
    if (digits >= FEWEST_DIGITS) parts.push(bytes.toString('latin1', start, at));
    digits = 0;
    start = at + 1;
    if (at % ZEROS.length === 0 && isZeros(bytes, at)) at += ZEROS.length - 1;
  }
  if (digits >= FEWEST_DIGITS) parts.push(bytes.toString('latin1', start));
  return parts;
}

const DIGIT = 2;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x30 && byte <= 0x39 ? DIGIT : BETWEEN.has(byte) ? 1 : 0,
);

/** Scans all files below a folder, and their names. */
export function scanFolder(folder: string, scanner: Scanner, skip: (path: string) => boolean = () => false): string[] {
  return filesBelow(folder)
    .filter((path) => !skip(path))
    .flatMap((path) => {
      const content = Buffer.concat([Buffer.from(`${path}\n`), readFileSync(join(folder, path))]);
      return scanner.scan(content).map((found) => `${path}: ${found}`);
    });
}

/** Relative paths of all regular files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
