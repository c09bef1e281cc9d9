import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Link, linksOf, listPages, PROJECT, readPage } from './pages.ts';

describe.each(listPages())('%s', (page) => {
  test('links to what is there', () => {
    expect(linksOf(page).flatMap(fault)).toEqual([]);
  });
});

test.each(listPages())('%s names files that are there', (page) => {
  const named = [...readPage(page).matchAll(/`((?:src|test|client|portal|checkout|scripts|bench)\/[\w./-]+\.\w+)`/g)];
  expect(named.flatMap(([, path = '']) => (existsSync(join(PROJECT, path)) ? [] : [path]))).toEqual([]);
});

test('the index links to every page', () => {
  const linked = new Set(linksOf('docs/README.md').map(({ path }) => path));
  const pages = listPages().filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'));
  expect(pages.filter((page) => page !== 'docs/README.md' && !linked.has(page))).toEqual([]);
});

function fault(link: Link): string[] {
  const { path, fragment, text } = link;
  if (!existsSync(join(PROJECT, path))) return [`${path} is not there`];
  if (fragment === undefined) return symbolFault(path, text);
  return headingsOf(path).includes(fragment) ? [] : [`${path} has no heading ${fragment}`];
}

/** A link that shows code goes to a file that has it: to the symbol, not to a line, which moves with each change above it. */
function symbolFault(path: string, text: string): string[] {
  const [, symbol] = /^`([^`]+)`$/.exec(text) ?? [];
  if (symbol === undefined || !path.endsWith('.ts') || path.endsWith(symbol)) return [];
  return readFileSync(join(PROJECT, path), 'utf8').includes(symbol) ? [] : [`${path} does not have "${symbol}"`];
}

function headingsOf(path: string): string[] {
  const headings = readPage(path).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
