import { expect, test } from 'vitest';
import { passesLuhn } from '../kit/cards/card-number.ts';
import { giftCardNumber, isFreePrefix } from './card-number.rules.ts';

test.each([
  [16, '95781', '0123456789'],
  [19, '95781234', '0000000000'],
  [17, '9578', '999999999999'],
])('a number of %i digits begins with %s and passes', (numberLength, numberPrefix, random) => {
  const number = giftCardNumber({ numberLength, numberPrefix }, random);
  expect(number).toHaveLength(numberLength);
  expect(number.startsWith(numberPrefix + random)).toBe(true);
  expect(passesLuhn(number)).toBe(true);
});

test('random digits of another length are a bug of ours', () => {
  expect(() => giftCardNumber({ numberLength: 16, numberPrefix: '95781' }, '123')).toThrow('fill the number');
});

test.each([
  ['95781', [], true],
  // Schemes: below a range, above one, and one that is longer than the prefix.
  ['4925', [], false],
  ['2221', [], false],
  ['27209', [], false],
  ['27210', [], true],
  ['9792', [], false],
  ['6011', [], false],
  ['6099', [], false],
  // Prefixes of others: equal, longer, shorter.
  ['95781', ['95781'], false],
  ['95781', ['957812'], false],
  ['95781', ['957'], false],
  ['95781', ['95782', '9999'], true],
])('the prefix %s beside %j is free: %s', (prefix, others, isFree) => {
  expect(isFreePrefix(prefix, others)).toBe(isFree);
});
