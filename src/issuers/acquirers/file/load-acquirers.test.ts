import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ISO93 } from '../../../iso8583/dialects/iso93.rules.ts';
import { Trouble } from '../../../kit/work/trouble.ts';
import { loadAcquirers } from './load-acquirers.ts';

/** The example, at an acquirer that speaks this dialect. */
function load(dialect: object, others: object = {}) {
  const document = JSON.parse(readFileSync('examples/acquirers.json', 'utf8'));
  for (const acquirer of document.acquirers) Object.assign(acquirer, { dialect: 'own.json' }, others);
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

const { Reconcile: _, Reversal: __, ...fewer } = ISO93.messages;
const mac = { algorithm: 'retail', bytes: 8 };

test.each([
  [
    'operations has Reversal, and the dialect has no such message',
    { ...ISO93, messages: fewer },
    { reconciliation: false },
  ],
  [
    'reconciliation must be false: the dialect has no Reconcile message',
    { ...ISO93, messages: { ...ISO93.messages, Reconcile: undefined } },
    {},
  ],
  ['failoverCodes[1] is no code by which the dialect declines', ISO93, { failoverCodes: ['907', '96'] }],
  ['macKey is missing: the dialect has a mac', { ...ISO93, mac }, {}],
  ['macKey is of no use: the dialect has no mac', ISO93, { macKey: 'north.key' }],
])('what the dialect cannot say is refused with the acquirer: %s', (complaint, dialect, others) => {
  expect(() => load(dialect, others)).toThrow(new Trouble(`/etc/acquirers.json: acquirers[0].${complaint}`));
});

test('codes after which another acquirer may be asked are those of the dialect', () => {
  const { requests } = ISO93.actionCodes;
  const declining = { codes: ['91'], outcome: 'Declined', problem: 'acquirergatewayerror', retry: 'Later' };
  const dialect = { ...ISO93, actionCodes: { ...ISO93.actionCodes, requests: [...requests, declining] } };
  expect(load(dialect, { failoverCodes: ['91', '907'] })).toBeDefined();
});

test('a country that the dialect has no code for is refused with the agreement', () => {
  const merchantCountry = { number: 19, form: 'an', length: 2, codes: { SWE: 'SE' } };
  expect(() => load({ ...ISO93, otherFields: [], fields: { ...ISO93.fields, merchantCountry } })).toThrow(
    new Trouble(
      '/etc/acquirers.json: agreements[0].merchant.country has no code in the dialect: add one to merchantCountry',
    ),
  );
});

test('a dialect without messages that the acquirer is not asked for is taken', () => {
  expect(load({ ...ISO93, messages: fewer }, { operations: ['Authorize'], reconciliation: false })).toBeDefined();
  expect(load({ ...ISO93, mac }, { macKey: 'north.key' })).toBeDefined();
});
