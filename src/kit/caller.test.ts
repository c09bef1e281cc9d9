import { expect, test } from 'vitest';
import { nameOfActor, type Who, whoIs } from './caller.ts';

test.each<readonly [name: string, who: Who]>([
  ['access-token:1', { kind: 'access-token', id: '1' }],
  ['operator:cli:Anna: 1', { kind: 'operator', id: 'cli:Anna: 1' }],
  ['service', { kind: 'service' }],
])('%s names who it is, and no other', (name, who) => {
  expect(nameOfActor(who)).toBe(name);
  expect(whoIs(name)).toEqual(who);
});
