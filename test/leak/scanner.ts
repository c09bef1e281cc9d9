import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
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

interface Needle {
  readonly bytes: Buffer;
  readonly name: string;
}

/** Bytes at the end of a needle by which it is recognised. The beginnings are alike: cards of one bank start alike. */
const TAIL_BYTES = 4;
/** Of the filter that is asked at each byte: most needles' tails are alone in it, and it fits into a processor's cache. */
const FILTER_BITS = 23;
/** Blanks, dashes and the like between the digits of a number, as people and programs write them. */
const SEPARATED = /\d(?:(?:[\s\-_.,/:|+*]|\xc2\xa0|\xe2\x80[\x90-\x95]|%20|%2d|&nbsp;|\\t){0,3}\d){12,}/gi;

/** Makes a scanner for all forms of all that is sought: it goes through the bytes once, however many forms there are. */
export function scannerFor(sought: readonly Sought[]): Scanner {
  const needles = sought.flatMap((one) =>
    formsOf(one).map((form) => ({ bytes: form.bytes, name: describe(one, form) })),
  );
  const byTail = new Map<number, Needle[]>();
  const filter = new Uint8Array(2 ** (FILTER_BITS - 3));
  for (const needle of needles) {
    const tail = needle.bytes.readInt32BE(needle.bytes.length - TAIL_BYTES);
    const alike = byTail.get(tail);
    if (alike === undefined) byTail.set(tail, [needle]);
    else alike.push(needle);
    const bit = bitOf(tail);
    filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
  }
  const numbers = sought.filter(({ kind }) => kind === 'card number');
  return {
    scan: (bytes) => [...new Set([...findNeedles(bytes, byTail, filter), ...findSeparated(bytes, numbers)])],
  };
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

function findNeedles(bytes: Buffer, byTail: ReadonlyMap<number, readonly Needle[]>, filter: Uint8Array): string[] {
  const found: string[] = [];
  let tail = 0;
  for (let end = 0; end < bytes.length; ) {
    tail = (tail << 8) | (bytes[end++] as number);
    const bit = bitOf(tail);
    if ((((filter[bit >>> 3] as number) >>> (bit & 7)) & 1) === 0) continue;
    for (const needle of byTail.get(tail) ?? NONE) {
      const start = end - needle.bytes.length;
      if (start >= 0 && needle.bytes.compare(bytes, start, end) === 0) found.push(needle.name);
    }
  }
  return found;
}

const NONE: readonly Needle[] = [];

function findSeparated(bytes: Buffer, numbers: readonly Sought[]): string[] {
  const found: string[] = [];
  for (const [run] of bytes.toString('latin1').matchAll(SEPARATED)) {
    const digits = run.replace(/%20|%2d|\D/gi, '');
    for (const { name, value } of numbers) {
      if (digits.includes(value)) found.push(`card number (${name}) in groups of digits`);
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
