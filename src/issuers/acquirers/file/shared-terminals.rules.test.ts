import { expect, test } from 'vitest';
import type { Acquirer, Agreement } from '../acquirers.types.ts';
import { refuseSharedTerminals } from './shared-terminals.rules.ts';

const NORTH = { id: 'north', host: 'h2h.example.com', port: 9100, otherSites: [], acquiringInstitution: '957800' };

function refusalOf(south: object, agreement: object): string {
  const acquirers = [NORTH, { ...NORTH, id: 'south', ...south }] as readonly object[] as readonly Acquirer[];
  const agreements = [
    { acquirer: 'north', terminalIds: ['WEB00001', 'WEB00002'], closed: false },
    { acquirer: 'south', terminalIds: ['WEB00002'], closed: false, ...agreement },
  ] as readonly object[] as readonly Agreement[];
  try {
    refuseSharedTerminals({ acquirers, agreements });
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

const OTHER_SITE = { host: 'h2h-2.example.com' };
const OTHER_INSTITUTION = { acquiringInstitution: '957900' };

test.each([
  ['the same host and institution', {}],
  ['the same institution at another host', OTHER_SITE],
  ['the same institution with zeros before it', { ...OTHER_SITE, acquiringInstitution: '00957800' }],
])('two entries with %s and a terminal are refused', (_name, south) => {
  expect(refusalOf(south, {})).toMatch(
    /^acquirers\[1\] shares acquiringInstitution and a terminal with acquirers\[0\].*host may be a list/,
  );
});

test('so are two with the same host, whatever institutions they name', () => {
  const south = { ...OTHER_INSTITUTION, host: 'H2H.example.com' };
  expect(refusalOf(south, {})).toMatch(/^acquirers\[1\] shares its host and a terminal/);
  expect(refusalOf(south, { closed: true })).toMatch(/^acquirers\[1\] shares its host and a terminal/);
});

test('so are two of which one has a site that is the other', () => {
  const south = { ...OTHER_INSTITUTION, ...OTHER_SITE, otherSites: [{ host: 'h2h.example.com', port: 9100 }] };
  expect(refusalOf(south, {})).toMatch(/^acquirers\[1\] shares its host and a terminal/);
});

test.each([
  ['terminals', {}, { terminalIds: ['WEB00003'] }],
  ['hosts and institutions', { ...OTHER_SITE, ...OTHER_INSTITUTION }, {}],
  ['ports and institutions', { ...OTHER_INSTITUTION, port: 9101 }, {}],
  ['times: one agreement is closed, and numbers are counted together', OTHER_SITE, { closed: true }],
])('two entries with other %s are taken', (_name, south, agreement) => {
  expect(refusalOf(south, agreement)).toBe('');
});
