import { posix } from 'node:path';
import type { SourceFile } from './files.ts';
import { lineAt, type Scanned, scan } from './scan.ts';

/** One import, or one `export … from`. */
export interface Import {
  readonly line: number;
  /** `dynamic` is `import()`, in code and in types. */
  readonly kind: 'import' | 'export' | 'dynamic';
  /** Nothing of it is left when the types are stripped. */
  readonly typeOnly: boolean;
  /** The names as the other file exports them; `*` and `default` as such. */
  readonly names: readonly string[];
  /** Undefined where a dynamic import computes it. */
  readonly specifier: string | undefined;
}

const FROM = /\b(import|export)\s+(type\s+(?!from\b|,))?([\w$*{},\s]+?)\s+from\s*['"]/g;
const BARE = /\bimport\s*['"]/g;
const DYNAMIC = /\bimport\s*\(\s*(['"]?)/g;

/** The imports of a source, in the order of their lines. */
export function importsOf(file: SourceFile): Import[] {
  const source = { ...file, ...scan(file.text) };
  return [...fromClauses(source), ...bareImports(source), ...dynamicImports(source)].sort((a, b) => a.line - b.line);
}

/** The path that a relative specifier names, from the root of the project; undefined for a package. */
export function targetPath(importer: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(importer), specifier) : undefined;
}

type Source = SourceFile & Scanned;

function fromClauses(source: Source): Import[] {
  return [...source.code.matchAll(FROM)].map((match) => {
    const clause = (match[3] ?? '').trim();
    return {
      line: lineAt(source.code, match.index),
      kind: match[1] === 'export' ? 'export' : 'import',
      typeOnly: match[2] !== undefined || allTypes(clause),
      names: namesIn(clause),
      specifier: stringAt(source, match.index + match[0].length),
    };
  });
}

function bareImports(source: Source): Import[] {
  return [...source.code.matchAll(BARE)].map((match) => ({
    line: lineAt(source.code, match.index),
    kind: 'import',
    typeOnly: false,
    names: [],
    specifier: stringAt(source, match.index + match[0].length),
  }));
}

function dynamicImports(source: Source): Import[] {
  return [...source.code.matchAll(DYNAMIC)].map((match) => ({
    line: lineAt(source.code, match.index),
    kind: 'dynamic',
    typeOnly: false,
    names: ['*'],
    specifier: match[1] === '' ? undefined : stringAt(source, match.index + match[0].length),
  }));
}

function stringAt(source: Source, at: number): string | undefined {
  return source.strings.find((literal) => literal.at === at)?.text;
}

function allTypes(clause: string): boolean {
  const inBraces = /^\{([^}]*)\}$/.exec(clause)?.[1];
  const names = inBraces?.split(',').filter((name) => name.trim() !== '');
  return names?.length ? names.every((name) => /^\s*type\s/.test(name)) : false;
}

function namesIn(clause: string): string[] {
  const [outside = '', inside = ''] = clause.split(/[{}]/);
  const plain = outside.split(',').map((name) => name.trim());
  return [
    ...plain.filter((name) => name !== '').map((name) => (name.startsWith('*') ? '*' : 'default')),
    ...inside.split(',').flatMap((name) => /^\s*(?:type\s+)?([\w$]+)/.exec(name)?.[1] ?? []),
  ];
}
