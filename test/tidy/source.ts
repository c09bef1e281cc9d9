import { posix } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import type { SourceFile } from './files.ts';

/** What the rules of the house look at in a source. */
interface Source {
  /** As long as the text; blanks where comments, strings and regular expressions are. Quotes and line ends stay. */
  readonly code: string;
  /** The strings, without quotes. A template's pieces between `${}` count one by one. */
  readonly strings: readonly Literal[];
  /** The regular expressions, with their slashes and flags. */
  readonly regexes: readonly Literal[];
  readonly imports: readonly Import[];
}

/** A piece of a source. */
export interface Literal {
  readonly text: string;
  /** Offset of its first character. */
  readonly at: number;
}

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

const known = new Map<string, Source>();

/** Reads a source, once. @throws Error where it is none */
export function readSource({ path, text }: SourceFile): Source {
  const key = `${path}\n${text}`;
  const source = known.get(key) ?? parse(path, text);
  known.set(key, source);
  return source;
}

/** The line that an offset lies in, from 1. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** The path that a relative specifier names, from the root of the project; undefined for a package. */
export function targetPath(importer: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(importer), specifier) : undefined;
}

function parse(path: string, text: string): Source {
  const { program, module, comments, errors } = parseSync(path, text, { range: false });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const strings: Literal[] = [];
  const regexes: Literal[] = [];
  const imports: Import[] = [];
  const dynamic = ({ start }: Node, source: Node) => {
    const specifier = source.type === 'Literal' ? String(source.value) : undefined;
    imports.push({ line: lineAt(text, start), kind: 'dynamic', typeOnly: false, names: ['*'], specifier });
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) regexes.push({ text: text.slice(node.start, node.end), at: node.start });
      else if (typeof node.value === 'string') strings.push(inner(text, node));
    },
    TemplateElement: (node) =>
      void strings.push({ text: node.value.raw, at: text.indexOf(node.value.raw, node.start) }),
    ImportExpression: (node) => dynamic(node, node.source),
    TSImportType: (node) => dynamic(node, node.source),
  }).visit(program);
  for (const { start, entries, moduleRequest } of module.staticImports) {
    imports.push({ ...whole(text, start, entries), kind: 'import', specifier: moduleRequest.value });
  }
  for (const { start, entries } of module.staticExports) {
    const specifier = entries[0]?.moduleRequest?.value;
    // What is imported and exported under its name is told as well, at the place of its import.
    if (specifier !== undefined && text.startsWith('export', start))
      imports.push({ ...whole(text, start, entries), kind: 'export', specifier });
  }
  return {
    code: blanked(text, [
      ...comments,
      ...[...strings, ...regexes].map((piece) => ({ start: piece.at, end: piece.at + piece.text.length })),
    ]),
    strings: strings.sort(byPlace),
    regexes: regexes.sort(byPlace),
    imports: imports.sort((a, b) => a.line - b.line),
  };
}

const byPlace = (a: Literal, b: Literal) => a.at - b.at;

function inner(text: string, { start, end }: Node): Literal {
  return { text: text.slice(start + 1, end - 1), at: start + 1 };
}

interface Entry {
  readonly importName: { readonly kind: string; readonly name: string | null };
  readonly isType: boolean;
}

function whole(text: string, start: number, entries: readonly Entry[]) {
  return {
    line: lineAt(text, start),
    typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    names: entries.map(({ importName }) => importName.name ?? (importName.kind === 'Default' ? 'default' : '*')),
  };
}

function blanked(text: string, spans: readonly { readonly start: number; readonly end: number }[]): string {
  let code = '';
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    code += text.slice(code.length, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
  }
  return code + text.slice(code.length);
}
