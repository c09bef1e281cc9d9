import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAccept, parseMediaType, qualityOf } from './media-type.ts';

describe('parseMediaType', () => {
  test.each([
    ['application/json', 'application/json', {}, 1],
    ['Application/JSON', 'application/json', {}, 1],
    [' application/json ; version=3.1 ', 'application/json', { version: '3.1' }, 1],
    ['application/json;charset=utf-8;version=3.x/2.0', 'application/json', { charset: 'utf-8', version: '3.x/2.0' }, 1],
    ['application/json;VERSION="3.1";q=0.5', 'application/json', { version: '3.1' }, 0.5],
    ['application/json; version = 3.1', 'application/json', { version: '3.1' }, 1],
    ['application/json;;version=3.1;', 'application/json', { version: '3.1' }, 1],
    ['application/json;version=', 'application/json', { version: '' }, 1],
    ['text/plain;a="x\\"y;z,\\\\"', 'text/plain', { a: 'x"y;z,\\' }, 1],
    ['*/*;q=0', '*/*', {}, 0],
    ['*;q=.2', '*/*', {}, 0.2],
    ['application/*;Q=1.000', 'application/*', {}, 1],
  ])('%s', (text, name, parameters, quality) => {
    const type = parseMediaType(text);
    expect(type).toMatchObject({ name, quality });
    expect(Object.fromEntries(type?.parameters ?? [])).toEqual(parameters);
  });

  test.each([
    '',
    'json',
    'application/',
    '/json',
    'application / json',
    'application/json version=3.1',
    'application/json;version',
    'application/json;=3.1',
    'application/json;version=3.1;version=3.1',
    'application/json;version="3.1',
    'application/json;version="3.1"x',
    'application/json;q=2',
    'application/json;q=0.1234',
    'application/json;q=-1',
    'application/json;q=',
    'application/json;q=.',
    'application/json,text/html',
  ])('%s is not well-formed', (text) => {
    expect(parseMediaType(text)).toBeUndefined();
  });
});

test('parseAccept parts ranges at commas outside of quoted strings, and leaves out what is malformed', () => {
  const ranges = parseAccept('text/html, , application/json;a="x,y";q=0.5,nonsense,application/xml;q=9, */*;q=0.1');
  expect(ranges.map(({ name, quality }) => [name, quality])).toEqual([
    ['text/html', 1],
    ['application/json', 0.5],
    ['*/*', 0.1],
  ]);
  expect(ranges[1]?.parameters.get('a')).toBe('x,y');
});

test.each([
  ['application/json', '*/*;q=0.3', 0.3],
  ['application/json', '*/*;q=0.3, application/*;q=0.2', 0.2],
  ['application/json', '*/*, application/*, application/json;q=0', 0],
  ['application/json', 'application/json;q=0, application/json;version=3.1;q=0.4', 0.4],
  ['application/json', 'text/html', undefined],
  ['application/json', 'application/jsonp', undefined],
  ['text/html', 'text/*;q=0.7, */*;q=0.1', 0.7],
])('the weight of %s in %s is %s', (name, accept, quality) => {
  expect(qualityOf(name, parseAccept(accept))).toBe(quality);
});

test('any text is read or not, and a long hostile one in little time', () => {
  const unit = fc.constantFrom(...'aq*/;,="\\ \t.01é');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      parseMediaType(text);
      for (const { quality } of parseAccept(text)) {
        expect(quality).toBeGreaterThanOrEqual(0);
        expect(quality).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 1000 },
  );
  for (const piece of [' ', ';', '"', '\\', ',', 'a', '; ', ';a="', 'a/a;q=0.', '"\\']) {
    const text = `a/b;${piece.repeat(160_000 / piece.length)}`;
    const started = performance.now();
    parseAccept(text);
    parseMediaType(text);
    expect(performance.now() - started, piece).toBeLessThan(2000);
  }
});
