import { expect, test } from 'vitest';
import { uuidV7 } from '../../kit/ids.ts';
import { isMadeSince } from './portions.rules.ts';

test.each([
  ['an id of that millisecond', [uuidV7(1), uuidV7(1_000)], true],
  ['an earlier one', [uuidV7(9_000), uuidV7(999)], false],
  ['a text, which tells no time', ['p', 'payment', 'reference'], false],
  ['a number', [9_000_000], false],
] as const)('%s was made since an instant, or not', (_, place, isSince) => {
  expect(isMadeSince(place, '1970-01-01T00:00:01.000Z')).toBe(isSince);
});
