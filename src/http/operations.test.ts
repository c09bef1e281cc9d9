import fc from 'fast-check';
import { expect, test } from 'vitest';
import { path } from './operations.ts';

test('a path has each segment percent-encoded, whatever it holds (RFC 3986, 2.1)', () => {
  const segment = fc.oneof(fc.string(), fc.uuid(), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(segment, segment, (one, other) => {
      expect(path`/api/${one}/of/${other}`).toBe(`/api/${encodeURIComponent(one)}/of/${encodeURIComponent(other)}`);
    }),
  );
  expect(path`/whole`).toBe('/whole');
  expect(path`/${'a/b?c#d'}`).toBe('/a%2Fb%3Fc%23d');
});
