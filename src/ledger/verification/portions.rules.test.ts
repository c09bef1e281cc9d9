import { expect, test } from 'vitest';
import { uuidV7 } from '../../kit/ids.ts';
import { isMadeSince } from './portions.rules.ts';

test.each([
  ['an id of that millisecond', uuidV7(1_000), true],
  ['an earlier one', uuidV7(999), false],
  ['a text, which tells no time', 'payment', false],
  ['a number', 9_000_000, false],
] as const)('%s was made since an instant, or not', (_, id, isSince) => {
  expect(isMadeSince(id, 1_000)).toBe(isSince);
});
