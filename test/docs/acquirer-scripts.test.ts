import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT, readPage } from './pages.ts';

const PAGE = 'docs/acquirers/scripts.md';

/** What a row names: the file of its test, and the name of that. */
interface Row {
  readonly line: string;
  readonly path: string;
  readonly name: string;
}

const rows: readonly (string | Row)[] = readPage(PAGE)
  .split('\n')
  .filter((line) => line.split('|').length === 7 && !/^\| (?:---|Message) ?\|/.test(line) && !line.startsWith('|---'))
  .map((line) => {
    const [, path, name] = /\| `(\S+)`: (.+) \|$/.exec(line) ?? [];
    return path === undefined || name === undefined ? line : { line, path, name };
  });

test('each row names a test that is there', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.flatMap((row) => (typeof row === 'string' ? [row] : []))).toEqual([]);
  const named = rows.filter((row) => typeof row !== 'string');
  expect(
    named.flatMap(({ line, path, name }) => (titlesOf(path).some((title) => title.test(name)) ? [] : [line])),
  ).toEqual([]);
});

test('what the page says of 3-D Secure names its test', () => {
  expect(readPage(PAGE)).toContain('`src/issuers/authentication/message-matrix.test.ts`');
});

/** The titles of a file's tests. What is filled into one may be anything. */
function titlesOf(path: string): RegExp[] {
  const text = readFileSync(join(PROJECT, path), 'utf8');
  const titles = text.matchAll(/(?:\b(?:test|it)|\))\(\s*(['`])((?:(?!\1)[^\n])+)\1,/g);
  return [...titles].map(([, , title = '']) => {
    const parts = title.split(/\$\{[^}]*\}|\$\w+|%\w/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.+')}$`);
  });
}
