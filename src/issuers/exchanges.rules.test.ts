import { expect, test } from 'vitest';
import { retrievalReferenceOf } from './exchanges.rules.ts';

test.each([
  ['2026-03-09T10:15:28Z', '000101', '606810000101'],
  ['2026-01-01T00:00:00Z', '000001', '600100000001'],
  ['2028-02-29T23:59:59Z', '999900', '806023999900'],
  ['2028-03-01T00:00:00Z', '000007', '806100000007'],
  ['2030-12-31T07:00:00Z', '012345', '036507012345'],
])('a payment that began at %s with the number %s has the reference %s', (sentAt, stan, reference) => {
  expect(retrievalReferenceOf(sentAt, stan)).toBe(reference);
});
