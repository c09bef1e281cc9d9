import { expect, test } from 'vitest';
import { HEADER_MEMO_CHARACTERS, HEADER_MEMO_ENTRIES, remembering } from './memo.ts';

test('a text is read once, until the memory is full', () => {
  let readings = 0;
  const lengthOf = remembering((text) => {
    readings++;
    return text.length;
  });
  expect([lengthOf('abc'), lengthOf('abc'), lengthOf('')]).toEqual([3, 3, 0]);
  expect(readings).toBe(2);

  for (let count = 0; count < HEADER_MEMO_ENTRIES; count++) lengthOf(`text ${count}`);
  readings = 0;
  expect(lengthOf('abc')).toBe(3);
  expect(readings).toBe(1);
});

test('a long text is read each time', () => {
  let readings = 0;
  const read = remembering(() => ++readings);
  const longest = 'x'.repeat(HEADER_MEMO_CHARACTERS);
  expect([read(longest), read(longest), read(`${longest}x`), read(`${longest}x`)]).toEqual([1, 1, 2, 3]);
});
