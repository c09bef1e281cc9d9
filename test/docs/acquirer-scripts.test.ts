import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linksOf, PROJECT, readPage } from './pages.ts';

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
    const [, link, path, name] = /\| (\[[\w.-]+\]\((\S+)\)): (.+) \|$/.exec(line) ?? [];
    return link === undefined || path === undefined || name === undefined ? line : { line, path, name };
  });

test('each row names a test that is there', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.flatMap((row) => (typeof row === 'string' ? [row] : []))).toEqual([]);
  const named = rows.filter((row) => typeof row !== 'string');
  expect(
    named.flatMap(({ line, path, name }) => (titlesOf(path).some((title) => title.test(name)) ? [] : [line])),
  ).toEqual([]);
});

test('what the page says of 3-D Secure links to its test', () => {
  expect(linksOf(PAGE).map(({ path }) => path)).toContain('src/issuers/authentication/message-matrix.test.ts');
});

/** The titles of a file's tests. What is filled into one may be anything. */
function titlesOf(link: string): RegExp[] {
  const text = readFileSync(join(PROJECT, 'docs/acquirers', link), 'utf8');
  const titles = text.matchAll(/(?:\b(?:test|it)|\))\(\s*(['`])((?:(?!\1)[^\n])+)\1,/g);
  return [...titles].map(([, , title = '']) => {
    const parts = title.split(/\$\{[^}]*\}|\$\w+|%\w/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.+')}$`);
  });
}
