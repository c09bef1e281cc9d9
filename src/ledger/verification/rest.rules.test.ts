import { expect, test } from 'vitest';
import { restMs } from './rest.rules.ts';

const look = (rows: number, atMs: number) => ({ rows, atMs });

test('nine tenths are rest where payments are made, or where it is not known whether they are', () => {
  expect(restMs(200, look(1_000, 0), look(1_400, 2_000))).toBe(1_800);
  expect(restMs(200, undefined, look(1_000, 0))).toBe(1_800);
});

test('no rest where none are made, or where the server has begun to count anew', () => {
  expect(restMs(200, look(1_000, 0), look(1_199, 2_000))).toBe(0);
  expect(restMs(200, look(1_000, 0), look(3, 2_000))).toBe(0);
});
