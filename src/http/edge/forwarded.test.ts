import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { parseForwarded } from './forwarded.ts';

test.each([
  ['for=192.0.2.43', '192.0.2.43'],
  ['FOR=192.0.2.43', '192.0.2.43'],
  ['for="192.0.2.43"', '192.0.2.43'],
  ['for="192.0.2.43:47011"', '192.0.2.43'],
  ['for="192.0.2.43:_port"', '192.0.2.43'],
  ['for="[2001:db8:cafe::17]"', '2001:db8:cafe::17'],
  ['for="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
  ['for="[::ffff:192.0.2.43]"', '::ffff:192.0.2.43'],
  ['for="\\1\\9\\2.0.2.43"', '192.0.2.43'],
  ['for=unknown', 'unknown'],
  ['for=Unknown', 'unknown'],
  ['for="unknown:80"', 'unknown'],
  ['for=_gazonk', '_gazonk'],
  ['for="_SEVKISEK:_a.b-c"', '_SEVKISEK'],
  ['for=192.0.2.43;proto=https;host=shop.example', '192.0.2.43'],
  ['for=192.0.2.43; host=shop.example; proto=https', '192.0.2.43'],
  [' proto=https ;\thost="shop.example:8443" ; for=192.0.2.43 ', '192.0.2.43'],
  ['host="a;b,for=1.2.3.4\\"";for=192.0.2.43', '192.0.2.43'],
  ['for=192.0.2.43, for=198.51.100.17', '192.0.2.43'],
  ['for=192.0.2.43 , proto=https', '192.0.2.43'],
  [', ,for=192.0.2.43,', '192.0.2.43'],
  [';;for=192.0.2.43;', '192.0.2.43'],
  ['for=_4925000000000004', '_************0004'],
])('%s: %s', (header, address) => {
  expect(parseForwarded(header)).toBe(address);
});

test('no header, no address', () => {
  expect(parseForwarded(undefined)).toBeUndefined();
});

test.each([
  ['for=192.0.2.43, for=203.0.113.9', '192.0.2.43'],
  ['for=192.0.2.43, for=203.0.113.9;proto=https, for="[2001:db8::1]"', '192.0.2.43'],
  ['for=203.0.113.9', undefined],
  ['for=203.0.113.9, for=192.0.2.43', '203.0.113.9'],
])('what a proxy has added is not the payer: %s', (header, address) => {
  const added = ['203.0.113.9', '2001:db8::1'];
  expect(parseForwarded(header, { isAdded: (one) => added.includes(one) })).toBe(address);
});

describe('refused', () => {
  test.each([
    '',
    ' ',
    ',',
    'proto=https',
    'proto=https, for=192.0.2.43',
    'for',
    'for=',
    'for=""',
    'for =192.0.2.43',
    'for= 192.0.2.43',
    'for=192.0.2.43 host=shop.example',
    'for=192.0.2.43:47011',
    'for=[2001:db8::1]',
    'for=2001:db8::1',
    'for="2001:db8::1"',
    'for="[2001:db8::1"',
    'for="[192.0.2.43]"',
    'for="[fe80::1%eth0]"',
    'for="[2001:db8::1]:"',
    'for="192.0.2.43:123456"',
    'for="192.0.2.43:x"',
    'for=192.0.2.256',
    'for=192.0.2',
    'for=0300.0.2.43',
    'for=shop.example',
    'for=_',
    'for="_a b"',
    'for="_å"',
    `for=_${'a'.repeat(64)}`,
    'for=192.0.2.43;for=192.0.2.43',
    'for=192.0.2.43;host=shop.example:8443',
    'for=192.0.2.43, for=',
    'for="192.0.2.43',
    'for="192.0.2.43\\"',
    'for=192.0.2.43;;=',
    "for='192.0.2.43'",
  ])('%s', (header) => {
    expect(problemOf(header)).toBe('Forwarded');
  });
});

test('any text gives an address or a refusal, and a long hostile one in little time', () => {
  const unit = fc.constantFrom('for', '=', '"', ';', ',', ' ', '\\', '[', ']', ':', '_', '1.2.3.4', '::1', 'é');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), (header) => {
      expect(problemOf(header) ?? 'Forwarded').toBe('Forwarded');
    }),
    { numRuns: 1000 },
  );
  for (const piece of [' ', ';', ',', '"', '\\', 'a', 'a=b;', 'a="', '; ', ' ,']) {
    const started = performance.now();
    problemOf(`${piece.repeat(160_000 / piece.length)}\x01`);
    expect(performance.now() - started, piece).toBeLessThan(2000);
  }
});

/** What the refusal is about; undefined where there is an address. */
function problemOf(header: string): string | undefined {
  try {
    parseForwarded(header);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.problems[0]?.name;
    throw error;
  }
}
