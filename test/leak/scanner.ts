import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { addTo } from '../../src/kit/group-by.ts';
import { type Form, formsOfCardNumber, formsOfText } from './forms.ts';

/** Something that must not be found, and what it is called in a report: where it was sent, never the value. */
export interface Sought {
  readonly name: string;
  readonly value: string;
  readonly kind: 'card number' | 'secret';
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

/** Makes a scanner for all forms of all that is sought: it goes through the bytes once, however many forms there are. */
export function scannerFor(sought: readonly Sought[]): Scanner {
  const forms = indexOf(sought);
  const numbers = new Map(sought.filter(({ kind }) => kind === 'card number').map(({ value, name }) => [value, name]));
  return { scan: (bytes) => [...new Set([...findForms(bytes, forms), ...findSeparated(bytes, numbers)])] };
}

/**
 * All forms, by their bytes as Latin-1 text. Thousands of them may have one tail, as digits have in UTF-16 or as escapes: so one
 * is looked up whole, for each length that forms with this tail have.
 */
interface Index {
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly lengths: ReadonlyMap<number, readonly number[]>;
  readonly filter: Uint8Array;
}

function indexOf(sought: readonly Sought[]): Index {
  const names = new Map<string, string[]>();
  const lengths = new Map<number, number[]>();
  const filter = new Uint8Array(2 ** (FILTER_BITS - 3));
  for (const one of sought) {
    for (const form of formsOf(one)) {
      const { bytes } = form;
      addTo(names, bytes.toString('latin1'), describe(one, form));
      const tail = bytes.readInt32BE(bytes.length - TAIL_BYTES);
      if (!lengths.get(tail)?.includes(bytes.length)) addTo(lengths, tail, bytes.length);
      const bit = bitOf(tail);
      filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
    }
  }
  return { names, lengths, filter };
}

function formsOf({ kind, value }: Sought): Form[] {
  return kind === 'card number' ? formsOfCardNumber(value) : formsOfText(value);
}

function describe(one: Sought, form: Form): string {
  return `${one.kind} (${one.name}) as ${form.name}`;
}

function bitOf(tail: number): number {
  return Math.imul(tail, 0x9e3779b1) >>> (32 - FILTER_BITS);
}

function findForms(bytes: Buffer, { names, lengths, filter }: Index): string[] {
  const found: string[] = [];
  let tail = 0;
  for (let end = 0; end < bytes.length; ) {
    tail = (tail << 8) | (bytes[end++] as number);
    const bit = bitOf(tail);
    if ((((filter[bit >>> 3] as number) >>> (bit & 7)) & 1) === 0) continue;
    for (const length of lengths.get(tail) ?? NONE) {
      const ofThese = end < length ? undefined : names.get(bytes.toString('latin1', end - length, end));
      if (ofThese !== undefined) found.push(...ofThese);
    }
  }
  return found;
}

const NONE: readonly number[] = [];

/** Numbers, by their digits, in digits with separators between them. */
function findSeparated(bytes: Buffer, numbers: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [run] of bytes.toString('latin1').matchAll(SEPARATED)) {
    const digits = run.replace(/%20|%2d|\D/gi, '');
    for (let start = 0; start < digits.length; start++) {
      for (const length of LENGTHS_OF_NUMBERS) {
        const name = numbers.get(digits.slice(start, start + length));
        if (name !== undefined) found.push(`card number (${name}) in groups of digits`);
      }
    }
  }
  return found;
}

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
