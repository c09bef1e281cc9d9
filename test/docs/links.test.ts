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
  if (fragment === undefined) return [];
  if (/^L\d+$/.test(fragment)) return lineFault(path, Number(fragment.slice(1)), text.replaceAll('`', ''));
  return headingsOf(path).includes(fragment) ? [] : [`${path} has no heading ${fragment}`];
}

/** A link to a line shows what stands in it, so that it cannot come to point elsewhere unnoticed. */
function lineFault(path: string, line: number, text: string): string[] {
  const lines = readFileSync(join(PROJECT, path), 'utf8').split('\n');
  if (lines[line - 1]?.includes(text)) return [];
  const found = lines.flatMap((content, index) => (content.includes(text) ? [index + 1] : []));
  return [`${path}#L${line} does not have "${text}"; lines that do: ${found.join(', ')}`];
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
