import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { ROOT, serviceSources } from './files.ts';
import { lineAt, readSource } from './source.ts';

/** A regular expression of the service, and where it stands. */
interface Found {
  readonly where: string;
  readonly regex: RegExp;
}

/** Characters with which an expression that doubles its time with each of them takes long. */
const FEW = 20;
/** Characters of the shorter text: one that is looked through again from each of its places takes tenths of a millisecond then. */
const LENGTH = 500;
/** The longer one: in a line it takes eight times as long, in a square 64 times. */
const TIMES_LONGER = 8;
const MOST_TIMES = 24;
/** Milliseconds below which a text is not looked at again: a line through the shorter text takes a thousandth. */
const SUSPICIOUS_MS = 0.05;
/** Measurements of a text before it counts as slow: others use the processor too, and the quickest one counts. */
const MEASUREMENTS = 8;

const sources = serviceSources();
const literals = sources.flatMap((file) =>
  readSource(file).regexes.map((literal): Found => {
    const end = literal.text.lastIndexOf('/');
    const regex = new RegExp(literal.text.slice(1, end), literal.text.slice(end + 1));
    return { where: `${file.path}:${lineAt(file.text, literal.at)}`, regex };
  }),
);
const made = await madeByConstructor(sources.filter(({ text }) => text.includes('new RegExp(')));

describe('every regular expression of the service', () => {
  afterAll(() => vi.resetModules());

  test('is found', () => {
    expect(literals.length).toBeGreaterThan(100);
    expect(made.length).toBeGreaterThan(5);
  });

  test('takes twice as long for a text twice as long, whatever is in it', () => {
    const slow = [...literals, ...made].flatMap(({ where, regex }) => {
      const text = slowText(regex);
      return text === undefined ? [] : [`${where}: ${regex} looks at ${text} again and again`];
    });
    expect(slow).toEqual([]);
  });
});

test('finds those that are slow', () => {
  for (const regex of [/=+$/, /^(a+)+$/, /^1\s*[/.-]?\s*2$/, /^\s+|\s+$/g]) {
    expect(slowText(regex), String(regex)).toBeDefined();
  }
});

/** Expressions that a file makes of pieces as it is loaded: they stand nowhere as a whole. */
async function madeByConstructor(files: readonly { readonly path: string }[]): Promise<Found[]> {
  const found: Found[] = [];
  const original = globalThis.RegExp;
  for (const { path } of files) {
    vi.resetModules();
    globalThis.RegExp = new Proxy(original, {
      construct(target, [source, flags]) {
        const regex = new target(source, flags);
        found.push({ where: path, regex });
        return regex;
      },
    });
    try {
      await import(join(ROOT, path));
    } finally {
      globalThis.RegExp = original;
    }
  }
  return found;
}

/** What a text is made of that this expression takes long for; undefined where there is none. */
function slowText(regex: RegExp): string | undefined {
  const pool = charactersOf(regex);
  const pumps = [...pool, ...pool.flatMap((one) => pool.map((other) => one + other))];
  for (const start of ['', ...pool]) {
    for (const pump of pumps) {
      for (const end of ['', '\n!']) {
        const textOf = (length: number) => start + pump.repeat(length / pump.length) + end;
        // Twice: the processor may have been away for all measurements of one text.
        if (isSlow(regex, textOf) && isSlow(regex, textOf)) return JSON.stringify(`${start}${pump}…${end}`);
      }
    }
  }
  return undefined;
}

function isSlow(regex: RegExp, textOf: (length: number) => string): boolean {
  // What doubles with each character would never end with the lengths below.
  if (quickest(regex, textOf(FEW), SUSPICIOUS_MS) > SUSPICIOUS_MS) return true;
  const short = quickest(regex, textOf(LENGTH), SUSPICIOUS_MS);
  if (short <= SUSPICIOUS_MS) return false;
  return quickest(regex, textOf(LENGTH * TIMES_LONGER), MOST_TIMES * short) > MOST_TIMES * short;
}

/** The quickest of some measurements, which end with one that is quick enough. */
function quickest(regex: RegExp, text: string, enoughMs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let measured = 0; measured < MEASUREMENTS && least > enoughMs; measured++) {
    least = Math.min(least, measure(regex, text));
  }
  return least;
}

function measure(regex: RegExp, text: string): number {
  const from = performance.now();
  if (regex.global) text.replace(regex, '');
  else {
    regex.lastIndex = 0;
    regex.test(text);
  }
  return performance.now() - from;
}

/** One of each kind of character that the expression tells from others, and one that it does not name. */
function charactersOf({ source }: RegExp): string[] {
  const classes = { '\\d': '1', '\\D': 'x', '\\s': ' ', '\\S': 'x', '\\w': 'a', '\\W': '-' };
  const named = Object.entries(classes).flatMap(([name, character]) => (source.includes(name) ? [character] : []));
  const plain = source.replace(/\\u\{?[0-9a-f]+\}?|\\x[0-9a-f]{2}|\(\?[:=!<]|\{[0-9,]*\}|\\[a-zA-Z]/g, '');
  const written = plain.replace(/[\^$*+?()[\]|\\]/g, '');
  return [...new Set([...named, 'x', ...written])].slice(0, 8);
}
