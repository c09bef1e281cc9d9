import { expect, test } from 'vitest';
import { uuidV7 } from '../../kit/ids.ts';
import { placeToLookFrom } from './portions.rules.ts';

const PAYEE = 'payee';
const BEHIND = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

test('a walk goes on behind the rows of a payee that were made since it began', () => {
  expect(placeToLookFrom([PAYEE, uuidV7(1_000), 2], 1_000)).toEqual([PAYEE, BEHIND, 2]);
});

test.each([
  ['an id of before', uuidV7(999)],
  ['an id that tells no time', 'e2f7c5c4-1b6a-4c39-9e0e-8d1f0a4b7a55'],
  ['a text', 'payment'],
  ['a number', 9_000_000],
] as const)('and at the next row behind %s', (_, id) => {
  expect(placeToLookFrom([PAYEE, id], 1_000)).toEqual([PAYEE, id]);
});
