import { describe, expect, it } from 'vitest';
import { testCardNumber } from '../../../test/support/numbers.ts';
import { DISGUISES } from '../../../test/support/prober/disguises.ts';
import { SCOPES } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import { checkName, checkScopes, knownScopes, readLifetime, readOverlap } from './credentials.rules.ts';

const lifetime = (part: object) => ({ months: 0, days: 0, hours: 0, seconds: 0, ...part });

describe('a name', () => {
  it('is trimmed', () => expect(checkName('  Shop \n', [])).toBe('Shop'));

  it.each([
    ['nothing', ''],
    ['blanks alone', ' \t '],
    ['101 characters', 'x'.repeat(101)],
    ['a control character', 'a\u0007b'],
    ['a card number', 'key of 4925 0000 0000 0004'],
    ['a number of the installation’s own cards', 'key of 9578 1000 0000 0001'],
    ...Object.entries(DISGUISES).map(([name, disguise]) => [`a card number: ${name}`, disguise(testCardNumber(4))]),
  ])('is refused: %s', (_, text = '') => expect(() => checkName(text, ['95781'])).toThrow(Refusal));
});

describe('scopes', () => {
  it('are each there once, in the order of the registry', () => {
    expect(checkScopes(['accounts', 'tokens:read', 'accounts'])).toEqual(['tokens:read', 'accounts']);
  });

  it.each([[['publicapi']], [['tokens:read', '']], [[]]])(
    'are refused with the list of those that exist: %j',
    (texts) => {
      expect(() => checkScopes(texts)).toThrow(Refusal);
      try {
        checkScopes(texts);
      } catch (error) {
        const { problems } = error as Refusal;
        for (const scope of SCOPES) expect(problems[0]?.description).toContain(scope);
        expect(problems[0]?.description).not.toContain('publicapi');
      }
    },
  );

  it('that a later version stored are left out', () => {
    expect(knownScopes(['tokens:read', 'tomorrow'])).toEqual(['tokens:read']);
  });
});

describe('a lifetime', () => {
  it.each([
    [undefined, { months: 12 }],
    ['12m', { months: 12 }],
    ['1m', { months: 1 }],
    ['90d', { days: 90 }],
    ['365d', { days: 365 }],
  ])('%s', (text, part) => expect(readLifetime(text)).toEqual(lifetime(part)));

  it.each(['13m', '366d', '0d', '1h', '90', 'd', '1.5m', '-1d', ' 1d', ''])('is refused: %j', (text) =>
    expect(() => readLifetime(text)).toThrow(Refusal),
  );
});

describe('an overlap', () => {
  it.each([
    [undefined, { hours: 24 }],
    ['1h', { hours: 1 }],
    ['7d', { days: 7 }],
  ])('%s', (text, part) => expect(readOverlap(text)).toEqual(lifetime(part)));

  it.each(['0h', '1m', '24', ''])('is refused: %j', (text) => expect(() => readOverlap(text)).toThrow(Refusal));
});
