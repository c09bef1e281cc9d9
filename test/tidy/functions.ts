import type { SourceFile } from './files.ts';
import { lineAt, scan } from './scan.ts';

/** A function with a body, found by its braces. */
export interface FoundFunction {
  readonly name: string;
  readonly line: number;
  /** From the line of its parameters to that of its closing brace. */
  readonly lines: number;
  readonly parameters: number;
}

const NO_FUNCTION = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'await', 'case', 'return']);

/**
 * The functions of a formatted source: declarations, methods and arrows whose body has braces. An arrow that is only an
 * expression is left out; it cannot be long without a line that is.
 */
export function functionsIn(file: SourceFile): FoundFunction[] {
  const { code } = scan(file.text);
  return [...code.matchAll(/\{/g)].flatMap(({ index }) => functionAt(code, index) ?? []);
}

function functionAt(code: string, brace: number): FoundFunction | undefined {
  const before = code.slice(0, brace).trimEnd();
  const isArrow = before.endsWith('=>');
  const head = isArrow ? before.slice(0, -2).trimEnd() : before;
  const close = closeOfParameters(head);
  if (close === undefined) return isArrow ? oneWordArrow(code, brace, head) : undefined;
  const open = matchingOpen(head, close);
  const name = /([\w$#\]]+)\s*(?:<[^()]*>)?\s*$/.exec(tail(head.slice(0, open)))?.[1] ?? '';
  if (!isArrow && (name === '' || NO_FUNCTION.has(name))) return undefined;
  return found(code, {
    from: open,
    brace,
    name: isArrow ? nameOfArrow(head.slice(0, open)) : name,
    parameters: countParameters(code.slice(open + 1, close)),
  });
}

function oneWordArrow(code: string, brace: number, head: string): FoundFunction | undefined {
  const parameter = /[\w$]+$/.exec(tail(head))?.[0];
  if (parameter === undefined) return undefined;
  const from = head.length - parameter.length;
  return found(code, {
    from,
    brace,
    name: nameOfArrow(head.slice(0, from)),
    parameters: 1,
  });
}

/** Where the parameters end: the last closing parenthesis, with nothing but a return type after it. */
function closeOfParameters(head: string): number | undefined {
  const match = /\)(?:\s*:[\s{]*\w[\w$.[\]<>|&,"'\s{}:;?]*)?$/.exec(tail(head));
  return match === null ? undefined : head.length - tail(head).length + match.index;
}

/** As much of what stands before a place as a signature's end can be long; more would make the search slow. */
function tail(text: string): string {
  return text.slice(-400);
}

function matchingOpen(text: string, close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (text.charAt(at) === ')') depth++;
    if (text.charAt(at) === '(' && --depth === 0) return at;
  }
  return 0;
}

function nameOfArrow(before: string): string {
  return /([\w$#]+)\s*(?::[^=;]*)?=\s*(?:async\s*)?(?:<[^()]*>)?$/.exec(tail(before))?.[1] ?? 'an arrow function';
}

function countParameters(text: string): number {
  let depth = 0;
  let count = text.trim() === '' ? 0 : 1;
  for (const character of text.replace(/=>/g, '  ').replace(/,\s*$/, '')) {
    if ('([{<'.includes(character)) depth++;
    if (')]}>'.includes(character)) depth--;
    if (character === ',' && depth === 0) count++;
  }
  return count;
}

interface Parts {
  readonly from: number;
  readonly brace: number;
  readonly name: string;
  readonly parameters: number;
}

function found(code: string, { from, brace, name, parameters }: Parts): FoundFunction {
  const line = lineAt(code, from);
  return { name, line, lines: lineAt(code, closingBrace(code, brace)) - line + 1, parameters };
}

function closingBrace(code: string, brace: number): number {
  let depth = 0;
  for (let at = brace; at < code.length; at++) {
    if (code.charAt(at) === '{') depth++;
    if (code.charAt(at) === '}' && --depth === 0) return at;
  }
  return code.length;
}
