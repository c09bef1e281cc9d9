import { expect, test } from 'vitest';
import { serviceSources } from './files.ts';

/** A name that is compared with that of a constant, or with that of a kind of command. */
const COMPARED = /[=!]== *[A-Z][A-Z_]+\.name\b|\b(kind|[A-Z][A-Z_]+)\.name *[=!]==|\.(get|has)\(kind\.name\)/;

/** What a name of another thing is compared with. */
const NO_KINDS = new Set(['src/issuers/acquirers/file/load-acquirers.ts']);

test('no kind of command is known by its name: what others need to know of it, it says in a member', () => {
  const lines = serviceSources()
    .filter(({ path }) => !NO_KINDS.has(path))
    .flatMap(({ path, text }) => text.split('\n').map((line) => ({ path, line: line.trim() })))
    .filter(({ line }) => COMPARED.test(line));
  expect(lines).toEqual([]);
});
