import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT, readPage } from './pages.ts';

const PAGE = 'docs/security/requirements.md';

/** What an assessment asks of a payments service, at least. */
const ASKED = [
  ...['3.2', '3.3', '3.4', '3.5', '3.6', '3.7', '4.2', '6.2.4', '6.4.3', '7.', '8.', '10.', '11.5', '11.6.1', '12.10'],
  ...['5 ', '15 ', '17 ', '20 ', '25 ', '30 ', '32 '],
];

interface Row {
  readonly requirement: string;
  readonly verdict: string;
  readonly evidence: string;
  readonly left: string;
}

const rows = readPage(PAGE)
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:Requirement|Article) /.test(line))
  .map((line): Row => {
    const [, requirement = '', verdict = '', evidence = '', left = ''] = line.split('|').map((cell) => cell.trim());
    return { requirement, verdict, evidence, left };
  });

const testsOf = (text: string) => [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path = '']) => path);

test('each requirement that an assessment asks for has a row', () => {
  expect(ASKED.filter((asked) => !rows.some(({ requirement }) => `${requirement} `.startsWith(asked)))).toEqual([]);
  expect(rows.length).toBeGreaterThan(35);
});

test('no row says that it is met without a test', () => {
  expect(rows.filter(({ verdict }) => !['met', 'in part', 'operator'].includes(verdict))).toEqual([]);
  const unproven = rows.filter(({ verdict, evidence }) => verdict === 'met' && testsOf(evidence).length === 0);
  expect(unproven).toEqual([]);
});

test('what is met in part says what is left', () => {
  expect(rows.filter(({ verdict, left }) => verdict === 'in part' && left === '')).toEqual([]);
});

test.each([PAGE, 'docs/security.md'])('%s names tests that are there', (page) => {
  const named = testsOf(readPage(page));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
});
