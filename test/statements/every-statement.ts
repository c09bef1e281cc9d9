import { readdirSync, readFileSync } from 'node:fs';
import type { Statement } from '../../src/db/transaction.types.ts';

// Every named statement of the service: what functions of the sources run when they are called with stand-ins, and what modules export.

const SOURCES = new URL('../../src/', import.meta.url);
/** A statement in a source: its name, then its text. */
const WRITTEN = /\bname: ['`]([a-z][^'`]*)['`],\s*text:|\balong\(\s*[\w.()]+,\s*['`]([a-z][^'`]*)['`]/g;

/** Statements that one call of a function runs at most. */
const MOST_RUNS = 100;

/** Names as they are written: `${…}` stands where a statement has one name for each of some cases. */
export function writtenStatements(): ReadonlyMap<string, string> {
  return new Map(
    sources().flatMap((file) =>
      [...readFileSync(new URL(file, SOURCES), 'utf8').matchAll(WRITTEN)].map(
        ([, name, along = '']) => [name ?? along, file] as const,
      ),
    ),
  );
}

function sources(): readonly string[] {
  return (readdirSync(SOURCES, { recursive: true }) as string[]).filter((file) => /(?<!\.test)\.ts$/.test(file));
}

/** Statements by their names, of all files that write one. */
export async function everyStatement(): Promise<ReadonlyMap<string, Statement>> {
  const kept = new Map<string, Statement>();
  // What tables write and find has its name beside the table.
  const files = sources().filter((file) => file.endsWith('.store.ts'));
  for (const file of new Set([...files, ...writtenStatements().values()])) {
    const module = (await import(new URL(file, SOURCES).href)) as Record<string, unknown>;
    for (const exported of Object.values(module)) {
      keep(kept, exported);
      if (typeof exported === 'function' && !isClass(exported)) await call(exported as Function_, kept);
    }
  }
  return kept;
}

type Function_ = (...parameters: readonly unknown[]) => unknown;

/** A function gets its transaction first or second, and may go on with rows or without. */
async function call(function_: Function_, kept: Map<string, Statement>): Promise<void> {
  for (const rows of [[], [standIn()]]) {
    let runs = 0;
    const run = (statement: unknown) => {
      keep(kept, statement);
      // What tries again until the database says something else would never end.
      if (++runs > MOST_RUNS) throw new Error('enough');
      return Promise.resolve({ rows, count: rows.length });
    };
    const database = standIn({ run, read: run, query: run }, run);
    for (const parameters of [
      [database, standIn(), standIn(), standIn()],
      [standIn(), database, standIn()],
      [standIn(), standIn(), database],
      // What is called with rows.
      [[], standIn(), standIn(), standIn()],
    ]) {
      try {
        keep(kept, await Promise.race([function_(...parameters), new Promise(setImmediate)]));
      } catch {
        // What it ran until then is kept.
      }
    }
  }
}

function keep(kept: Map<string, Statement>, found: unknown): void {
  if (Array.isArray(found)) for (const one of found) keep(kept, one);
  if (typeof found !== 'object' || found === null) return;
  const { name, text, statement, searches } = found as Record<string, unknown>;
  if (typeof name === 'string' && typeof text === 'string') {
    kept.set(name, 'along' in found || 'ofOne' in found ? (found as unknown as Statement) : { name, text });
  }
  for (const inside of [statement, searches]) if (inside !== undefined) keep(kept, inside);
}

/** Whether a value that can be called has to be made with `new`. */
export function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/** What is anything: it can be called, read, walked and counted, and is 1 as a text and as a number. */
function standIn(members: Readonly<Record<string, unknown>> = {}, called?: Function_): unknown {
  const self: unknown = new Proxy(() => undefined, {
    apply: (_target, _this, parameters) => (called === undefined ? self : called(...parameters)),
    get(_target, member) {
      if (typeof member === 'string' && member in members) return members[member];
      if (member === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? 1 : '1');
      if (member === Symbol.iterator) return () => [self].values();
      if (member === 'then') return undefined;
      if (member === 'length') return 1;
      if (member === 'map' || member === 'flatMap') return (change: Function_) => [change(self, 0)];
      if (member === 'filter') return () => [self];
      return self;
    },
  });
  return self;
}
