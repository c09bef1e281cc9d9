import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error A script of the build, without types.
import { supplyFindings } from '../scripts/supply-findings.mjs';

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8'));
const PROJECT = read('package.json');
const LOCK = read('package-lock.json');
const PG = 'node_modules/pg';

test('nothing that the lockfile brings is wrong', () => {
  expect(supplyFindings(PROJECT, LOCK)).toEqual([]);
});

test.each([
  ['a version of no registry', { version: 'git+https://example.com/pg.git' }, 'is no version of a registry'],
  ['no digest', { integrity: undefined }, 'has no SHA-512 digest'],
  ['a weak digest', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no SHA-512 digest'],
  ['an address', { resolved: 'https://registry.example.com/pg.tgz' }, 'names the address'],
  ['an install script', { hasInstallScript: true }, 'has an install script'],
  ['a licence that asks for more', { license: 'AGPL-3.0-only' }, 'has a licence'],
  ['no licence', { license: undefined }, 'has a licence'],
  ['a newer Node than the floor', { engines: { node: '>=22' } }, 'wants Node >=22'],
])('%s is found', (_, change, finding) => {
  const packages = { ...LOCK.packages, [PG]: { ...LOCK.packages[PG], ...change } };
  expect(supplyFindings(PROJECT, { ...LOCK, packages })).toEqual([expect.stringContaining(`${PG} ${finding}`)]);
});

test('a range in package.json is found', () => {
  const project = { ...PROJECT, dependencies: { ...PROJECT.dependencies, pg: '^8.23.1' } };
  expect(supplyFindings(project, LOCK)).toEqual(['package.json: dependencies.pg is no exact version.']);
});
