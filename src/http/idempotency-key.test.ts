import { expect, test } from 'vitest';
import { parseIdempotencyKey } from './edge/reception.ts';

test.each([undefined, 'a', '9b6e1f6c-4a35-4d8e-9d2e-9a1a53c6a6a0', '!"#~', 'x'.repeat(64)])('%s is taken', (key) => {
  expect(parseIdempotencyKey(key)).toBe(key);
});

test.each(['', ' ', 'a b', 'a\n', 'a\t', '\x7f', 'nøkkel', 'x'.repeat(65)])('%j is refused', (key) => {
  const problems = [expect.objectContaining({ name: 'Idempotency-Key' })];
  expect(() => parseIdempotencyKey(key)).toThrow(expect.objectContaining({ code: 'inputerror', problems }));
});
