import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ISO93 } from '../../iso8583/dialects/iso93.rules.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { loadAcquirers } from './load-acquirers.ts';

/** The example, at an acquirer that speaks this dialect. */
function load(dialect: object) {
  const document = JSON.parse(readFileSync('examples/acquirers.json', 'utf8'));
  for (const acquirer of document.acquirers) acquirer.dialect = 'own.json';
  const texts: Readonly<Record<string, string>> = {
    '/etc/acquirers.json': JSON.stringify(document),
    '/etc/own.json': JSON.stringify(dialect),
  };
  const place = { path: '/etc/acquirers.json', isNamed: true, fileAt: (path: string) => `/etc/${path}` };
  return loadAcquirers(place, { text: (path) => texts[path] });
}

test('a dialect file is taken where it has room for all that is written', () => {
  expect(load(ISO93)?.dialects.size).toBeGreaterThan(0);
});

test('one that has not is refused before any line is opened, with the file and the place', () => {
  const fields = { ...ISO93.fields, stan: { number: 11, form: 'n', length: 4 } };
  expect(() => load({ ...ISO93, fields })).toThrow(
    new Trouble('/etc/own.json: fields.stan has room for 4 characters, and 6 are needed for messages.Network'),
  );
});
